"""Security: what a resolved recipe must not say, as rules without side effects."""
