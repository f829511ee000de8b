"""Predictions for a position: ``Analyzer`` asks the models, ``Analysis`` is the answer."""
