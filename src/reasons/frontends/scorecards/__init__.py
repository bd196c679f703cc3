"""Points tables: read, checked for gaps and overlaps, and lowered to sums of scores."""
