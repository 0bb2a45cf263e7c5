"""Hardware tables: facts with source and date, read from recipes/hardware."""
