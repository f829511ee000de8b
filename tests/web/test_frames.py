"""Frames: what is packed comes out, and JSON never turns into bytes."""

from __future__ import annotations

from haiyomi.apps.web.child import _answer
from haiyomi.apps.web.frames import FAULT, pack, unpack


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
