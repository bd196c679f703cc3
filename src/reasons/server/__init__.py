"""The page and its API: what `reasons serve` serves. FastAPI stays in here."""
