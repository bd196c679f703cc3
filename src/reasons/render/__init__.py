"""Results as pictures and text: pure functions from a result to a string."""
