"""`reasons serve`: requests under load, and what a person waits for in the browser."""
