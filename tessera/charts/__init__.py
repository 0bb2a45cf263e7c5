"""Charts: which values each version of a Helm chart knows, and whether a component's values fit them."""
