"""Metrics and experiments: results JSON, and tables made from it."""
