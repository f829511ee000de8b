"""The benchmark of opponent modelling: its games, tasks, predictions, scores and baselines."""
