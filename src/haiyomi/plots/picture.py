"""One picture: a Matplotlib figure of one look, written as SVG or PDF, the same bytes each time.

SVG keeps its text as text; PDF embeds the font. Matplotlib brings the font, so that a picture does
not depend on the machine, except for letters which that font lacks (Japanese names).
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager

from haiyomi.errors import HaiyomiError, printable
from haiyomi.storage.whole_file import whole_file

SUFFIXES: Final = (".svg", ".pdf")
COLOURS: Final = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#4a4a4a", "#a0522d",
)  # fmt: skip
"""Colours that people with any kind of colour vision can tell apart (Okabe and Ito), and two."""
MARKS: Final = ("o", "s", "D", "^", "v", "P", "X", "*")
"""Series differ without colour too."""
_FONTS: Final = ("DejaVu Sans", "Verdana")
"""Matplotlib brings the first; the second has its widths, for programs that lack it."""
_JAPANESE: Final = ("Noto Sans CJK JP", "Noto Sans JP", "IPAexGothic", "Hiragino Sans", "Yu Gothic")
"""Fonts that PDF embeds for the letters of Japanese names; the first that is installed is used."""
_LOOK: Final[dict[str, object]] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "haiyomi",
    "pdf.fonttype": 42,
    "figure.constrained_layout.use": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#444444",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "axes.formatter.useoffset": False,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.7,
    "font.size": 9,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "lines.markersize": 4,
}
WIDTH, HEIGHT = 6.4, 4.0
"""Inches."""


def check_name(path: Path) -> None:
    """Raises HaiyomiError for a file that is named neither as SVG nor as PDF."""
    if path.suffix.lower() not in SUFFIXES:
        raise HaiyomiError(
            f"{path}: a picture is SVG or PDF: name a file that ends in .svg or .pdf"
        )


@contextmanager
def look(more_fonts: Sequence[str] = ()) -> Iterator[None]:
    """Within the block Matplotlib has the look of these pictures, whatever its settings are."""
    # A letter that no font has is drawn as a box: no reason for lines of warnings.
    fonts = logging.getLogger("matplotlib.font_manager")
    before = fonts.level
    fonts.setLevel(logging.ERROR)
    try:
        with matplotlib.rc_context(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph .* missing from")
            matplotlib.rcdefaults()
            matplotlib.rcParams.update(_LOOK | {"font.sans-serif": [*_FONTS, *more_fonts]})
            yield
    finally:
        fonts.setLevel(before)


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure that is drawn in full, and the axes that it has."""

    figure: Figure
    axes: Axes

    def finished(self) -> Picture:
        """The same, laid out once: laying it out at each drawing would move it a little."""
        self.figure.draw_without_rendering()
        self.figure.set_layout_engine("none")
        return self

    def data(self, suffix: str) -> bytes:
        """The bytes of a file that ends in ``.svg`` or ``.pdf``."""
        out = BytesIO()
        kind = suffix.lower().removeprefix(".")
        undated = {"Date": None} if kind == "svg" else {"CreationDate": None}
        with look(() if kind == "svg" else _installed(_JAPANESE)):
            self.figure.savefig(out, format=kind, metadata=undated)
        return out.getvalue()

    def svg(self) -> str:
        """The text of an SVG file."""
        return self.data(".svg").decode()

    def write(self, path: Path) -> None:
        """Write the file, whole or not at all, in the format of its name. Raises HaiyomiError for
        a name of another format."""
        check_name(path)
        with whole_file(path) as part:
            part.write_bytes(self.data(path.suffix))

    def _repr_svg_(self) -> str:
        return self.svg()


def new_picture(
    title: str, x_name: str, y_name: str, width: float = WIDTH, height: float = HEIGHT
) -> Picture:
    """Empty axes with their names. ``width`` and ``height`` in inches."""
    figure = Figure(figsize=(width, height))
    axes = figure.add_subplot()
    axes.set_title(plain(title))
    axes.set_xlabel(plain(x_name))
    axes.set_ylabel(plain(y_name))
    return Picture(figure, axes)


def percent(value: float, _: int = 0) -> str:
    """``12.5%``, as Matplotlib asks of the formatter of an axis."""
    return f"{100 * value:.4g}%"


def plain(text: str) -> str:
    """A text whose dollar signs do not begin a formula, and whose control characters are written
    out: SVG may have none."""
    return "\n".join(map(printable, text.split("\n"))).replace("$", r"\$")


def _installed(names: Sequence[str]) -> list[str]:
    """The first of some fonts that this machine has."""
    there = {font.name for font in fontManager.ttflist}
    return [name for name in names if name in there][:1]
