"""Printing lines: in colour on a terminal, plain elsewhere or where NO_COLOR is set."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import TextIO

from haiyomi.review.columns import Line, coloured, plain


def colour_wanted(stream: TextIO) -> bool:
    """Whether to colour what goes to the stream (https://no-color.org, FORCE_COLOR)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    if os.environ.get("TERM") == "dumb" or not stream.isatty():
        return False
    return os.name != "nt" or any(k in os.environ for k in ("WT_SESSION", "ANSICON", "TERM"))


def print_json(value: object) -> None:
    """Print one JSON value on one line; names keep their letters where the encoding has them."""
    plain_letters = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    sys.stdout.write(json_line(value, plain_letters))
    sys.stdout.flush()


def json_line(value: object, letters: bool = True) -> str:
    """JSON on one line with its end; ``letters``: those of names stay as they are."""
    # Made whole: encoding piece by piece takes ten times as long.
    text = json.dumps(value, ensure_ascii=not letters, allow_nan=False, separators=(",", ":"))
    return text + "\n"


def print_lines(lines: Iterable[Line], stream: TextIO | None = None) -> None:
    """Print lines, replacing what the stream's encoding cannot show."""
    out = sys.stdout if stream is None else stream
    reconfigure = getattr(out, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
    show = coloured if colour_wanted(out) else plain
    for line in lines:
        out.write(show(line) + "\n")
    # Here a reader that left is noticed while the caller can still say so quietly.
    out.flush()
