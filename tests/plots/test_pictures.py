"""Pictures: what they show, that their text stays text, and that their bytes do not vary."""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="needs the extra [plot]")

from haiyomi.errors import HaiyomiError
from haiyomi.plots.line_chart import line_chart
from haiyomi.plots.picture import Picture
from haiyomi.plots.reliability import reliability_diagram
from haiyomi.plots.scatter_chart import scatter_chart
from haiyomi.plots.wait_shapes import SHAPES, shape_name

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: Picture) -> list[str]:
    """The texts of the SVG file."""
    root = ElementTree.fromstring(picture.svg())
    return ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]


def lines() -> Picture:
    series = {"one": [0.1, 0.4, 0.2], "two & <three>": [0.0, 0.5, 1.0]}
    return line_chart("a < b, $5 to $9", "turn", "share", [1, 2, 3], series, shares=True)


def test_text_of_svg_stays_text() -> None:
    shown = texts(lines())
    for word in ("a < b, $5 to $9", "turn", "share", "one", "two & <three>", "100%"):
        assert word in shown


def test_the_control_characters_of_a_name_are_written_out() -> None:
    name = "\x1b[31mred\x00\ud800\u202e"
    assert r"\x1b[31mred\x00\ud800\u202e [1]" in texts(
        line_chart(f"{name} [1]", "", "", [1, 2], {name: [0.0, 1.0]})
    )


def test_pdf_embeds_its_font() -> None:
    data = lines().data(".pdf")
    assert data.startswith(b"%PDF")
    assert b"/FontFile2" in data
    assert b"DejaVuSans" in data


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_drawing_twice_gives_the_same_bytes(suffix: str) -> None:
    picture = lines()
    assert picture.data(suffix) == picture.data(suffix) == lines().data(suffix)


def test_the_bytes_do_not_vary_between_processes() -> None:
    code = (
        "import sys, zlib; from haiyomi.plots.line_chart import line_chart\n"
        "p = line_chart('t', 'x', 'y', [1, 2], {'a': [0, 1], 'b': [1, 0]})\n"
        "print([zlib.crc32(p.data(s)) for s in ('.svg', '.pdf')])"
    )
    picture = line_chart("t", "x", "y", [1, 2], {"a": [0, 1], "b": [1, 0]})
    here = str([zlib.crc32(picture.data(s)) for s in (".svg", ".pdf")])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == here


def test_settings_of_the_user_change_nothing(tmp_path: Path) -> None:
    import matplotlib

    before = lines().svg()
    with matplotlib.rc_context({"font.size": 30, "svg.fonttype": "path", "axes.grid": False}):
        assert lines().svg() == before
        assert matplotlib.rcParams["font.size"] == 30


def test_a_line_chart_shows_its_values() -> None:
    drawn = [line.get_ydata().tolist() for line in lines().axes.get_lines()]
    assert drawn == [[0.1, 0.4, 0.2], [0.0, 0.5, 1.0]]


def test_a_scatter_chart_names_groups_and_marked_points() -> None:
    groups = {f"g{i}": [(-1.0 * i, 5.0), (9.0, 0.2)] for i in range(9)}
    picture = scatter_chart("t", "x", "y", groups, {"left": (-8.0, 1.0), "右": (9.0, 1.0)})
    shown = texts(picture)
    assert {"g0 (2)", "g8 (2)", "left", "右"} <= set(shown)
    # A name stands on the side of its cross where there is room.
    assert [note.get_ha() for note in picture.axes.texts] == ["left", "right"]
    assert texts(scatter_chart("empty", "x", "y", {"none": []}))


def test_a_reliability_diagram_begins_at_zero_and_holds_every_bin() -> None:
    bins = [(0.0, 0.0, -1e-19, 0.001), (0.01, 0.02, 0.01, 0.03), (0.5, 0.4, 0.3, 0.6)]
    picture = reliability_diagram("t", bins)
    assert picture.axes.get_xlim() == picture.axes.get_ylim() == (0.0, pytest.approx(0.63))
    dots = picture.axes.get_lines()[-1]
    assert np.array_equal(dots.get_xydata(), [[b[0], b[1]] for b in bins])
    assert {"1%", "40%"} <= set(texts(picture))


@pytest.mark.parametrize(
    ("shape", "held", "name"),
    [
        ("edge-closed", (4, 6), "kanchan"),
        ("edge-closed", (0, 1), "penchan"),
        ("single", (3,), "tanki"),
        ("orphans", (), "orphans"),
        ("two-sided", (3, 4), "two-sided"),
    ],
)
def test_shapes_have_one_name(shape: str, held: Sequence[int], name: str) -> None:
    assert shape_name(shape, held) == name
    assert name in SHAPES


def test_another_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HaiyomiError, match=re.escape("ends in .svg or .pdf")):
        lines().write(tmp_path / "x.png")
    for name in ("x.svg", "X.PDF"):
        lines().write(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
