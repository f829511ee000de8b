"""Any records become a corpus: splits that a seed fixes, apart by game, date or player."""

from __future__ import annotations

import gzip
import pathlib
import zipfile
from collections import Counter
from itertools import combinations

import pytest
from apps.in_process import haiyomi

from haiyomi.corpus import Corpus
from haiyomi.corpus.partition import By, Shares, date_of, unit, write_split
from haiyomi.corpus.same_game import played_digest, without_copies
from haiyomi.corpus.splits import SPLITS, corpus_files
from haiyomi.corpus.walk import REPEATED
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
    texts = [
        write(simulate_rule_players(5, n, rules=TENHOU_EAST, names=("a", "b", "c", "d")), "mjlog")
        for n in range(2)
    ]
    with zipfile.ZipFile(folder / "more.zip", "w") as archive:
        for number in range(16):
            names = tuple(f"p{(number * 3 + s) % 8}" for s in range(4))
            made = texts[number // 8]
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
    bounds = {"test": (0, 0.25), "valid": (0.25, 0.5), "train": (0.5, 1)}
    for split in SPLITS:
        least, most = bounds[split]
        assert all(least <= unit(1, "game", name) < most for name in found[split])
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


@pytest.mark.parametrize("by", ["game", "date", "player"])
def test_copies_of_a_game_are_in_no_second_split(
    by: By, records: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """A named case: saved from two seats, under another name or in another format, a game was in
    train and in test."""
    shares = Shares(0.2, 0.2)
    write_split(Corpus(records), tmp_path / "once", by, 27, shares)
    copies = tmp_path / "copies"
    copies.mkdir()
    for entry in Corpus(records).entries:
        name = entry.game_name
        (copies / f"{name}&tw=2.mjlog").write_bytes(entry.raw())
        (copies / f"{name}-other.mjlog.gz").write_bytes(gzip.compress(entry.raw()))
        (copies / f"{name}.mjai.mjson").write_text(write(entry.game(), "mjai"), encoding="utf-8")
    (copies / "2017010100gm-bad.mjson").write_text("{}", encoding="utf-8")
    steps: list[tuple[int, int]] = []
    report = write_split(
        Corpus([records, copies]), tmp_path / "my", by, 27, shares, lambda *s: steps.append(s)
    )
    reasons = Counter(reason for _, reason in report.skipped)
    again = [reason for reason in reasons if reason.endswith(", which counts once")]
    assert (reasons[REPEATED], sum(reasons[reason] for reason in again)) == (16, 32)
    kept = names_in(tmp_path / "my")
    found = {s: kept[s] - {"2017010100gm-bad"} for s in SPLITS}
    assert sum(map(len, found.values())) == 16
    if by == "player":
        assert found == names_in(tmp_path / "once") == kept
    games = [
        played_digest(game) for s in SPLITS for _, game in Corpus(tmp_path / "my" / f"{s}.zip")
    ]
    assert len(games) == len(set(games)) == 16
    assert steps[-1][0] == steps[-1][1]


def test_of_one_game_the_record_with_the_most_games_is_kept(tmp_path: pathlib.Path) -> None:
    names = ("a", "b", "c", "d")
    texts = [
        write(simulate_rule_players(7, n, rules=TENHOU_EAST, names=names), "mjai") for n in range(7)
    ]
    held = {"a0": [0], "a1": [1], "a3": [3], "many": [3, 4, 5], "part": [5, 0], "rest": [4, 6]}
    for name, games in held.items():
        (tmp_path / f"{name}.mjson").write_text("".join(texts[n] for n in games))
    kept, copies = without_copies(Corpus(tmp_path).entries)
    assert [entry.game_name for entry in kept] == ["a0", "a1", "many"]
    reasons = {pathlib.Path(label).stem: reason for label, reason in copies}
    assert reasons.keys() == {"a3", "part", "rest"}
    assert all("many.mjson, which counts once" in reason for reason in reasons.values())
    assert [name for name in reasons if "1 other game" in reasons[name]] == ["rest"]


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
    for n in range(9):
        text = write(simulate_rule_players(5, n, rules=TENHOU_EAST), "mjlog")
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
