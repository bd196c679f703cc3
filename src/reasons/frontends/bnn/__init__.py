"""Neural networks with binary units: read, folded to thresholds, compiled within a region."""
