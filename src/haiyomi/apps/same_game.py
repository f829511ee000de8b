"""Whether two records are of one game, in whatever formats and under whatever names they come."""

from __future__ import annotations

from hashlib import blake2b

from haiyomi.events import Chi, Daiminkan, Deal, Discard, Draw, Game, Kakan, Pon


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
