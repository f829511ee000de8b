"""What haiyomi writes is read, replayed and paid alike by a program that nobody here wrote."""

from __future__ import annotations

import pathlib

import pytest

from haiyomi.logs.load import parse, write
from haiyomi.play.demo import demo_bytes

SAMPLES = pathlib.Path(__file__).parents[1] / "samples"


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["demo", "haiyomi-7-00000.mjlog", "haiyomi-7-00001.mjlog", "haiyomi-7-00003.mjson"]
)
def test_an_mjlog_is_read_elsewhere(name: str) -> None:
    """A named case: of hands without known dice two fields were empty, which others refuse."""
    pytest.importorskip("jansou", reason="the extra [bench] is not installed")
    from jansou.io.mjlog import parse_mjlog
    from jansou.io.replay import replay_paifu
    from jansou.validation.check import check_paifu

    data = demo_bytes() if name == "demo" else (SAMPLES / name).read_bytes()
    game = parse(data, name)
    paifu = parse_mjlog(write(game, "mjlog").encode())
    assert len(paifu.rounds) == len(game.hands)
    assert list(replay_paifu(paifu))
    verdicts = check_paifu(paifu)
    assert verdicts
    assert all(verdict.passed for verdict in verdicts)
