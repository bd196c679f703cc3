"""Compiling and searching trained models, by their kind."""
