"""Answers about models too large to compile, by search on the model itself."""
