"""Any records become a corpus: splits that a seed fixes, apart by game, date or player."""

from __future__ import annotations

import pathlib
import zipfile
from itertools import combinations

import pytest
from apps.in_process import haiyomi

from haiyomi.corpus import Corpus
from haiyomi.corpus.partition import Shares, date_of, unit, write_split
from haiyomi.corpus.splits import SPLITS, corpus_files
from haiyomi.errors import DatasetError
from haiyomi.logs.load import write
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.rules import TENHOU_EAST

HALVES = Shares(0.25, 0.25)


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Sixteen games of eight players in four days, in a folder, a folder in it, and a zip."""
    folder = tmp_path_factory.mktemp("records")
    (folder / "inner").mkdir()
    text = write(
        simulate_rule_players(5, 0, rules=TENHOU_EAST, names=("a", "b", "c", "d")), "mjlog"
    )
    with zipfile.ZipFile(folder / "more.zip", "w") as archive:
        for number in range(16):
            names = tuple(f"p{(number * 3 + s) % 8}" for s in range(4))
            made = text
            for old, new in zip("abcd", names, strict=True):
                made = made.replace(f'="{old}"', f'="{new}"')
            name = f"201701{number // 4 + 1:02d}{number:02d}gm-0089-0000-{number:08x}.mjlog"
            if number < 12:
                (folder / ("inner" if number % 2 else ".") / name).write_text(made)
            else:
                archive.writestr(name, made)
    return folder


def names_in(folder: pathlib.Path) -> dict[str, set[str]]:
    return {s: {e.game_name for e in Corpus(folder / f"{s}.zip").entries} for s in SPLITS}


def test_each_game_is_in_one_split_with_its_bytes(
    records: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    report = write_split(Corpus(records), tmp_path / "my", seed=1, shares=HALVES)
    found = names_in(tmp_path / "my")
    assert {s: len(n) for s, n in found.items()} == report.games
    assert sum(report.games.values()) == len(set().union(*found.values())) == 16
    assert corpus_files(tmp_path / "my") == {s: [tmp_path / "my" / f"{s}.zip"] for s in SPLITS}
    given = {e.game_name: e.raw() for e in Corpus(records).entries}
    for split in SPLITS:
        for entry in Corpus(tmp_path / "my" / f"{split}.zip").entries:
            assert entry.raw() == given[entry.game_name]


@pytest.mark.parametrize("by", ["game", "player"])
def test_a_seed_fixes_the_splits_wherever_the_records_lie(
    by: str, records: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    out = []
    for number, seed in enumerate((27, 27, 36)):
        sources = [records] if number == 0 else [records / "more.zip", *records.rglob("*.mjlog")]
        write_split(Corpus(sources), tmp_path / str(number), by, seed, HALVES)  # type: ignore[arg-type]
        out.append(names_in(tmp_path / str(number)))
    assert out[0] == out[1] != out[2]
    for split in SPLITS:
        first, second = (tmp_path / n / f"{split}.zip" for n in "01")
        assert first.read_bytes() == second.read_bytes()


def test_by_game_a_game_stays_where_it_is_when_others_come(
    records: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    write_split(Corpus(records), tmp_path / "all", seed=1, shares=HALVES)
    write_split(Corpus(records / "inner"), tmp_path / "some", seed=1, shares=Shares(0.3, 0.3))
    some, every = names_in(tmp_path / "some"), names_in(tmp_path / "all")
    assert every["test"] & set().union(*some.values()) <= some["test"]


def test_by_date_the_latest_days_are_test(records: pathlib.Path, tmp_path: pathlib.Path) -> None:
    write_split(Corpus(records), tmp_path / "my", "date", shares=HALVES)
    days = {s: {date_of(n) for n in names} for s, names in names_in(tmp_path / "my").items()}
    assert days == {
        "train": {"2017-01-01", "2017-01-02"},
        "valid": {"2017-01-03"},
        "test": {"2017-01-04"},
    }


def test_by_player_nobody_of_test_plays_elsewhere(
    records: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    write_split(Corpus(records), tmp_path / "my", "player", 27, HALVES)
    players = {
        s: [set(g.header.names) for _, g in Corpus(tmp_path / "my" / f"{s}.zip")] for s in SPLITS
    }
    held = {p for p in set().union(*players["test"]) if unit(27, "player", p) < 1 - 0.75**0.25}
    assert held
    assert all(game & held for game in players["test"])
    for split in ("train", "valid"):
        assert not any(game & held for game in players[split])


def test_what_cannot_be_is_one_sentence(records: pathlib.Path, tmp_path: pathlib.Path) -> None:
    for a, b in combinations((0.5, 0.6), 2):
        with pytest.raises(DatasetError, match="leave nothing for train"):
            Shares(a, b)
    with pytest.raises(DatasetError, match="the test split would be empty"):
        write_split(Corpus(records), tmp_path / "none", shares=Shares(0.1, 0.0))
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "x").touch()
    with pytest.raises(DatasetError, match="name a new folder"):
        write_split(Corpus(records), tmp_path / "there")
    (tmp_path / "dateless.mjlog").write_bytes(next(records.glob("*.mjlog")).read_bytes())
    with pytest.raises(DatasetError, match="no date in its name"):
        write_split(Corpus(tmp_path / "dateless.mjlog"), tmp_path / "none", "date")
    assert not (tmp_path / "none").exists()


def test_games_of_four_players_are_too_few_to_split_by_player(tmp_path: pathlib.Path) -> None:
    """A named case: of 60 games of the same four, the error said that 60 records are too few."""
    text = write(simulate_rule_players(5, 0, rules=TENHOU_EAST), "mjlog")
    for n in range(9):
        (tmp_path / f"{n}.mjlog").write_text(text, encoding="utf-8")
    message = r"would be empty: too few players \(4\) for .*; split by game$"
    with pytest.raises(DatasetError, match=message):
        write_split(Corpus(tmp_path), tmp_path / "none", "player")


def test_the_command_lists_what_it_leaves_out(
    records: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    bad = tmp_path / "bad.mjlog"
    bad.write_text("no record")
    arguments = ("--by", "player", "--seed", "27", "--valid", "0.25", "--test", "0.25")
    done = haiyomi(
        "corpus", "split", str(records), str(bad), "-o", str(tmp_path / "my"), *arguments
    )
    assert done.returncode == 1
    assert done.stdout.startswith("16 records (")
    assert "bad.mjlog" in done.stdout
    made = haiyomi("verify", str(tmp_path / "my"))
    assert (made.returncode, "split.json" in made.stdout) == (0, False)
    inside = haiyomi("corpus", "split", str(records), "-o", str(records / "my"))
    assert inside.returncode == 2
    assert "lies in" in inside.stderr
