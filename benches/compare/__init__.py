"""Sufficiency of the reasons that LIME, SHAP, Anchors, PyXAI and this package give."""
