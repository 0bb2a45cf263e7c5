"""Recipes of NVIDIA's AI Cluster Runtime as the source of a stack's components."""
