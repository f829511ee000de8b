"""Names of output files: what every system takes, and no two alike."""

from __future__ import annotations

import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haiyomi.apps.output_names import MOST_BYTES, OutputNames, portable


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("game", "game"),
        ("東風戦 1", "東風戦 1"),
        ("a\x1b[31mb", "a_[31mb"),
        ('<a>:"|?*', "_a______"),
        ("CON", "_CON"),
        ("lpt1.txt", "_lpt1.txt"),
        ("console", "console"),
        (" ..game.. ", "game"),
        ("", "record"),
        ("...", "record"),
    ],
)
def test_what_some_system_refuses_is_replaced(name: str, expected: str) -> None:
    assert portable(name) == expected


@given(st.text(max_size=300))
def test_every_name_fits_and_is_kept_as_it_is_the_second_time(name: str) -> None:
    made = portable(name)
    assert made
    assert made.isprintable()
    assert len(made.encode()) <= MOST_BYTES + 1
    assert not set(made) & set('<>:"/\\|?*')
    assert made == made.strip(". ")
    assert portable(made) == made


def test_names_are_recordsonce_whatever_the_case(tmp_path: pathlib.Path) -> None:
    names = OutputNames(tmp_path, ".mjson", (".gz", ".mjlog"))
    records = ["a/b/Game.mjlog", "c\\game.mjlog", "GAME", "game-2", "other.mjlog.gz"]
    files = [names.file(n) for n in records]
    assert all(f.parent == tmp_path and f.suffix == ".mjson" for f in files)
    assert [f.stem for f in files] == ["Game", "game-2", "GAME-3", "game-2-2", "other"]
    assert len({f.name.casefold() for f in files}) == len(files)
