"""Final scores in the evaluation of placements."""

from __future__ import annotations

import numpy as np
import pytest

from haiyomi.evaluation.outcomes.placement_experiment import final_errors
from haiyomi.outcomes.starts import Starts
from haiyomi.training.placement_rows import PlacementRows


def test_errors_of_scores_whose_squares_need_more_than_32_bits() -> None:
    column = np.zeros(2, np.int32)
    scores = np.full((2, 4), 25000, np.int32)
    final = np.array([[85000, 25000, 0, -10000]] * 2, np.int32)
    rows = PlacementRows(column, Starts(column + 2, column, column, column, scores), final)
    found = final_errors(rows, np.full((2, 4), 25000.0))
    assert found["score"] == pytest.approx(np.sqrt((60000**2 + 25000**2 + 35000**2) / 4))
    assert found["model"] == found["score"]
