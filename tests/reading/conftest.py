"""Rows of the game that comes with haiyomi."""

from __future__ import annotations

import pytest

from haiyomi.play.demo import demo_game
from haiyomi.training.reading_rows import ReadingRows, game_rows


@pytest.fixture(scope="session")
def seen_rows() -> ReadingRows:
    return game_rows("demo", demo_game())
