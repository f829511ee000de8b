"""A study in a folder: what was answered stays answered, and the folder belongs to one function."""

from __future__ import annotations

import io
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable
from functools import partial, reduce, wraps
from typing import Any

import numpy as np
import pytest
from corpus.studied import answer, no_json
from logs.made_games import made_game

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.corpus import Corpus
from haiyomi.corpus.study_folder import _named
from haiyomi.errors import ArgumentError, DatasetError, HaiyomiError
from haiyomi.events import Game
from haiyomi.logs.load import write

NAMES = [f"{number:02}" for number in range(19)]


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """20 records, three pieces, of which the last cannot be read."""
    place = tmp_path / "records"
    place.mkdir()
    text = write(made_game(0, hands=1), "mjlog")
    for name in NAMES:
        (place / f"{name}.mjlog").write_text(text, encoding="utf-8")
    (place / "19.mjlog").write_text("hello", encoding="utf-8")
    return place


def one(name: str, game: Game) -> int:
    return 1


@pytest.mark.parametrize("engine", [1, 2])
def test_a_study_goes_on_where_it_was_stopped(folder: pathlib.Path, engine: int) -> None:
    out, notes = folder.parent / "study", folder.parent / "notes"
    function = partial(answer, notes)
    with pytest.raises(RuntimeError, match="stopped here"):
        Corpus(folder).map(function, engine, out=out)
    corpus, seen = Corpus(folder), list[tuple[int, int]]()
    made = corpus.map(function, engine, lambda *at: seen.append(at), out)
    assert made == [[name, {"1": 1}] for name in NAMES]
    assert [line.name for line in corpus.skipped] == [f"{folder}/19.mjlog"]
    assert seen[-1] == (20, 20)
    asked = notes.read_text().split()
    assert set(asked) == set(NAMES)
    # The first piece was done before the stop with one process, or with two.
    assert seen[0][0] >= 8
    assert asked.count("00") == 1

    notes.unlink()
    again = Corpus(folder)
    assert again.map(function, engine, out=out) == made
    assert again.skipped == corpus.skipped
    assert not notes.exists()
    (out / "00000001.json").write_text("{}", encoding="utf-8")
    assert again.map(function, engine, out=out) == made
    assert notes.read_text().split() == NAMES[8:16]


def test_a_study_belongs_to_its_records_and_its_function(folder: pathlib.Path) -> None:
    out, notes = folder.parent / "study", folder.parent / "notes"
    corpus = Corpus(folder)
    assert corpus.map(one, out=str(out)) == [1] * 19
    other = r"\(arguments_sha256, function, source_sha256\): name another"
    with pytest.raises(DatasetError, match=other):
        corpus.map(partial(answer, notes), out=out)
    with pytest.raises(DatasetError, match=r"\(records, records_sha256\)"):
        corpus.first(9).map(one, out=out)
    (folder / "00.mjlog").write_text("hello", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"\(records_sha256\)"):
        Corpus(folder).map(one, out=out)


def test_answers_that_are_no_json_and_functions_without_a_source_are_refused(
    folder: pathlib.Path,
) -> None:
    out = folder.parent / "study"
    with pytest.raises(ArgumentError, match=r"cannot be stored as JSON .*: answer with Pyth"):
        Corpus(folder).map(no_json, engine=2, out=out)
    with pytest.raises(ArgumentError, match="let it stand in a file"):
        Corpus(folder).map(print, out=folder.parent / "other")
    with pytest.raises(DatasetError, match="neither empty nor a study"):
        Corpus(folder).map(one, out=folder.parent)
    # A named case: the answers counted as records when the study was run again.
    for inside in (folder, folder / "study"):
        with pytest.raises(HaiyomiError, match="which is read: name a place outside"):
            Corpus(folder).map(one, out=inside)


def noted(function: Callable[..., int]) -> Callable[..., int]:
    @wraps(function)
    def wrapped(*given: object) -> int:
        return function(*given)

    return wrapped


