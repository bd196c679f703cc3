"""All sufficient reasons of decision trees, beside PyXAI."""
