"""Sharing: who hands out the GPUs of a pool, and every file, label and chart value that follows from it."""
