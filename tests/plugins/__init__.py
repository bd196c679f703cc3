"""Plugins of pytest for this suite; conftest.py at the root loads them."""
