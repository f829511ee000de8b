"""Errors: one tree, one sentence, the same after a trip between processes."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

from haiyomi import errors
from haiyomi.counted import counted
from haiyomi.errors import (
    ArgumentError,
    HaiyomiError,
    IllegalError,
    RecordError,
    no_player,
    some_of,
    unreadable,
)

_ALL = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, Exception)]


def test_the_docstring_draws_the_tree_that_is_there() -> None:
    drawn: list[tuple[int, str]] = []
    for line in (errors.__doc__ or "").splitlines():
        if found := re.match(r"    ([│├└─ ]*)([A-Za-z]+Error)\b", line):
            drawn.append((len(found[1]) // 4, found[2]))
    path: list[str] = []
    edges: dict[str, str | None] = {}
    for depth, name in drawn:
        del path[depth:]
        edges[name] = path[-1] if path else None
        path.append(name)
    real = {c.__name__: c.__bases__[0].__name__ for c in _ALL}
    assert edges.pop("HaiyomiError") is None
    del real["HaiyomiError"]
    assert edges == real


def test_a_record_error_is_one_sentence_with_its_place() -> None:
    error = IllegalError("draws a fifth 5m", file="game.mjlog", hand=3, event=41, value="5m")
    assert str(error) == "game.mjlog, hand 3, event 41: draws a fifth 5m (found '5m')"
    assert str(RecordError("the file is empty")) == "the file is empty"
    assert str(RecordError("no tile", event=0)) == "event 0: no tile"


def test_a_number_agrees_with_its_noun() -> None:
    assert [counted(n, "game") for n in (0, 1, 2000)] == ["0 games", "1 game", "2,000 games"]


def test_a_long_value_is_cut() -> None:
    text = str(RecordError("odd", value="x" * 10_000))
    assert len(text) < 120
    assert text.endswith("...)")


@pytest.mark.parametrize("kind", [c for c in _ALL if issubclass(c, RecordError)])
def test_record_errors_keep_their_fields_between_processes(kind: type[RecordError]) -> None:
    error = kind("what", "a.xml", 1, 2, "value")
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is kind
    assert str(back) == str(error)
    assert (back.file, back.hand, back.event, back.value) == ("a.xml", 1, 2, "value")


def test_a_damaged_file_is_named_between_processes() -> None:
    error = errors.DamageError(Path("a.parquet"), "3 bytes")
    back = pickle.loads(pickle.dumps(error))
    assert (str(back), back.file) == ("a.parquet: damaged (3 bytes)", error.file)


@pytest.mark.parametrize("kind", _ALL)
def test_all_are_caught_by_the_root(kind: type[Exception]) -> None:
    assert issubclass(kind, HaiyomiError)
    with pytest.raises(HaiyomiError, match="what happened"):
        raise kind("what happened")


def test_a_wrong_argument_is_a_value_error_too() -> None:
    with pytest.raises(ValueError, match="seat 9"):
        raise ArgumentError("seat 9: expected 0 to 3")


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (FileNotFoundError(2, "No such file or directory"), "no such file or folder"),
        (IsADirectoryError(21, "Is a directory"), "cannot be read: Is a directory"),
        (ValueError("embedded null byte"), "cannot be read: embedded null byte"),
    ],
)
def test_a_file_that_cannot_be_read_has_one_wording(error: OSError | ValueError, why: str) -> None:
    assert unreadable(error) == why


def test_an_event_is_named_in_words() -> None:
    from haiyomi.events import Draw, Pon
    from haiyomi.tiles import Seat, Tile

    pon = Pon(Seat(3), Seat(1), Tile.parse("3m"), (Tile.parse("3m"), Tile.parse("3m")))
    assert str(IllegalError("no such pair", event=7, value=pon)) == (
        "event 7: no such pair (found pon, seat 3, target 1, tile 3m, consumed 3m 3m)"
    )
    drawn = str(IllegalError("no", value=Draw(Seat(0), Tile.parse("0p"), rinshan=True)))
    assert drawn == "no (found draw, seat 0, tile 0p, rinshan)"


def test_a_sentence_lists_ten_names_and_counts_the_rest() -> None:
    assert some_of("abc") == "a, b, c"
    assert some_of(["a\nhaiyomi: b"]) == "a\\nhaiyomi: b"
    assert some_of("abcdefghijkl") == "a, b, c, d, e, f, g, h, i, j and 2 more"
    error = no_player("Zoe", "2 games", ["Dai", "Aoi", "", "Aoi"])
    assert str(error) == "no player is named 'Zoe' in 2 games: the players are Aoi, Dai"
    assert str(no_player("Zoe", "no game", [])) == "no player is named 'Zoe' in no game"


def test_a_wrong_type_is_named_with_its_article() -> None:
    with pytest.raises(ArgumentError, match=r"^f takes a str or an object, not an int$"):
        errors.check_type(1, "f", str, type("object", (), {}))
