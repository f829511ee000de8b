"""Lines of styled text with exact widths: a wide Japanese character takes two columns.

A ``Line`` is a tuple of (text, style) spans; styles are names of ``STYLES``. Nothing here
needs rich until a line is printed in colour.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import TypeAlias
from unicodedata import combining, east_asian_width

Span: TypeAlias = tuple[str, str]
Line: TypeAlias = tuple[Span, ...]
WIDTH = 100
"""No line is wider than this."""

STYLES: dict[str, str] = {
    "": "",
    "dim": "2",
    "bold": "1",
    "title": "1;36",
    "red-five": "31",
    "bad": "1;37;41",
    "good": "32",
    "zero": "2;32",
    "risk0": "32",
    "risk1": "38;5;150",
    "risk2": "33",
    "risk3": "38;5;208",
    "risk4": "1;38;5;196",
}
"""SGR parameters of each style."""
RISK_STEPS = (0.01, 0.03, 0.06, 0.12)
"""Probabilities at which the risk colour changes, green to red."""


@lru_cache(maxsize=4096)
def width(text: str) -> int:
    """Columns that the text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


@lru_cache(maxsize=4096)
def fit(text: str, columns: int) -> str:
    """The text in exactly that many columns, from the left: padded, or cut with a ``~``."""
    have = width(text)
    if have <= columns:
        return text + " " * (columns - have)
    kept, used = "", 0
    for char in text:
        w = width(char)
        if used + w > columns - 1:
            break
        kept, used = kept + char, used + w
    return kept + "~" + " " * (columns - 1 - used)


@lru_cache(maxsize=4096)
def right(text: str, columns: int) -> str:
    """The text in exactly that many columns, to the right; cut if too wide."""
    have = width(text)
    return " " * (columns - have) + text if have <= columns else fit(text, columns)


def clean(text: str) -> str:
    """A name from a record, safe to print: control characters become ``?``."""
    return "".join(c if c.isprintable() else "?" for c in text)


def percent(probability: float) -> str:
    """``0%`` exactly nil, ``<.1%``, ``7.8%``, ``100%``: at most five columns."""
    if probability <= 0.0:
        return "0%"
    if probability < 0.0005:
        return "<.1%"
    return "100%" if probability >= 0.9995 else f"{100 * probability:.1f}%"


def chance(probability: float) -> str:
    """``0.0%`` to ``100%``: of something that is not known to be impossible."""
    return "100%" if probability >= 0.9995 else f"{100 * probability:.1f}%"


def without_common_word(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names without the first words that all four share: such a word distinguishes nobody. No
    number is left alone."""
    while all(" " in name for name in names):
        first, *others = (name.split(" ", 1)[0] for name in names)
        rest = tuple(name.split(" ", 1)[1] for name in names)
        if any(other != first for other in others) or all(name.isdigit() for name in rest):
            break
        names = rest
    return names


def risk_style(probability: float) -> str:
    """The style of a probability: green, pale, yellow, orange, red."""
    return f"risk{bisect_right(RISK_STEPS, probability)}"


def plain(line: Line) -> str:
    """The line without styles or trailing blanks."""
    return "".join(text for text, _ in line).rstrip()


def coloured(line: Line) -> str:
    """The line with SGR colour codes."""
    parts = [
        f"\x1b[{STYLES[style]}m{text}\x1b[0m" if STYLES[style] and text.strip() else text
        for text, style in line
    ]
    return "".join(parts).rstrip()


def line_width(line: Line) -> int:
    """Columns that the line takes."""
    return sum(width(text) for text, _ in line)


def wrap(items: list[Line], first: Line, gap: str = "   ") -> list[Line]:
    """Items after ``first`` with gaps between, on as many lines as they need; those that follow
    stand two columns further in than the first."""
    lines: list[Line] = []
    current, used = list(first), line_width(first)
    lead = "".join(text for text, _ in first)
    indent = "  " + " " * (len(lead) - len(lead.lstrip(" ")))
    started = bool(first)
    for item in items:
        need = line_width(item) + (len(gap) if started else 0)
        if started and used + need > WIDTH:
            lines.append(tuple(current))
            current, used, started = [(indent, "")], len(indent), False
            need = line_width(item)
        if started:
            current.append((gap, ""))
        current.extend(item)
        used += need
        started = True
    lines.append(tuple(current))
    return lines


def break_text(text: str, columns: int = WIDTH) -> list[str]:
    """The text on as many lines as it needs, none too wide."""
    lines, current = [], ""
    for char in text:
        if width(current + char) > columns:
            cut = max(current.rfind(" "), current.rfind("、") + 1, current.rfind("。") + 1)
            cut = cut if cut > columns // 3 else len(current)
            lines.append(current[:cut].rstrip())
            current = current[cut:].lstrip()
        current += char
    return [*lines, current] if current else lines
