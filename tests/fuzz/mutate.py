"""Mutations of real shapes: bytes, numbers, words of the format, and subtrees of JSON."""

from __future__ import annotations

import json
import random
import re
from typing import Any

NUMBERS = (
    b"-1", b"0", b"1", b"3", b"4", b"7", b"33", b"34", b"36", b"37", b"99", b"135", b"136", b"255",
    b"256", b"-32768", b"65535", b"65536", b"2147483648", b"-9223372036854775809", b"1e308",
    b"1e999", b"1.5", b"1.0", b"2.0", b"00", b"0x10", b"NaN", b"Infinity", b"9" * 400,
)  # fmt: skip
WORDS = (
    b"INIT", b"AGARI", b"RYUUKYOKU", b"REACH", b"DORA", b"N", b"T0", b"D135", b"E40", b"UN", b"GO",
    b"ten", b"hai", b"seed", b"who", b"fromWho", b"machi", b"sc", b"owari", b"type=\"yao9\"",
    b"tsumo", b"dahai", b"chi", b"pon", b"daiminkan", b"ankan", b"kakan", b"reach",
    b"reach_accepted", b"dora", b"hora", b"ryukyoku", b"start_kyoku", b"start_game", b"end_game",
    b"end_kyoku", b"actor", b"target", b"pai", b"consumed", b"tehais", b"deltas", b"scores",
    b"5mr", b"5m", b"E", b"C", b"?", b"0p", b"8z", b"c111213", b"p404040", b"m39393939", b"r44",
    b"log", b"rule", b"name", b"null", b"true", b"false", b"[]", b"{}", b"\"\"", b"&#38;",
    b"<!DOCTYPE x [<!ENTITY a \"b\">]>", b"<!--", b"]]>", b"\x00", b"\xff", b"\xed\xa0\x80",
    b"\xe3\x80\x80", b"\\ud800", b"\n", b"\r\n", b"<", b">", b"\"", b"'", b",", b"]", b"}",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 4, 0.0, 1.0, 2.0, 37, 60, 2**31, 2**63, -(2**70), 1.5, 1e308,
    float("nan"), "", "?", "5mr", "E", "8z", "x" * 300, "\ud800", [], {}, [[]], [None] * 4,
    [0] * 13, ["?"] * 13, {"type": "tsumo"}, [[[[[[[[[[]]]]]]]]]],
)  # fmt: skip
_NUMBER = re.compile(rb"-?\d+")
_LONGEST = 60_000


def mutate(rng: random.Random, seeds: list[bytes]) -> bytes:
    """One input: a seed with one to a few mutations, most often few."""
    data = rng.choice(seeds)
    for _ in range(1 + int(rng.expovariate(0.8))):
        data = rng.choice(_HOW)(rng, data, seeds)
    return data[:_LONGEST]


def _flip(rng: random.Random, data: bytes, seeds: list[bytes]) -> bytes:
    if not data:
        return b"\x00"
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        out[rng.randrange(len(out))] = rng.randrange(256)
    return bytes(out)


def _number(rng: random.Random, data: bytes, seeds: list[bytes]) -> bytes:
    start = rng.randrange(len(data) + 1)
    found = _NUMBER.search(data, start) or _NUMBER.search(data)
    if found is None:
        return data
    if rng.random() < 0.5:
        new = str(int(found[0][:18]) + rng.choice((-4, -1, 1, 2, 9, 100))).encode()
    else:
        new = rng.choice(NUMBERS)
    return data[: found.start()] + new + data[found.end() :]


def _word(rng: random.Random, data: bytes, seeds: list[bytes]) -> bytes:
    at = rng.randrange(len(data) + 1)
    end = min(len(data), at + rng.choice((0, 0, 1, 3)))
    return data[:at] + rng.choice(WORDS) + data[end:]


def _cut(rng: random.Random, data: bytes, seeds: list[bytes]) -> bytes:
    at = rng.randrange(len(data) + 1)
    if rng.random() < 0.3:
        return data[:at]
    return data[:at] + data[at + rng.randrange(1, 40) :]


def _again(rng: random.Random, data: bytes, seeds: list[bytes]) -> bytes:
    """A piece once more, or moved, or of another seed."""
    source = data if rng.random() < 0.6 else rng.choice(seeds)
    at, to = rng.randrange(len(source) + 1), rng.randrange(len(data) + 1)
    piece = source[at : at + rng.choice((1, 5, 20, 80, 400))]
    return data[:to] + piece * rng.choice((1, 1, 1, 2, 30)) + data[to:]


def _swap(rng: random.Random, data: bytes, seeds: list[bytes]) -> bytes:
    """Two lines, tags or fields change places."""
    mark = rng.choice((b"\n", b"/>", b",", b'"'))
    parts = data.split(mark)
    if len(parts) < 3:
        return data
    i, j = rng.randrange(len(parts)), rng.randrange(len(parts))
    parts[i], parts[j] = parts[j], parts[i]
    return mark.join(parts)


def _drop(rng: random.Random, data: bytes, seeds: list[bytes]) -> bytes:
    """A line, tag or field is lost, or comes twice."""
    mark = rng.choice((b"\n", b"/>", b","))
    parts = data.split(mark)
    at = rng.randrange(len(parts))
    parts[at : at + 1] = [] if rng.random() < 0.6 else [parts[at]] * 2
    return mark.join(parts)


def _tree(rng: random.Random, data: bytes, seeds: list[bytes]) -> bytes:
    """One value of a JSON text, or of one of its lines, becomes another value."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    try:
        value = json.loads(lines[at])
    except (ValueError, RecursionError):
        return _word(rng, data, seeds)
    lines[at] = json.dumps(_changed(rng, value)).encode("utf-8", "surrogatepass")
    return b"\n".join(lines)


def _changed(rng: random.Random, value: Any) -> Any:
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        if rng.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        return value | {key: _changed(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        if rng.random() < 0.1:
            return value[:at] + value[at + 1 :]
        return [*value[:at], _changed(rng, value[at]), *value[at + 1 :]]
    if isinstance(value, int) and rng.random() < 0.5:
        return value + rng.choice((-10, -1, 1, 10, 100))
    return rng.choice(VALUES)


_HOW = (_flip, _number, _number, _word, _cut, _again, _swap, _drop, _tree, _tree)
