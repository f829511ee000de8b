"""The Corpus: records of files, folders and zips, walked in one order by any process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeAlias, TypeVar, overload

from haiyomi.corpus.entry import Entry, Skipped
from haiyomi.corpus.listing import entries_in, entries_of
from haiyomi.engines.shards import Engine, Jobs, map_in_order
from haiyomi.errors import DatasetError, FormatError, PositionError, RecordError
from haiyomi.logs.containers import Budget

if TYPE_CHECKING:
    from haiyomi.events import Game
    from haiyomi.storage.resume import Progress

R = TypeVar("R")
T = TypeVar("T")
Source: TypeAlias = str | Path
REPEATED = "another record before it has the same name"
"""Why a record is left out of tables: rows name their game by it, so a name is one record's."""


class Corpus:
    """The game records of some paths, in a fixed order: path by path, by place within each.

    A path is a file, a folder (with the folders and zips in it), a zip, ``-`` for standard input,
    or a pasted ``https://tenhou.net/6/#json=...`` address. Of folders and zips, hidden files and
    files named as something else (``README.md``, ``index.csv``) are left out::

        corpus = Corpus("records")
        for name, game in corpus:
            ...
        print(len(corpus), "records;", corpus.skipped)

    A corpus only lists its records: it is small, can be pickled, and is opened by whatever process
    walks it. What cannot be read is left out, and listed in ``skipped`` after the walk. ``len``
    counts records, of which a few formats hold several games each.

    Raises DatasetError where a path does not exist or cannot be opened; with ``strict=False``
    such a path counts as a record that cannot be read. A record whose name is not valid UTF-8 is
    left out; with ``strict=False`` it is read.
    """

    def __init__(self, paths: Source | Sequence[Source], *, strict: bool = True) -> None:
        self.entries: tuple[Entry, ...] = ()
        self.skipped: list[Skipped] = []
        self.budget: Budget | None = None
        listed: list[Entry] = []
        for path in [paths] if isinstance(paths, str | Path) else paths:
            try:
                found = entries_of(path)
            except RecordError as error:
                if strict:
                    raise DatasetError(str(error)) from None
                found = [Entry(str(path), fault=error)]
            listed += map(_as_text, found) if strict else found
        self.entries = tuple(listed)

    @classmethod
    def of_entries(cls, entries: Sequence[Entry]) -> Self:
        """A corpus of just these records."""
        corpus = cls(())
        corpus.entries = tuple(entries)
        return corpus

    @classmethod
    def of_bytes(cls, name: str, data: bytes, limit: int) -> Self:
        """The records in some bytes, called ``name``, which may unpack to ``limit`` bytes in all.

        Raises RecordError: SizeError where a zip lists more.
        """
        budget = Budget(limit, 0)
        corpus = cls.of_entries(entries_in(name, data, budget))
        corpus.budget = budget
        return corpus

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        sources = ", ".join(repr(source) for source in self.sources)
        return f"Corpus({sources}: {len(self)} records)"

    @property
    def sources(self) -> tuple[str, ...]:
        """The paths that have records, in order."""
        return tuple(dict.fromkeys(entry.source for entry in self.entries))

    @property
    def is_container(self) -> bool:
        """Whether a path is a folder or a zip, so that there may be many records."""
        return any(entry.file or entry.inner for entry in self.entries)

    def __iter__(self) -> Iterator[tuple[str, Game]]:
        """(name, game) of every game that can be read; ``skipped`` begins anew."""
        self.skipped = []
        for entry, game in self.games_and_errors():
            if isinstance(game, RecordError):
                self.skipped.append(Skipped(entry.name, str(game)))
            else:
                yield entry.name, game

    @overload
    def games_and_errors(self) -> Iterator[tuple[Entry, Game | RecordError]]: ...

    @overload
    def games_and_errors(
        self, short: Callable[[bytes], T | None]
    ) -> Iterator[tuple[Entry, Game | T | RecordError]]: ...

    def games_and_errors(
        self, short: Callable[[bytes], T | None] | None = None
    ) -> Iterator[tuple[Entry, Game | T | RecordError]]:
        """Every game, or the error that says why a record cannot be read.

        The entry of one game of several has its number. ``short`` makes what is wanted of a record
        without making a Game of it, or answers None: then the record is read.
        """
        budget = self.budget or Budget()
        for entry in self.entries:
            try:
                data = entry.unpacked(budget)
                if short is not None and not entry.number and (made := short(data)) is not None:
                    yield entry, made
                    continue
                games = entry.games_in(data)
            except RecordError as error:
                yield entry, error
                continue
            if len(games) == 1:
                yield entry, games[0]
                continue
            for number, game in enumerate(games, 1):
                yield _numbered(entry, number), game

    def distinct(self) -> Self:
        """The records whose games' names are new; the others stand in its ``skipped``. One game
        under two names is two here, and one for ``haiyomi corpus split``."""
        seen: set[str] = set()
        kept: list[Entry] = []
        repeated: list[Skipped] = []
        for entry in self.entries:
            if entry.game_name in seen:
                repeated.append(Skipped(entry.label, REPEATED))
            else:
                kept.append(entry)
            seen.add(entry.game_name)
        corpus = self.of_entries(kept)
        corpus.skipped = repeated
        return corpus

    def where(self, keep: Callable[[Entry], bool]) -> Self:
        """The records that ``keep`` chooses."""
        corpus = self.of_entries([entry for entry in self.entries if keep(entry)])
        corpus.skipped = self.skipped
        return corpus

    def first(self, count: int | None) -> Self:
        """The first ``count`` records of each source; None is all of them."""
        if count is None:
            return self
        seen = dict.fromkeys(self.sources, 0)

        def is_early(entry: Entry) -> bool:
            seen[entry.source] += 1
            return seen[entry.source] <= count

        return self.where(is_early)

    def pieces(self, size: int) -> list[Self]:
        """The corpus in pieces of at most ``size`` records of one source each."""
        out: list[list[Entry]] = []
        for entry in self.entries:
            if out and len(out[-1]) < size and out[-1][0].source == entry.source:
                out[-1].append(entry)
            else:
                out.append([entry])
        return [self.of_entries(entries) for entries in out]

    def map_pieces(
        self,
        function: Callable[[Corpus], R],
        size: int,
        engine: Jobs = None,
        progress: Progress | None = None,
    ) -> list[R]:
        """The result of ``function`` for each piece, in the order of the corpus.

        ``function`` is importable by name, or a ``functools.partial`` of such a one.
        ``progress(done, total)`` counts records. Raises as ``shards.map_shards``.
        """
        if progress:
            progress(0, len(self))
        return map_in_order(function, self.pieces(size), engine, progress, len)

    def map_rows(
        self,
        rows: Callable[[str, Game], T],
        size: int,
        engine: Jobs = None,
        progress: Progress | None = None,
    ) -> tuple[list[T], list[Skipped]]:
        """What ``rows_of`` makes of all records, in pieces of ``size``, and all that was left out,
        also before. Arguments as of ``map_pieces``."""
        parts = self.map_pieces(partial(rows_of, rows=rows), size, engine, progress)
        made = [one for found, _ in parts for one in found]
        return made, [*self.skipped, *(line for _, skipped in parts for line in skipped)]

    def map(
        self,
        function: Callable[[str, Game], T],
        engine: Jobs | str = 1,
        progress: Progress | None = None,
        out: Source | None = None,
    ) -> list[T]:
        """``function(name, game)`` of every game that can be read, in the order of the corpus;
        ``progress(done, total)`` counts records.

        ``out``: a folder for the answers; a walk that was killed goes on there, and one that was
        finished is read from it. The answers are JSON then: a tuple becomes a list, the keys of a
        dict become texts. The folder belongs to these records, this version and this function, by
        its source without that of what it calls, and by a partial's arguments, a method's
        object, defaults and what an inner function takes from around it, all by what is in them.

        ``engine``: how many processes of this machine work (None: one a processor), or an engine
        by name: ``ray``, ``ray://HOST:PORT``, ... With more than one process ``function`` is
        importable by name, or a ``functools.partial`` of such a one. A record for which it raises
        RecordError or PositionError is skipped; another exception ends the walk, with a note that
        names the record. Raises HaiyomiError for an engine that does not exist, for a function
        that cannot be imported, where workers are lost, and where ``out`` lies in a folder of the
        corpus; with ``out`` DatasetError where the folder holds something else or cannot be
        written, ArgumentError for answers that are no JSON, for a function whose source cannot be
        read, and for arguments that cannot be pickled.
        """
        where = Engine.parse(engine) if isinstance(engine, str) else engine
        answers = partial(_apply, function)
        if out is not None:
            from haiyomi.corpus.study_folder import study

            pieces = self.pieces(_GAMES_A_PIECE)
            made, self.skipped = study(function, answers, self, pieces, Path(out), where, progress)
            return made
        parts = self.map_pieces(answers, _GAMES_A_PIECE, where, progress)
        self.skipped = [line for _, skipped in parts for line in skipped]
        return [made for results, _ in parts for made in results]

    def sha256(self) -> str:
        """A digest of what the corpus holds: of a lone file its bytes, of a folder the files of its
        records by place. A file that cannot be read counts as such: another digest is due once it
        can be."""
        import hashlib

        digest = hashlib.sha256()
        places = {entry.path: entry.place if entry.file else "" for entry in self.entries}
        for path, place in places.items():
            if place:
                digest.update(f"{place}\0".encode("utf-8", "surrogateescape"))
            try:
                with path.open("rb") as stream:
                    while block := stream.read(1 << 20):
                        digest.update(block)
            except OSError:
                digest.update(b"\0unreadable\0")
        return digest.hexdigest()


