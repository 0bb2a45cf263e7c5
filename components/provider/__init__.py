"""Our own Pulumi resources: a provider plugin of a few hundred lines, and what it manages."""
