"""Layers of binarised neural networks, and the region around an image."""

from reasons.frontends.bnn.layers import BatchNorm, Dense, Sign, Step
from reasons.frontends.bnn.region import Flips

__all__ = ["BatchNorm", "Dense", "Flips", "Sign", "Step"]
