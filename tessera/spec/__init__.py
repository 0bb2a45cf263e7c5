"""The stack file, typed: what one environment is."""
