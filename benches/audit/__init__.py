"""Batches of rows: verdicts a second, peak memory, and what people do instead of an audit."""
