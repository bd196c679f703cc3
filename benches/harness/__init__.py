"""Timing, tables, child processes with limits, and environments of other packages."""
