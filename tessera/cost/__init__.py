"""Cost: what a stack's machines cost by dated price lists. What no list tells is unknown, never 0."""
