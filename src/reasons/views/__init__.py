"""Answers as JSON objects: the only place that makes them, for shell, server, widget, report."""
