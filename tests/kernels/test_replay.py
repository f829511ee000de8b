"""Words of a hand: layout, damaged words, and a sentence for every fault."""

from __future__ import annotations

import numpy as np
import pytest
from game.small_hands import CHANKAN, DRAW, KAN_GOES_ON, LEGAL, RIICHI, put

from haiyomi import _core
from haiyomi.errors import IllegalError
from haiyomi.events import DISCARDS, DRAWS, AbortiveDraw, Discard, Draw, Hand, OwnDeal
from haiyomi.kernels import replay
from haiyomi.rules import TENHOU
from haiyomi.tiles import TILES, Seat

RULES = (True, True, True, False, False, 4, False, False, True, False)


def run(words: object, truth: bool = False) -> tuple[int, int]:
    fault, event, *_ = _core.replay(words, RULES, truth)
    return fault, event


def test_interned_and_fresh_events_have_the_same_words() -> None:
    for seat in range(4):
        for code, tile in enumerate(TILES):
            pairs = [(DRAWS[seat][code], Draw(Seat(seat), tile))]
            for tsumogiri in (False, True):
                fresh = Discard(Seat(seat), tile, tsumogiri)
                pairs.append((DISCARDS[seat][code][tsumogiri], fresh))  # type: ignore[arg-type]
            for made_once, fresh_event in pairs:
                assert made_once == fresh_event
                assert replay.encode(Hand((made_once,))) == replay.encode(Hand((fresh_event,)))


def test_the_words_are_what_the_header_says() -> None:
    words = replay.encode(RIICHI).tolist()
    assert words[:8] == [0 | 20 << 4, 0, 0, 0, 25000, 25000, 25000, 25000]
    assert words[8:13] == [1, 13, 13, 13, 13]
    assert words[65:70] == [2 | 18 << 4, 4, 3 | 27 << 4, 5, 2 | 5 << 4 | 1 << 12]
    assert replay.encode(RIICHI).itemsize == 4


def test_every_fault_has_one_sentence() -> None:
    stated = set(replay._ILLEGAL) | set(replay._MISMATCH) | {"NoEnding", "None"}
    assert stated == set(_core.replay_faults())
    assert not set(replay._ILLEGAL) & set(replay._MISMATCH)
    for name in stated - {"None"}:
        for detail in ((0, 0, 0), (-1, 33, 36), (54, 99999, -99999)):
            text = str(replay._error(name, 0, detail, RIICHI.events))
            assert "{" not in text


@pytest.mark.parametrize(
    "event",
    [
        Draw(Seat(4), TILES[0]),
        Draw(Seat(-1), TILES[0]),
        Discard("east", TILES[0], False),  # type: ignore[arg-type]
        OwnDeal(Seat(0), TILES[:13]),
        AbortiveDraw("boredom"),  # type: ignore[arg-type]
        None,
    ],
)
def test_events_without_words_are_named(event: object) -> None:
    with pytest.raises(IllegalError) as caught:
        replay.encode(put(RIICHI, 6, event))  # type: ignore[arg-type]
    assert caught.value.event == 6


@pytest.mark.parametrize("truth", [False, True])
def test_damaged_words_end_in_a_fault_and_not_in_a_crash(truth: bool) -> None:
    rng = np.random.default_rng(5)
    for hand in LEGAL.values():
        good = np.array(replay.encode(hand), np.int32)
        assert run(good, truth)[0] == 0
        faults = 0
        for _ in range(300):
            words = good.copy()
            at = int(rng.integers(len(words)))
            words[at] = rng.choice(
                [rng.integers(-5, 60), rng.integers(0, 1 << 16), rng.integers(-(2**31), 2**31)]
            )
            faults += run(words, truth)[0] != 0
            run(words[: int(rng.integers(len(words) + 1))], truth)
        assert faults > 150
    for _ in range(300):
        run(rng.integers(-(2**31), 2**31, int(rng.integers(0, 80))).astype(np.int32), truth)
        run(rng.integers(0, 1 << 16, int(rng.integers(0, 80))).astype(np.int32), truth)
    assert run(np.zeros(0, np.int32))[0] != 0


def test_words_must_be_int32_in_a_row() -> None:
    # nanobind may convert a dtype, never a shape
    with pytest.raises(TypeError):
        _core.replay(np.zeros((2, 2), np.int32), RULES, False)
    with pytest.raises(TypeError):
        _core.replay("words", RULES, False)


def test_columns_have_their_types_and_own_their_memory() -> None:
    _, discards, kakans = replay.replay(CHANKAN, TENHOU, truth=True)
    widths = [(), (), (), (), (4, 34), (4,), (4,), (4,), (4,), (4,), (4,), (4,), ()]
    types = ["i4", "u1", "u1", "b1", "u1", "u1", "u8", "b1", "u8", "u1", "u1", "i4", "u1"]
    for columns, n in ((discards, 5), (kakans, 1)):
        assert [c.shape for c in columns] == [(n, *w) for w in widths]
        assert [c.dtype for c in columns] == [np.dtype(t) for t in types]
        columns[0][:] = 0  # writable, and nobody else's
    assert replay.replay(DRAW, TENHOU)[1:] == (None, None)
    assert replay.replay(KAN_GOES_ON, TENHOU, truth=True)[2] is not None
