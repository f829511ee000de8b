"""The sums behind players' styles over many records, counted by several processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from haiyomi.errors import DatasetError, RecordError
from haiyomi.shards import Jobs, map_shards
from haiyomi.styles.statistics import Floats
from haiyomi.styles.tallies import Tallies, is_counted, tallies_of
from haiyomi.training.entries import (
    REPEATED,
    entries_of,
    entry_bytes,
    first_of_each_name,
    game_name,
)

GAMES_A_SHARD = 32
Skipped = tuple[tuple[str, str], ...]
Tallied = list[tuple[str, tuple[str, ...], Floats]]


@dataclass(frozen=True, slots=True)
class Shard:
    """Some entries of one source."""

    source: Path
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """Tallies of all hanchan found, how many games were ``read``, how many of them were no
    hanchan (``other``), and (record, reason) of what was ``skipped``."""

    tallies: Tallies
    read: int
    other: int
    skipped: Skipped


def count_styles(
    records: Sequence[Path],
    engine: Jobs = None,
    progress: Callable[[int, int], None] | None = None,
) -> Counted:
    """Tally every hanchan of some files, folders or zips; the order of games is that of names.

    A record whose name came before is left out. Raises DatasetError where a place does not
    exist or holds no record that can be read.
    """
    seen: set[str] = set()
    shards: list[Shard] = []
    skipped: list[tuple[str, str]] = []
    for source in records:
        if not source.exists():
            raise DatasetError(f"no such file or folder: {source}")
        kept, again = first_of_each_name(entries_of(source), seen, source)
        skipped += [(entry, REPEATED) for entry in again]
        for start in range(0, len(kept), GAMES_A_SHARD):
            shards.append(Shard(source, tuple(kept[start : start + GAMES_A_SHARD])))
    total = sum(len(s.entries) for s in shards)
    if not total:
        raise DatasetError(f"no records in {', '.join(map(str, records))}")
    done = 0
    found: dict[int, tuple[Tallied, int, Skipped]] = {}
    for index, part in map_shards(tally_shard, shards, engine):
        found[index] = part
        done += len(shards[index].entries)
        if progress:
            progress(done, total)
    games = [game for i in sorted(found) for game in found[i][0]]
    other = sum(found[i][1] for i in found)
    skipped += [line for i in sorted(found) for line in found[i][2]]
    if not games and not other:
        raise DatasetError(
            f"no record in {', '.join(map(str, records))} could be read; the first: {skipped[0][1]}"
        )
    return Counted(tallies_of(games), len(games) + other, other, tuple(skipped))


def tally_shard(shard: Shard) -> tuple[Tallied, int, Skipped]:
    """(name, names by seat, sums) of each hanchan, how many games were none, and what could
    not be read."""
    from haiyomi.logs.load import parse_all
    from haiyomi.styles.tally import tally_game

    out: Tallied = []
    other = 0
    skipped: list[tuple[str, str]] = []
    for entry in shard.entries:
        called = shard.source.name if entry == "." else entry
        name = game_name(called)
        try:
            games = parse_all(entry_bytes(shard.source, entry), called)
            found = [
                (number, game.header.names, tally_game(game))
                for number, game in enumerate(games, 1)
                if is_counted(game)
            ]
        except RecordError as error:
            skipped.append((name, str(error)))
            continue
        other += len(games) - len(found)
        for number, names, sums in found:
            inner = name if len(games) == 1 else f"{name}#{number}"
            out.append((inner, names, sums))
    return out, other, tuple(skipped)
