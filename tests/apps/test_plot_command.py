"""``haiyomi plot`` as it is called."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from apps.in_process import haiyomi

pytest.importorskip("matplotlib", reason="needs the extra [plot]")

from haiyomi.logs.load import write
from haiyomi.play.rule_games import simulate_rule_players

RECORD = str(Path(__file__).parent.parent / "samples" / "haiyomi-7-00000.mjlog")
SVG = "{http://www.w3.org/2000/svg}"


def _drawn(tmp_path: Path, *arguments: str) -> set[str]:
    """The texts of the picture that a call draws."""
    out = tmp_path / "picture.svg"
    done = haiyomi("plot", *arguments, "-o", str(out))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"wrote {out}")
    root = ElementTree.fromstring(out.read_text(encoding="utf-8"))
    return {"".join(node.itertext()) for node in root.iter(f"{SVG}text")}


def test_a_missing_rows_file_is_named(tmp_path: Path) -> None:
    done = haiyomi("plot", "reliability", str(tmp_path / "none"), "-o", str(tmp_path / "x.svg"))
    assert done.returncode == 2
    assert done.stderr == f"haiyomi: {tmp_path / 'none'}: no such file or folder\n"


def test_win_draws_a_line_a_discard(tmp_path: Path) -> None:
    shown = _drawn(tmp_path, "win", "789m14568p67s5557z", "--seen", "9s", "--turn", "5")
    assert {"1p", "8p", "7z", "chance to win"} <= shown


def test_risk_draws_the_discards_of_a_hand(tmp_path: Path) -> None:
    shown = _drawn(tmp_path, "risk", RECORD, "--hand", "E1", "--seat", "0")
    assert {"riskiest tile", "discarded tile", "safest tile"} <= shown


def test_waits_draws_shapes(tmp_path: Path) -> None:
    shown = _drawn(tmp_path, "waits", RECORD, "--hand", "E1", "--seat", "0", "--turn", "14")
    assert {
        "two-sided",
        "shanpon",
        "2m",
        "E1, turn 14: risk of each tile by shape of wait",
    } <= shown


def test_styles_names_one_player(tmp_path: Path) -> None:
    record = tmp_path / "hanchan.mjlog"
    names = ("Ann", "Bob <b>", "Cem", "Dai")
    record.write_text(write(simulate_rule_players(77, 0, names=names), "mjlog"), encoding="utf-8")
    arguments = ("--player", "Bob", "--least", "1", "--jobs", "1")
    shown = _drawn(tmp_path, "styles", str(record), *arguments)
    assert "Bob <b>" in shown
    assert not {"Ann", "Cem", "Dai"} & shown


def test_reliability_draws_a_rows_file(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra [data]")
    rows = tmp_path / "rows.parquet"
    done = haiyomi(
        "evaluate", "dealin", RECORD, "--rows", str(rows), "--model", "kurita-hoki",
        "--jobs", "1",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    shown = _drawn(tmp_path, "reliability", str(rows), "--opponents", "riichi")
    assert {"predicted", "observed"} <= shown
    assert any(text.startswith("riichi: ") for text in shown)


def test_a_table_of_another_kind_is_one_sentence(tmp_path: Path) -> None:
    """A named case: the message held the table's whole schema."""
    pa = pytest.importorskip("pyarrow", reason="needs the extra [data]")
    rows = tmp_path / "decisions.parquet"
    pq = pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"game": ["a"], "turn": [1]}), rows)
    done = haiyomi("plot", "reliability", str(rows), "-o", str(tmp_path / "x.svg"))
    assert done.returncode == 2
    assert done.stderr == (
        f"haiyomi: {rows} has no column class: write it anew with "
        "`haiyomi evaluate dealin --rows`\n"
    )


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("game", None), ("game", [1]), ("hand", "x"), ("hand", -1), ("decision", 1 << 40),
        ("class", b"\xff"), ("class", None), ("probability", float("nan")), ("probability", "x"),
        ("label", None), ("label", 2),
    ],
)  # fmt: skip
def test_a_column_of_something_else_is_one_sentence(
    column: str, value: object, tmp_path: Path
) -> None:
    """Most of these ended in a traceback, and a probability that was no number in a picture."""
    pa = pytest.importorskip("pyarrow", reason="needs the extra [data]")
    pq = pytest.importorskip("pyarrow.parquet")
    sound = {
        "game": "a", "hand": 0, "decision": 1, "class": "riichi", "probability": 0.5, "label": 1,
    }  # fmt: skip
    rows, out = tmp_path / "rows.parquet", tmp_path / "x.svg"
    for row, status in ((sound, 0), (sound | {column: value}, 2)):
        pq.write_table(pa.table({name: [each] * 9 for name, each in row.items()}), rows)
        done = haiyomi("plot", "reliability", str(rows), "-o", str(out))
        assert done.returncode == status, done.stderr
    assert done.stderr.startswith(f"haiyomi: {rows}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("win", "123m456p789s1122z", "-o", "x.png"), "ends in .svg or .pdf"),
        (("risk", RECORD, "--hand", "N1", "--seat", "0", "-o", "x.svg"), "N1"),
        (("waits", RECORD, "--hand", "E1", "--seat", "0", "--turn", "1", "-o", "x.svg"), "no tile"),
        (("styles", RECORD, "--player", "Ann", "-o", "x.svg"), "no hanchan"),
    ],
)
def test_a_wrong_call_is_one_sentence(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = haiyomi("plot", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())
