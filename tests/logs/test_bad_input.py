"""Damaged bytes of every format: an error of the tree with the file in it, never another."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from logs.live import live_events
from logs.made_games import FORMATS, made_game

from haiyomi.errors import RecordError
from haiyomi.logs.load import parse, parse_all, write

TEXTS = {format: write(made_game(1, hands=2), format).encode() for format in FORMATS}
ODD = [None, True, -1, 5, 60, 1e9, 10**30, "", "?", "5mr", "c111213", [], [[]], {}, "r60", 0.5]


def said_of(run: Callable[[], object]) -> str | None:
    """The text of the RecordError that comes out; any other error comes through."""
    try:
        run()
    except RecordError as error:
        return str(error)
    return None


def only_record_errors(data: bytes) -> None:
    message = said_of(lambda: parse_all(data, "bad"))
    if message is not None:
        assert message.startswith("bad")
        assert "\n" not in message
        return
    for game in parse_all(data, "bad"):  # what still parses can be written, or says why not
        for format in FORMATS:
            assert said_of(partial(write, game, format)) != ""


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Some bytes flipped, cut out, doubled or moved, or the end cut off."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(out))
        kind = rng.randrange(6)
        if kind == 0:
            out[at] = rng.randrange(256)
        elif kind == 1:
            out[at] = rng.choice(b"0123456789\"'<>/,:{}[] -")
        elif kind == 2:
            del out[at : at + rng.randrange(1, 60)]
        elif kind == 3:
            out[at:at] = out[at : at + rng.randrange(1, 60)]
        elif kind == 4:
            other = rng.randrange(len(out))
            out[at : at + 4] = out[other : other + 4]
        elif rng.random() < 0.3:
            del out[at:]
        if not out:
            break
    return bytes(out)


@pytest.mark.parametrize("format", FORMATS)
def test_damaged_bytes(format: str) -> None:
    rng = random.Random(7)
    for _ in range(250):
        only_record_errors(damaged(TEXTS[format], rng))


def test_damaged_gzip() -> None:
    rng = random.Random(8)
    data = gzip.compress(TEXTS["mjlog"])
    for _ in range(150):
        only_record_errors(damaged(data, rng))


@pytest.mark.parametrize("format", ["mjlog", "tenhou6", "mjai"])
def test_scores_beyond_a_million_are_damage(format: str) -> None:
    hundreds = format == "mjlog"
    text = TEXTS[format].decode()
    scores = re.search(r"(?:250,|25000, ?){3}250{1,3}", text)
    assert scores is not None
    for most, fits in ((1_000_000, True), (1_000_100, False)):
        n = most // 100 if hundreds else most
        odd = text.replace(scores[0], f"{n},{-n},0,{1000 if hundreds else 100_000}", 1)
        message = said_of(partial(parse, odd.encode(), "bad"))
        assert (message is None) is fits, message


def swapped(value: Any, rng: random.Random, chance: float) -> Any:
    """The JSON value with some parts of it replaced by odd ones."""
    if rng.random() < chance:
        return rng.choice(ODD)
    if isinstance(value, list):
        return [swapped(v, rng, chance) for v in value]
    if isinstance(value, dict):
        return {k: swapped(v, rng, chance) for k, v in value.items() if rng.random() >= chance / 2}
    return value


def test_odd_values_in_tenhou6() -> None:
    rng = random.Random(9)
    record = json.loads(TEXTS["tenhou6"])
    for _ in range(300):
        only_record_errors(json.dumps(swapped(record, rng, 0.004)).encode())


def test_odd_values_in_mjai() -> None:
    rng = random.Random(10)
    lines = [json.loads(m) for m in TEXTS["mjai"].splitlines()]
    for _ in range(200):
        odd = [swapped(m, rng, 0.003) for m in lines]
        if rng.random() < 0.3:
            del odd[rng.randrange(len(odd))]
        text = "\n".join(json.dumps(m) for m in odd)
        only_record_errors(text.encode())
        message = said_of(partial(_drain, text.splitlines()))
        assert message is None or message.startswith(("bad", "message "))


def _drain(lines: list[str]) -> None:
    for _ in live_events(lines, "bad"):
        pass


def test_odd_attributes_in_mjlog() -> None:
    rng = random.Random(11)
    text = TEXTS["mjlog"].decode()
    values = list(re.finditer(r'="([^"]*)"', text))
    for _ in range(400):
        match = rng.choice(values)
        odd = rng.choice(["", "-1", "9" * 30, "x", "1,2", ",", "0" * 9, "٣", "1_0", match[1] + ","])
        only_record_errors((text[: match.start(1)] + odd + text[match.end(1) :]).encode())


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=80) | st.text(max_size=80).map(str.encode), st.sampled_from(FORMATS))
def test_any_bytes(junk: bytes, format: str) -> None:
    only_record_errors(junk)
    only_record_errors(TEXTS[format][:2000] + junk)
    only_record_errors(junk + TEXTS[format][-500:])


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 100_000,
        b'{"log":' + b"[" * 100_000,
        b'{"type":"start_game","names":' + b"[" * 100_000 + b"\n{}",
        b'{"log":[' + b"9" * 10_000 + b"]}",
        b'{"log":NaN}',
        b'{"log":[[[0,0,0]]],"rule":{"disp":7}}',
        b"<" * 100_000,
        b"<INIT" + b' a="1"' * 50_000,
        b"<INIT" + b" " * 50_000,
        b'<N who="0" m="' + b"9" * 10_000 + b'"/>',
        b"\xef\xbb\xbf<",
    ],
)
def test_absurd_input(data: bytes) -> None:
    """Deep nesting, endless numbers, long runs: refused, and quickly."""
    with pytest.raises(RecordError):
        parse(data, "absurd")
