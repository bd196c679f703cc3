"""Rule lists and decision sets: parsed, made features of, composed to an ordered graph."""
