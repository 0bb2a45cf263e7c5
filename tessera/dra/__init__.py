"""Dynamic Resource Allocation: requirements, selectors, classes, claims, slices, and why a device fits."""
