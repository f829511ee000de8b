"""mjlog, Tenhou's JSON and mjai: what is written reads back as the same game."""

from __future__ import annotations

import json
import pathlib
import zipfile
from collections.abc import Iterator
from dataclasses import replace

import pytest
from logs.made_games import FORMATS, made_game

from haiyomi.events import Game
from haiyomi.logs.load import parse, write
from haiyomi.logs.missing import MISSING, without


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("seed", range(12))
def test_made_games(format: str, seed: int) -> None:
    game = made_game(seed)
    text = write(game, format)
    back = parse(text.encode(), "made")
    assert back == without(game, format)
    assert write(back, format) == text


@pytest.mark.parametrize("seed", range(6))
def test_made_games_through_all(seed: int) -> None:
    """A chain of formats loses what its links have no place for, and nothing else."""
    game = made_game(seed)
    there = parse(write(game, "mjlog").encode(), "made")
    assert all(hand.copies is not None for hand in there)
    for format in ("mjai", "tenhou6", "mjai"):
        there = parse(write(there, format).encode(), "made")
        game = without(game, format)
        assert there == game


def test_the_table_names_its_fields() -> None:
    """Each entry of the table names a field and takes away something that is there."""
    assert set(MISSING) == set(FORMATS)
    for entries in MISSING.values():
        for what, drop in entries.items():
            assert "(" in what
            assert callable(drop)


def _corpus_games(corpus: pathlib.Path, step: int) -> Iterator[tuple[str, bytes]]:
    for split in ("train", "valid", "test"):
        with zipfile.ZipFile(corpus / f"{split}.zip") as archive:
            for entry in archive.namelist()[::step]:
                yield entry, archive.read(entry)


def _check(name: str, data: bytes) -> None:
    game = parse(data, name)
    for format in FORMATS:
        back = parse(write(game, format).encode(), name)
        assert back == without(game, format), (name, format)
        if format == "mjlog":
            assert [h.copies for h in back] == [h.copies for h in game], name
            assert back.absences == game.absences, name
    bare = replace(game, hands=tuple(replace(h, copies=None) for h in game.hands))
    assert parse(write(bare, "mjlog").encode(), name) == game, name


@pytest.mark.corpus
def test_corpus_sample(corpus: pathlib.Path) -> None:
    """Every fortieth real game, through every format."""
    for name, data in _corpus_games(corpus, 40):
        _check(name, data)


@pytest.mark.corpus
@pytest.mark.slow
def test_corpus_whole(corpus: pathlib.Path) -> None:
    """Every real game, through every format."""
    n = 0
    for name, data in _corpus_games(corpus, 1):
        _check(name, data)
        n += 1
    assert n == 3018


@pytest.mark.corpus
def test_mjlog_text_is_kept(corpus: pathlib.Path) -> None:
    """Draws, discards, calls (but a concealed kan's) and indicators come back tag for tag."""
    import re

    def turns(text: str) -> list[str]:
        tags = re.findall(r"<((?:[TUVWDEFG]\d+)|N [^/]*?|DORA [^/]*?|BYE [^/]*?) ?/>", text)
        return [t for t in tags if not (t.startswith("N ") and _concealed(t))]

    def _concealed(tag: str) -> bool:
        code = int(tag.split('m="')[1].rstrip('" '))
        return code & 0x3F == 0

    for name, data in _corpus_games(corpus, 100):
        assert turns(write(parse(data, name), "mjlog")) == turns(data.decode()), name


@pytest.mark.corpus
def test_edge_files(oracles: pathlib.Path) -> None:
    """The 20 files of Tenhou's JSON parse, and their rows come back number for number."""
    files = sorted((oracles / "tenhou6").glob("*.json"))
    assert len(files) == 20
    for file in files:
        game = parse(file.read_bytes(), file.name)
        written = json.loads(write(game, "tenhou6"))["log"]
        result = json.loads(file.read_text(encoding="utf-8"))["log"]
        assert [hand[:3] + hand[4:16] for hand in written] == [
            hand[:3] + hand[4:16] for hand in result
        ], file.name
        for format in ("mjai", "tenhou6"):
            assert parse(write(game, format).encode(), file.name) == without(game, format)


def test_without_keeps_the_rest() -> None:
    game = made_game(3)
    assert without(game, "mjlog") == game
    lean: Game = without(game, "mjai")
    assert [len(h.events) for h in lean] == [len(h.events) for h in game]
