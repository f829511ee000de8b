"""``haiyomi play``: games by seed and number, whatever the number of games and processes."""

from __future__ import annotations

import pathlib
import shlex
import sys
from collections.abc import Iterator

import pytest

from haiyomi.apps.cli import main
from haiyomi.corpus import Corpus
from haiyomi.engines import shards
from haiyomi.logs.load import parse
from haiyomi.logs.missing import without
from haiyomi.rules import MAHJONG_SOUL_EAST, TENHOU
from haiyomi.storage.folder_lock import only_writer
from haiyomi.styles.seating import simulate


def play(monkeypatch: pytest.MonkeyPatch, *words: str | pathlib.Path) -> int:
    monkeypatch.setattr(sys, "argv", ["haiyomi", "play", *map(str, words)])
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def files(folder: pathlib.Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir())}


def test_a_game_is_that_of_its_seed_and_number(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    many, later = tmp_path / "many", tmp_path / "later"
    assert play(monkeypatch, "--games", "3", "--seed", "4", "--east", "-o", many) == 0
    assert play(monkeypatch, "--games", "1", "--first", "2", "--seed", "4", "--east",
                "-o", later) == 0  # fmt: skip
    assert len(files(many)) == 3
    assert len(set(files(many).values())) == 3
    assert "1 game written to" in capsys.readouterr().err
    ((name, record),) = files(later).items()
    assert files(many)[name] == record


def test_formats_hold_one_game_and_rules_are_as_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = TENHOU.but(rounds=1, red_fives=False, kuitan=False)
    game = simulate(4, 0, "balanced", rules=rules)
    for form in ("mjlog", "tenhou6", "mjai"):
        capsys.readouterr()
        assert play(monkeypatch, "--seed", "4", "--east", "--no-reds", "--no-kuitan",
                    "--to", form) == 0  # fmt: skip
        found = parse(capsys.readouterr().out.encode())
        assert without(found, form) == without(game, form)


def test_a_record_states_the_rules_of_a_named_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--seed", "4", "--rules", "mahjong-soul", "--east")  # mjlog has no place for them
    assert play(monkeypatch, *words) == 0
    found = parse(capsys.readouterr().out.encode())
    game = simulate(4, 0, "balanced", rules="mahjong-soul-east")
    assert found == without(game, "tenhou6")
    assert found.header.rules == MAHJONG_SOUL_EAST


def test_a_tournament_of_nothing_but_forfeits_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A named case: it ended with status 0."""
    bots = f"random,cmd:{shlex.join([sys.executable, '-c', ''])}"
    assert play(monkeypatch, "--versus", bots, "--east") == 1
    text = capsys.readouterr()
    assert "every game was forfeited" in text.err
    assert "crashed" in text.out


def test_the_records_of_a_tournament_are_in_the_format_asked_for(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("--versus", "random,timid", "--east", "-o", tmp_path, "--records", "--to", "mjai")
    assert play(monkeypatch, *words) == 0
    kept = list(Corpus([tmp_path / "records"]))
    assert len(kept) == 6
    assert all(name.endswith(".mjson") for name, _ in kept)
    names = {name for _, game in kept for name in game.header.names}
    assert names == {"random", "random#2", "timid", "timid#2"}


def test_a_folder_has_one_writer(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("fcntl")
    with only_writer(tmp_path):
        assert play(monkeypatch, "--east", "-o", tmp_path) == 2
    assert "another haiyomi is writing there" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


def test_an_interrupt_says_what_was_done(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*_: object) -> Iterator[tuple[int, int]]:
        yield 0, 10
        raise KeyboardInterrupt

    monkeypatch.setattr(shards, "map_shards", stopped)
    assert play(monkeypatch, "--games", "30", "-o", tmp_path) == 130
    assert "stopped with 10 of 30 games done; run again" in capsys.readouterr().err


def test_what_cannot_be_played_is_one_sentence(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    for words, text in (
        (["--games", "2"], "2 games need a folder"),
        (["--temperature", "0.5"], "--temperature is for players of the imitation"),
        (["--start-seconds", "3"], "--start-seconds and --answer-seconds are for tournaments"),
        (["--versus", "random,balanced", "--temperature", "0"], "--temperature is for bots of the"),
        (["--versus", "random,balanced", "--records"], "--records needs a folder"),
        (["--versus", "random,balanced", "--to", "mjai"], "give --records too"),
        (["--records"], "are for tournaments: give --versus too"),
        (["--games", "2", "-o", "-"], "- is standard input and nothing to write to"),
        (["--styles", "policy:pooled", "--temperature", "nan"], "expected a finite number"),
        (["--styles", "odd"], "odd"),
        (
            ["--rules", "mahjong-soul", "--to", "mjlog"],
            "mjlog has no place for rules mahjong-soul: write --to tenhou6",
        ),
        (["-o", str(tmp_path / "game.mjlog")], "-o names a folder for the records, not a file"),
        (["--games", "2", "-o", str(tmp_path / "file")], "is a file: name a folder"),
    ):
        assert play(monkeypatch, *words) == 2
        error = capsys.readouterr().err
        assert error.startswith("haiyomi: ")
        assert error.count("\n") == 1
        assert text in error
