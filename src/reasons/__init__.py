"""Why a classifier decided what it decided: exactly, fast, with evidence."""
