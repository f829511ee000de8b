"""Real games replay: every event legal, every payment, yaku, han, fu and point the same."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from haiyomi.events import Game, Win
from haiyomi.game.table import check_game
from haiyomi.logs.load import parse


def games(path: Path, step: int) -> list[Game]:
    with zipfile.ZipFile(path) as archive:
        return [parse(archive.read(n), n) for n in archive.namelist()[::step]]


@pytest.mark.corpus
def test_a_sample_of_real_games_replays(corpus: Path) -> None:
    hands = wins = 0
    for split in ("train", "valid", "test"):
        for game in games(corpus / f"{split}.zip", 15):
            hands += len(check_game(game))
            wins += sum(isinstance(h.events[-1], Win) for h in game)
            for hand in game:
                for event in hand.events:
                    # mjlog tells all of a win: nothing above was skipped for want of it
                    if isinstance(event, Win):
                        assert None not in (event.yaku, event.fu, event.points)
    assert hands > 1500
    assert wins > 1000


@pytest.mark.corpus
@pytest.mark.slow
def test_every_real_game_replays(corpus: Path) -> None:
    count = hands = 0
    for split in ("train", "valid", "test"):
        with zipfile.ZipFile(corpus / f"{split}.zip") as archive:
            for name in archive.namelist():
                hands += len(check_game(parse(archive.read(name), name)))
                count += 1
    assert (count, hands) == (3018, 27387)
