"""MIG plans: which GPU is cut into what, and what has to change for it."""
