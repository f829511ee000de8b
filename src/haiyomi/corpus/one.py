"""``read``: the one game of a file, of a pasted address or of some bytes."""

from __future__ import annotations

from pathlib import Path

from haiyomi.corpus.listing import entries_in, entries_of
from haiyomi.errors import FormatError, check_type
from haiyomi.events import Game
from haiyomi.logs.containers import MAX_BYTES, Budget


def read(source: str | Path | bytes) -> Game:
    """The game of one record: a file, a zip of one record, or the bytes of either (of a text
    ``text.encode()``).

    mjlog, Tenhou JSON, mjai and Mahjong Soul's records are recognised by their content; gzip is
    unpacked. A pasted ``https://tenhou.net/6/#json=...`` address is read without a network, ``"-"``
    is standard input. Raises ArgumentError for what is none of these, else a subclass of
    RecordError that says what is wrong; FormatError also where the source holds no game or several
    (``Corpus`` reads those).
    """
    check_type(source, "read", str, Path, bytes)
    if isinstance(source, bytes):
        name = "record"
        entries = entries_in(name, source, Budget(MAX_BYTES, packed=len(source)))
    else:
        name = str(source)
        try:
            entries = entries_of(source)
        except FormatError:
            if name.lstrip()[:1] not in ("<", "{"):
                raise
            raise FormatError(
                "this is a record's text and no path: give it as bytes, text.encode()"
            ) from None
    if len(entries) != 1:
        raise FormatError(
            f"holds {len(entries)} records where one is wanted: Corpus reads many", name
        )
    games = entries[0].games()
    if len(games) != 1:
        raise FormatError(f"holds {len(games)} games where one is wanted: Corpus reads many", name)
    return games[0]
