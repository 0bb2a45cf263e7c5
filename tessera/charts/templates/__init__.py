"""Templates: which values a chart's templates read. They are read as text, and never run."""
