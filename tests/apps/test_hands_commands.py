"""``haiyomi hands`` and ``review --hands-at`` as they are called, wrong calls too."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from haiyomi.apps import cli
from haiyomi.logs.load import write
from haiyomi.play.demo import demo_game
from haiyomi.reading import nemoto
from haiyomi.tiles import parse_tiles


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "game.mjlog"
    path.write_text(write(demo_game(), "mjlog"), encoding="utf-8")
    return str(path)


def call(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["haiyomi", *words])
    status = 0
    try:
        cli.main()
    except SystemExit as left:
        status = int(left.code or 0)
    message = capsys.readouterr()
    return status, message.out, message.err


def test_text_and_json_say_the_same(
    record: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("hands", record, "--hand", "S2", "--turn", "5", "--seat", "1", "--truth")
    status, text, _ = call(monkeypatch, capsys, *words)
    assert status == 0
    status, out, _ = call(monkeypatch, capsys, *words, "--json")
    assert status == 0
    result = json.loads(out)
    assert result["name"] == "S2"
    assert [o["seat"] for o in result["opponents"]] == [2, 3, 0]
    for opponent in result["opponents"]:
        for shown in (opponent["best"], opponent["likeliest"], *opponent["samples"]):
            assert shown["tiles"] in text
            assert len(parse_tiles(shown["tiles"])) == opponent["concealed"]
        assert opponent["truth"]["tiles"] in text
        expected = sum(k * p for row in opponent["marginals"] for k, p in enumerate(row))
        assert expected == pytest.approx(opponent["concealed"], abs=1e-6)
    assert call(monkeypatch, capsys, *words, "--json")[1] == out
    other = call(monkeypatch, capsys, *words, "--json", "--seed", "1")[1]
    assert json.loads(other)["opponents"][0]["samples"] != result["opponents"][0]["samples"]


@pytest.mark.parametrize("model", ["nemoto-none", "nemoto-0", "nemoto-d", "file"])
def test_the_papers_crf_answers_with_its_marginals_and_its_roulette(
    record: str, model: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "nemoto-d" if model == "file" else model
    given = str(nemoto.shipped_file("d")) if model == "file" else model
    words = ("hands", record, "--hand", "S2", "--turn", "5", "--seat", "1", "--model", given)
    status, text, _ = call(monkeypatch, capsys, *words)
    assert status == 0
    assert f"Model {name}: the CRF of Nemoto, Komiya and Kotani" in text
    result = json.loads(call(monkeypatch, capsys, *words, "--json")[1])
    assert result["model"] == name
    for opponent in result["opponents"]:
        assert opponent["likeliest"] is None
        assert len(opponent["samples"]) == 5
        for shown in (opponent["best"], *opponent["samples"]):
            assert len(parse_tiles(shown["tiles"])) == opponent["concealed"]
        assert all(sum(row) == pytest.approx(1.0, abs=1e-4) for row in opponent["marginals"])


def test_a_review_takes_either_model_of_hands(
    record: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    best: dict[str, list[str]] = {}
    for model in ("counts", "nemoto-d"):
        words = ("review", record, "--seat", "0", "--hand", "E1", "--hands-model", model)
        page = tmp_path / f"{model}.html"
        assert call(monkeypatch, capsys, *words, "-o", str(page))[0] == 0
        text = page.read_text(encoding="utf-8")
        data = json.loads(text.split('id="data">')[1].split("</script>")[0])
        shown = [d["hands"] for h in data["hands"] for d in h["d"] if "hands" in d]
        named = ("nemoto-d",) if model == "nemoto-d" else ()
        assert {tuple(one[2:]) for some in shown for one in some} == {named}
        result = json.loads(call(monkeypatch, capsys, *words, "--json")[1])
        hands = [d.get("hidden_hands") or [] for h in result["hands"] for d in h["decisions"]]
        best[model] = [each["best"] for some in hands for each in some]
    assert len(best["counts"]) == len(best["nemoto-d"]) > 0
    assert best["counts"] != best["nemoto-d"]
    assert {each["model"] for some in hands for each in some} == {"nemoto-d"}
    for each in (each for some in hands for each in some):
        assert len(parse_tiles(each["roulette"])) == each["concealed"]


def test_a_review_in_text_refuses_a_wrong_model_of_hands(
    record: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("review", record, "--seat", "0", "--hand", "E1", "--hands-model", "nemoto-x")
    status, _, error = call(monkeypatch, capsys, *words, "--hands-at", "3")
    assert status == 2
    assert "no model of hands 'nemoto-x'" in error
    # The option was ignored where the text shows no hands.
    status, text, error = call(monkeypatch, capsys, *words)
    assert (status, text) == (2, "")
    assert error.startswith("haiyomi: --hands-model is for --hands-at, pages and JSON")


def test_without_truth_nothing_hidden_is_said(
    record: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("hands", record, "--hand", "E1", "--turn", "3", "--seat", "0", "--json")
    result = json.loads(call(monkeypatch, capsys, *words)[1])
    assert all("truth" not in opponent for opponent in result["opponents"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--hand", "E1", "--turn", "60", "--seat", "0"), "no turn 60"),
        (("--hand", "N4", "--turn", "1", "--seat", "0"), "N4 was not played"),
        (("--hand", "E1", "--turn", "1", "--seat", "9"), "no seat 9"),
        (("--hand", "E1", "--turn", "1"), "name the viewer with --seat or --player: "),
        (("--hand", "E1", "--turn", "1", "--seat", "0", "--model", "x.json"), "no model file"),
        (("--hand", "E1", "--turn", "1", "--seat", "0", "--model", "x"), "no model of hands 'x'"),
    ],
)
def test_a_wrong_call_is_one_sentence(
    record: str,
    words: tuple[str, ...],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, err = call(monkeypatch, capsys, "hands", record, *words)
    assert status == 2
    assert out == ""
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_review_shows_the_hands_of_a_chosen_decision(
    record: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("review", record, "--seat", "2", "--hand", "E2", "--hands-at", "4")
    status, text, _ = call(monkeypatch, capsys, *words)
    assert status == 0
    assert text.count("best hand: ") == 3
    status, out, _ = call(monkeypatch, capsys, *words, "--json")
    assert status == 0
    assert json.loads(out)["opponent_hands"]["turn"] == 4
    status, _, err = call(monkeypatch, capsys, "review", record, "--seat", "2", "--hands-at", "4")
    assert status == 2
    assert "--hand" in err
