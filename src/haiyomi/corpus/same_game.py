"""Whether two records are of one game, in whatever formats and under whatever names they come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import blake2b
from urllib.parse import unquote

from haiyomi.corpus.entry import Entry, Skipped
from haiyomi.counted import counted
from haiyomi.errors import RecordError
from haiyomi.events import Chi, Daiminkan, Deal, Discard, Draw, Game, Kakan, Pon
from haiyomi.kernels.mjlog import read_mjlog
from haiyomi.storage.resume import Progress


def played_digest(game: Game) -> bytes:
    """16 bytes, the same for two records of one game, whatever their formats: of who sat there,
    what was dealt and what was drawn, discarded and called."""
    found: list[object] = [game.header.names]
    for hand in game:
        for event in hand.events:
            if isinstance(event, Deal):
                found += [sorted(tile.code for tile in tiles) for tiles in event.hands]
            elif isinstance(event, Draw):
                found.append((int(event.seat), event.tile.code))
            elif isinstance(event, Discard | Chi | Pon | Daiminkan | Kakan):
                found.append((type(event).__name__, int(event.seat), event.tile.code))
    return blake2b(repr(found).encode(), digest_size=16).digest()


def without_copies(
    entries: Sequence[Entry], step: Progress | None = None
) -> tuple[list[Entry], list[Skipped]]:
    """The records without those that hold a game of another, and those with reasons. Of records
    of one game that with the most games is kept, or the first of these.

    A record that cannot be read is kept. ``step(done, total)`` counts records.
    """
    begins: list[tuple[bytes, ...]] = []
    for done, entry in enumerate(entries, 1):
        try:
            begins.append(_begins(entry))
        except RecordError:
            begins.append(())
        if step is not None:
            step(done, len(entries))
    often = Counter(begin for found in begins for begin in found)
    first: dict[bytes, Entry] = {}
    left: dict[int, tuple[Entry, set[bytes]]] = {}
    for at in sorted(range(len(entries)), key=lambda at: -len(begins[at])):
        played: set[bytes] = set()
        if any(often[begin] > 1 for begin in begins[at]):
            with suppress(RecordError):
                played.update(map(played_digest, entries[at].games()))
        again = next((first[game] for game in played if game in first), None)
        if again is None:
            first.update(dict.fromkeys(played, entries[at]))
        else:
            left[at] = again, played
    copies = []
    for at, (again, played) in sorted(left.items()):
        reason = f"holds the game of {again.label}, which counts once"
        if others := len(played - first.keys()):
            reason += f"; {counted(others, 'other game')} of it left out with it"
        copies.append(Skipped(entries[at].label, reason))
    return [entry for at, entry in enumerate(entries) if at not in left], copies


def _begins(entry: Entry) -> tuple[bytes, ...]:
    """A digest of each game's names and first deal: few games share one, and of a record as Tenhou
    writes it the core finds it without making a Game. Raises RecordError."""
    data = entry.unpacked()
    words = None if entry.number else read_mjlog(data)
    if words is not None:
        # Eight words of Start and five of Deal stand before the codes of the four hands.
        return (_begin(map(unquote, words.names), words.words[13:65]),)
    return tuple(
        _begin(
            game.header.names,
            [
                tile.code
                for hand in game.hands[:1]
                for event in hand.events
                if isinstance(event, Deal)
                for tiles in event.hands
                for tile in tiles
            ],
        )
        for game in entry.games_in(data)
    )


def _begin(names: Iterable[str], codes: Iterable[int]) -> bytes:
    return blake2b(repr((*names, sorted(codes))).encode(), digest_size=16).digest()
