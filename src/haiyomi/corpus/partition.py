"""Cuts any records into train, valid and test: by game, by date, or by player; fixed by a seed.

By game: a hash of the seed and the game's name says where a game goes, whatever lies beside it. By
date: the latest days are test, those before them valid. By player: a hash says which players are
test and which valid; a game with a test player is test, else one with a valid player is valid.
So nobody of the test split plays in train or valid.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

import haiyomi
from haiyomi.corpus.entry import Entry, Skipped
from haiyomi.corpus.same_game import without_copies
from haiyomi.corpus.splits import SPLITS, Split
from haiyomi.corpus.walk import Corpus
from haiyomi.errors import DatasetError, RecordError
from haiyomi.logs.containers import write_zip
from haiyomi.storage.resume import Progress
from haiyomi.storage.whole_file import whole_folder, write_json

By: TypeAlias = Literal["game", "date", "player"]
SPLIT_FILE: Final = "split.json"


@dataclass(frozen=True, slots=True)
class Shares:
    """How much of the games goes to valid and to test; the rest is train."""

    valid: float = 0.1
    test: float = 0.1

    def __post_init__(self) -> None:
        if min(self.valid, self.test) < 0 or self.valid + self.test >= 1:
            raise DatasetError(
                f"valid {self.valid:g} and test {self.test:g} leave nothing for train"
            )


@dataclass(frozen=True, slots=True)
class SplitReport:
    """``games`` by split, and the records that were left out with reasons."""

    games: dict[str, int]
    skipped: tuple[Skipped, ...]


def write_split(
    records: Corpus,
    out: Path,
    by: By = "game",
    seed: int = 0,
    shares: Shares | None = None,
    step: Progress | None = None,
) -> SplitReport:
    """Write a corpus folder of ``train.zip``, ``valid.zip`` and ``test.zip``.

    The records are copied byte for byte. Of records of one name the first counts; of those that
    hold one game, in whatever formats, the one with the most games, or whose name sorts first.
    What cannot be opened is left out, by player also what cannot be read. ``step(done, total)``
    counts records. Raises DatasetError where ``out`` is not empty, a split would be empty, or by
    date a record has none.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise DatasetError(f"{out} is there already: name a new folder")
    distinct = records.distinct()
    skipped = list(distinct.skipped)
    skipped += [Skipped(e.label, str(e.fault)) for e in distinct.entries if e.fault is not None]
    chosen = shares or Shares()
    opened = sorted((e for e in distinct.entries if e.fault is None), key=_name)
    entries, copies = without_copies(opened, None if by == "player" else step)
    skipped += copies
    few = f"records ({len(entries)})"
    if by == "date":
        parts = _by_date(entries, chosen)
    elif by == "player":
        parts, players = _by_player(entries, seed, chosen, skipped, step)
        few = f"players ({players})"
    else:
        parts = _by_game(entries, seed, chosen)
    for split in SPLITS:
        if not parts[split]:
            raise DatasetError(
                f"the {split} split would be empty: too few {few} for these shares and this seed"
                + ("; split by game" if by == "player" else "")
            )
    games = {str(split): len(parts[split]) for split in SPLITS}
    with whole_folder(out) as part:
        for split in SPLITS:
            files = ((_file_name(e), e.raw()) for e in sorted(parts[split], key=_name))
            write_zip(part / f"{split}.zip", files)
        how = {"by": by, "seed": seed, "shares": asdict(chosen), "games": games}
        write_json(part / SPLIT_FILE, {"haiyomi": haiyomi.__version__, **how})
    return SplitReport(games, tuple(skipped))


def date_of(name: str) -> str | None:
    """The day, YYYY-MM-DD, in the name of a Tenhou record: ``2017010100gm-...``; else None."""
    digits, mark, _ = name.partition("gm-")
    if not mark or len(digits) != 10 or not digits.isdecimal():
        return None
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:8]}"


def unit(*parts: object) -> float:
    """A number of [0, 1) by a hash of some values; the same on every machine."""
    text = "\0".join(map(str, parts))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big") / 2**56


def _by_game(entries: Iterable[Entry], seed: int, shares: Shares) -> dict[Split, list[Entry]]:
    parts: dict[Split, list[Entry]] = {split: [] for split in SPLITS}
    for entry in entries:
        parts[_place(unit(seed, "game", entry.game_name), shares.valid, shares.test)].append(entry)
    return parts


def _by_date(entries: Sequence[Entry], shares: Shares) -> dict[Split, list[Entry]]:
    """Whole days: valid and test begin with the first day that brings them to their shares."""
    days: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        day = date_of(entry.game_name)
        if day is None:
            raise DatasetError(
                f"{entry.label} has no date in its name (expected 2017010100gm-...): split by "
                "game, or by player where there are many players"
            )
        days[day].append(entry)
    parts: dict[Split, list[Entry]] = {split: [] for split in SPLITS}
    for day in sorted(days, reverse=True):
        if len(parts["test"]) < shares.test * len(entries):
            parts["test"] += days[day]
        elif len(parts["valid"]) < shares.valid * len(entries):
            parts["valid"] += days[day]
        else:
            parts["train"] += days[day]
    return parts


def _by_player(
    entries: Sequence[Entry],
    seed: int,
    shares: Shares,
    skipped: list[Skipped],
    step: Progress | None,
) -> tuple[dict[Split, list[Entry]], int]:
    """The parts, and the number of players."""
    # With chance q of a player, a game of four has a test player with chance 1 - (1 - q)^4.
    test = 1 - (1 - shares.test) ** 0.25
    valid = (1 - shares.test) ** 0.25 - (1 - shares.test - shares.valid) ** 0.25
    parts: dict[Split, list[Entry]] = {split: [] for split in SPLITS}
    players: set[str] = set()
    for done, entry in enumerate(entries, 1):
        try:
            names = [name for game in entry.games() for name in game.header.names if name]
        except RecordError as error:
            skipped.append(Skipped(entry.label, str(error)))
            continue
        names = names or [entry.game_name]  # a game of nobody known is its own player
        players.update(names)
        found = {_place(unit(seed, "player", name), valid, test) for name in names}
        parts[next(s for s in ("test", "valid", "train") if s in found)].append(entry)
        if step is not None:
            step(done, len(entries))
    return parts, len(players)


def _place(number: float, valid: float, test: float) -> Split:
    return "test" if number < test else "valid" if number < test + valid else "train"


def _name(entry: Entry) -> str:
    return entry.game_name


def _file_name(entry: Entry) -> str:
    """The game's name with the ending of its file, so that names stay as they are."""
    return entry.label.replace("\\", "/").rpartition("/")[2]
