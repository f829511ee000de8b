"""The dataset of labelled decisions, its splits, and the fit commands."""
