"""One sufficient reason and one counterfactual of tree ensembles, beside PyXAI and SHAP."""
