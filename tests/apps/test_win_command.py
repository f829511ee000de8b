"""``haiyomi win`` as a person calls it."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest
from apps.in_process import haiyomi

HAND = "789m14568p67s5557z"


def _win(*arguments: str) -> subprocess.CompletedProcess[str]:
    return haiyomi("win", *arguments)


def test_json_has_eighteen_numbers_a_discard() -> None:
    done = _win(HAND, "--json", "--dora", "3p", "--convention", "neko-B")
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    for quantity in ("win", "tenpai", "points"):
        assert set(answer[quantity]) == {"1p", "8p", "7z"}
        assert {len(values) for values in answer[quantity].values()} == {18}
    assert list(json.loads(_win(HAND[:-2] + "z", "--json").stdout)["win"]) == ["draw"]


def test_text_and_the_graph(tmp_path: pathlib.Path) -> None:
    graph = tmp_path / "graph.svg"
    done = _win("123m4568p112z", "--melds", "777z,555z", "--turn", "5")
    assert done.returncode == 2
    assert "melds beside these tiles is 1, not 2" in done.stderr
    done = _win("4568p123m2z", "--melds", "777z,555z", "--graph", str(graph))
    assert (done.returncode, done.stderr) == (0, "")
    assert all(len(line) <= 100 for line in done.stdout.splitlines())
    assert ET.fromstring(graph.read_text(encoding="utf-8")).tag.endswith("svg")
    assert "stroke-dasharray" in graph.read_text(encoding="utf-8")


def test_a_graph_that_is_too_large_names_the_limit_and_the_remedy(
    root: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The core says so for 13579m13579p1357s, after 4 s."""

    def too_large(*_: object, **__: object) -> None:
        raise ValueError("row 0: the graph of hand changes has more nodes than the limit")

    monkeypatch.setattr("haiyomi.winning.table.win_values", too_large)
    done = _win(HAND, "--extra", "2")
    assert done.returncode == 2
    assert done.stderr == (
        f"haiyomi: {HAND}: the graph of hand changes has more than 6,000,000 hands: allow fewer "
        "exchanges (--extra 1)\n"
    )
    core = root / "cpp" / "core"
    assert "most_nodes = 6'000'000;" in (core / "win_graph.hpp").read_text(encoding="utf-8")
    assert "more nodes than the limit" in (core / "win_graph.cpp").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="counts memory as Linux does")
def test_a_graph_that_is_too_large_takes_no_more_than_the_limit() -> None:
    """The last exchange alone once added 1.2 GB beyond it."""
    call = "import resource, sys; from haiyomi import HaiyomiError, WinQuestion, win_table\n"
    call += "from haiyomi.winning.convention import DEFAULT\n"
    call += "far = DEFAULT.but(extra=2, near=8)\n"
    call += "try: win_table(WinQuestion.parse('147m258p369s12345z'), far)\n"
    call += "except HaiyomiError as error: print(error)\n"
    call += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, check=True)
    said, most = done.stdout.splitlines()
    assert "more than 6,000,000 hands" in said
    assert int(most) < 700_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("123m",), "less three for each meld; 123m has 3"),
        (("11111m22223333p1s",), "only four"),
        ((HAND, "--convention", "nope"), "expected one of default"),
        ((HAND, "--seat-wind", "X"), "no wind is named 'X'"),
        ((HAND, "--turn", "0"), "no turn 0"),
        (("234578m1689p357s1z", "--graph", "no.svg"), "too many to draw"),
    ],
)
def test_wrong_input_is_one_sentence(arguments: tuple[str, ...], message: str) -> None:
    done = _win(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_an_open_hand_without_a_yaku_is_named_so() -> None:
    """Rows of zeros did not show why."""
    message = "has a yaku"
    assert message in _win("23m567p22789s", "--melds", "123m").stdout
    # All simples; white dragons; no draw is left; closed, so that riichi is its yaku.
    assert message not in _win("23m567p22678s", "--melds", "567m").stdout
    assert message not in _win("23m567p22789s", "--melds", "555z").stdout
    assert message not in _win("23m567p22789s", "--melds", "123m", "--turn", "18").stdout
    assert message not in _win("23m567p22789s", "--melds", "c1111z").stdout


def test_a_complete_hand_without_a_yaku_does_not_win() -> None:
    """The command printed that it wins as it is."""
    cannot = "has no yaku, so it cannot win"
    assert cannot in _win("234m567p11999s", "--melds", "789p").stdout
    assert "wins as it is" in _win("234m567p11999s", "--melds", "555z").stdout
    assert "wins as it is" in _win("234m567p11999s789p").stdout
    assert cannot in _win("55m", "--melds", "123p,456p,789s,123s").stdout