class Adding:
    def __init__(self, number: int) -> None:
        self.number = number

    def __repr__(self) -> str:
        return f"Adding({self.number})"

    def to(self, name: str, game: Game) -> int:
        return self.number

    @noted
    def noted_to(self, name: str, game: Game) -> int:
        return self.number


def adding(number: int) -> Callable[[str, Game], int]:
    return lambda name, game: number


@pytest.mark.parametrize("made", [adding, lambda n: Adding(n).to, lambda n: Adding(n).noted_to])
def test_what_a_function_takes_from_around_it_belongs_to_the_study(
    folder: pathlib.Path, made: Callable[[int], Callable[[str, Game], int]]
) -> None:
    """The second one got the answers of the first."""
    out = folder.parent / "study"
    for _ in range(2):
        assert Corpus(folder).map(made(1), out=out) == [1] * 19
    with pytest.raises(DatasetError, match=r"\(arguments_sha256\)"):
        Corpus(folder).map(made(2), out=out)


def summed(weights: Any, name: str, game: Game) -> float:
    return float(weights.sum())


def differs(other: Game, name: str, game: Game) -> bool:
    return other != game


def test_arguments_of_the_same_repr_aredigest_of_value_apart(folder: pathlib.Path) -> None:
    """The second call got the answers of the first."""
    zeros, sevens = np.zeros(5000), np.zeros(5000)
    sevens[2000] = 7
    assert repr(zeros) == repr(sevens)
    out = folder.parent / "study"
    for _ in range(2):
        assert Corpus(folder).map(partial(summed, zeros), out=out) == [0.0] * 19
    with pytest.raises(DatasetError, match=r"\(arguments_sha256\)"):
        Corpus(folder).map(partial(summed, sevens), out=out)
    one, two = (made_game(seed, hands=1) for seed in (0, 1))
    assert repr(one) == repr(two)
    games = folder.parent / "games"
    assert Corpus(folder).map(partial(differs, one), out=games) == [False] * 19
    with pytest.raises(DatasetError, match=r"\(arguments_sha256\)"):
        Corpus(folder).map(partial(differs, two), out=games)


def asked(analyzer: Analyzer, name: str, game: Game) -> int:
    return analyzer.seed


def test_an_analyzer_is_an_argument_and_what_cannot_be_pickled_is_refused(
    folder: pathlib.Path,
) -> None:
    """The folder never resumed: the repr of an Analyzer has its address."""
    out = folder.parent / "study"
    for _ in range(2):
        assert Corpus(folder).map(partial(asked, Analyzer(seed=5)), out=out) == [5] * 19
    with pytest.raises(DatasetError, match=r"\(arguments_sha256\)"):
        Corpus(folder).map(partial(asked, Analyzer(seed=6)), out=out)
    with pytest.raises(ArgumentError, match="a generator cannot be stored"):
        Corpus(folder).map(partial(one, (n for n in range(3))), out=folder.parent / "other")


def calling(what: Callable[[int], int], name: str, game: Game) -> int:
    return what(1)


def inner(number: int) -> Callable[[int], int]:
    return lambda _: number


def by_default(number: int) -> Callable[[str, Game], int]:
    def answer(name: str, game: Game, number: int = number) -> int:
        return number

    return answer


def with_module(number: int) -> Callable[[str, Game], int]:
    import math

    return lambda name, game: math.floor(number)


def two(a: object, b: int = 0, name: str = "", game: Game | None = None) -> int:
    return b


class Held:
    def __init__(self, number: int) -> None:
        self.number = number

    def get(self, _: int) -> int:
        return self.number


@pytest.mark.parametrize(
    "made",
    [
        lambda n: partial(calling, Held(n).get),
        lambda n: partial(calling, inner(n)),
        lambda n: partial(calling, {1: n}.get),
        lambda n: partial(calling, partial(max, n)),
        by_default,
        with_module,
    ],
    ids=["method", "inner", "method of C", "partial", "default", "module"],
)
def test_functions_that_differ_in_what_they_work_with_aredigest_of_value_apart(
    folder: pathlib.Path, made: Callable[[int], Callable[[str, Game], int]]
) -> None:
    """The second study got the answers of the first: their functions have one name."""
    out = folder.parent / "study"
    for _ in range(2):
        assert Corpus(folder).map(made(4), out=out) == [4] * 19
    with pytest.raises(DatasetError, match=r"\(arguments_sha256\)"):
        Corpus(folder).map(made(5), out=out)


