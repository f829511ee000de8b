"""Frames: what is packed comes out, and JSON never turns into bytes."""

from __future__ import annotations

from haiyomi.apps.web.child import _answer
from haiyomi.apps.web.frames import FAULT, pack, pack_replies, unpack, unpack_replies
from haiyomi.apps.web.library_errors import DamagedRowError
from haiyomi.errors import HaiyomiError, SizeError
from haiyomi.play.hand import ChoiceError


def test_parts_come_out_as_they_went_in() -> None:
    parts = ["mod:name", {"a": [1.5, None, "\ud800"]}, b"\x00b", b"", "", ["x", "y"], 2**40]
    assert unpack(pack(parts)) == parts
    assert unpack(pack([])) == []


def test_text_that_looks_like_a_part_stays_text() -> None:
    assert unpack(pack(["b\x00\x00\x00\x01x", b'j\x00\x00\x00\x02""'])) == [
        "b\x00\x00\x00\x01x",
        b'j\x00\x00\x00\x02""',
    ]


def test_a_fault_of_a_task_is_an_answer() -> None:
    """Only a task's own end may end its process."""
    assert unpack(_answer(pack(("operator:truediv", 1, 0)))) == [FAULT, b"ZeroDivisionError"]


def test_an_error_of_any_part_of_haiyomi_is_an_answer() -> None:
    """The server knew those of haiyomi.errors only; another ended the request."""
    damaged = DamagedRowError.of("record", "12")
    sent: list[bytes | HaiyomiError] = [SizeError("too large"), ChoiceError("no such"), damaged]
    came = unpack_replies(pack_replies(sent))
    assert [(type(error), str(error)) for error in came] == [
        (SizeError, "too large"),
        (HaiyomiError, "no such"),
        (DamagedRowError, "record 12 of the library is damaged: delete it"),
    ]
