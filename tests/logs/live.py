"""mjai lines as a seat gets them at a table, by the stream of a bot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from haiyomi.events import Event
from haiyomi.logs.mjai_read import LiveStream, messages


def live_events(lines: Iterable[str], name: str = "mjai") -> Iterator[Event]:
    """The events of the lines, each as soon as its line has come. Raises RecordError."""
    stream = LiveStream()
    for number, message in messages(lines, name):
        yield from stream.feed(message, number)