def test_an_argument_by_its_name_is_another_than_one_by_its_place() -> None:
    calls = (
        partial(two, "a", 1),
        partial(two, a=1),
        partial(two, a="a", b=1),
        partial(two, a="b", b=1),
        partial(two, {"a": 1, "b": 2}),
        partial(two, {"b": 2, "a": 1}),
    )
    assert len({_named(call)["arguments_sha256"] for call in calls}) == len(calls)
    assert _named(partial(two, b=1, a="a")) == _named(calls[2])


def counting(most: int) -> Callable[[str, Game], int]:
    def down(number: int) -> int:
        return down(number - 1) + 1 if number else 0

    return lambda name, game: down(most)


def test_a_function_that_calls_itself_isdigest_of_value(folder: pathlib.Path) -> None:
    out = folder.parent / "study"
    for _ in range(2):
        assert Corpus(folder).map(counting(3), out=out) == [3] * 19
    with pytest.raises(DatasetError, match=r"\(arguments_sha256\)"):
        Corpus(folder).map(counting(4), out=out)


def test_an_inner_function_without_a_source_is_refused(folder: pathlib.Path) -> None:
    made: dict[str, Callable[[int], int]] = {}
    exec("made['f'] = lambda number: number", {"made": made})
    with pytest.raises(ArgumentError, match="and a function cannot be stored"):
        Corpus(folder).map(partial(calling, made["f"]), out=folder.parent / "study")


PROGRAM = """
from haiyomi.analysis.analyzer import Analyzer
from haiyomi.corpus.value_digest import digest_of_value
from haiyomi.play.decision import decisions
from haiyomi.play.demo import demo_game
used = Analyzer(parts=["outcomes"])
if USE:
    used.outcomes([next(iter(decisions(demo_game())))])
print(digest_of_value((used, {"one", "two", "three", "four"}, int.bit_length, demo_game())).hex())
"""


def test_a_value_isdigest_of_value_alike_in_every_process() -> None:
    """Sets of texts are not in one order, and an Analyzer loads networks when it is used."""
    printed = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM.replace("USE", use)],
            env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True, text=True,
        ).stdout
        for use, seed in (("False", "1"), ("True", "2"))
    }  # fmt: skip
    assert len(printed) == 1


def nested(name: str, game: Game) -> list[Any]:
    return list(reduce(lambda inner, _: [inner], range(100_000), [1]))


def not_text(name: str, game: Game) -> str:
    return "\udcff"


@pytest.mark.parametrize(("function", "why"), [(nested, "nested too deep"), (not_text, "surrogat")])
def test_answers_too_deep_or_not_in_unicode_are_refused(
    folder: pathlib.Path, function: Callable[[str, Game], Any], why: str
) -> None:
    """They ended in RecursionError and UnicodeEncodeError, and the folder was no more use."""
    with pytest.raises(ArgumentError, match=rf"cannot be stored as JSON \(.*{why}"):
        Corpus(folder).map(function, out=folder.parent / "study")
    assert Corpus(folder).map(one, out=folder.parent / "study") == [1] * 19


def test_records_of_standard_input_aredigest_of_value_apart(
    folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = folder.parent / "study"
    for seed in (0, 1):
        text = write(made_game(seed, hands=1), "mjlog").encode()
        stream = io.TextIOWrapper(io.BytesIO(text))
        monkeypatch.setattr("sys.stdin", stream)
        corpus = Corpus("-")
        if seed:
            with pytest.raises(DatasetError, match=r"\(records_sha256\)"):
                corpus.map(one, out=out)
        else:
            assert corpus.map(one, out=out) == [1]
