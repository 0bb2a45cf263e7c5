"""Measurements: what a user waits for, how fast pods get devices, how full GPUs get. See docs/benchmarks.md."""
