"""Plugins of the whole suite: tests, docstrings and pages."""

pytest_plugins = ["tests.plugins.tiers", "tests.plugins.durations", "tests.plugins.skips"]
