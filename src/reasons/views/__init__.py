"""Answers as plain objects that JSON holds: for the page, its API and notebooks."""