_GAMES_A_PIECE = 8


def _apply(function: Callable[[str, Game], T], piece: Corpus) -> tuple[list[T], list[Skipped]]:
    """What a function makes of the games of a piece, and what was left out."""
    made: list[T] = []
    skipped: list[Skipped] = []
    for entry, game in piece.games_and_errors():
        try:
            if isinstance(game, RecordError):
                raise game
            made.append(function(entry.name, game))
        except (RecordError, PositionError) as error:
            skipped.append(Skipped(entry.name, str(error)))
        except Exception as error:
            error.add_note(f"in the record {entry.name}")
            raise
    return made, skipped


def _numbered(entry: Entry, number: int) -> Entry:
    return replace(entry, number=number)


def _as_text(entry: Entry) -> Entry:
    """The entry; one that cannot be read where its place is not valid UTF-8, because places stand
    in manifests and tables, which are text."""
    try:
        entry.place.encode()
    except UnicodeEncodeError:
        place = os.fsencode(entry.place).decode("utf-8", "backslashreplace")
        named = Entry(entry.source, place)
        fault = FormatError("its name is not valid UTF-8: rename it", named.name)
        return replace(named, fault=fault)
    return entry


def rows_of(piece: Corpus, rows: Callable[[str, Game], T]) -> tuple[list[T], tuple[Skipped, ...]]:
    """What ``rows`` makes of each game for a table, of its name and itself; and the records that
    cannot be read or do not replay.

    Names and reasons do not contain the place of the corpus: tables are the same everywhere.
    """
    parts: list[T] = []
    skipped: list[Skipped] = []
    for entry, game in piece.games_and_errors():
        try:
            if isinstance(game, RecordError):
                raise game
            parts.append(rows(entry.game_name, game))
        except (RecordError, PositionError) as error:
            if isinstance(error, RecordError):
                error.file = entry.label
            skipped.append(Skipped(entry.game_name, str(error)))
    return parts, tuple(skipped)
