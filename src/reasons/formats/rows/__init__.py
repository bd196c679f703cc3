"""Rows of data: frames in memory, and files and folders read a little at a time."""
