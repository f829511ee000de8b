"""``haiyomi value --playouts`` as a person calls it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from apps.in_process import haiyomi

from haiyomi.evaluation.known_answers.suite import FOLDER
from haiyomi.playouts.play import PlayingOn
from haiyomi.playouts.race import Standings


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A decision to pon or to pass, as mjai lines."""
    body = json.loads((FOLDER / "call-for-a-quick-mangan.json").read_text(encoding="utf-8"))
    one = next(case for case in body["cases"] if "mjai" in case)
    path = tmp_path / "decision"
    path.write_text("\n".join(map(json.dumps, one["mjai"])), encoding="utf-8")
    return str(path)


def test_options_are_listed_with_their_errors_the_best_first(file: str) -> None:
    done = haiyomi("value", file, "--playouts", "128")
    assert done.returncode == 0
    first, head, *rows, last = done.stdout.splitlines()
    assert first == "Policy after the option: pooled. Payoff: 90/45/0/-135."
    assert head.split()[:3] == ["option", "worlds", "points"]
    assert {row[:4] for row in rows} >= {"pass", "pon "}
    assert "±" in rows[0]
    assert "one standard error" in last
    assert done.stderr.splitlines()[0].startswith("64 worlds, ")


def test_the_one_discard_of_a_hand_in_riichi_is_played_on(tmp_path: Path) -> None:
    unknown = ["?"] * 13
    own = ["1m", "2m", "3m", "4p", "5p", "7p", "8p", "9p", "1s", "2s", "3s", "E", "E"]
    lines: list[dict[str, object]] = [
        {
            "type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
            "dora_marker": "9s", "scores": [25000] * 4, "tehais": [own, unknown, unknown, unknown],
        },
        {"type": "tsumo", "actor": 0, "pai": "5m"},
        {"type": "reach", "actor": 0},
        {"type": "dahai", "actor": 0, "pai": "5m", "tsumogiri": True},
        {"type": "reach_accepted", "actor": 0},
    ]  # fmt: skip
    for seat in (1, 2, 3):
        lines.append({"type": "tsumo", "actor": seat, "pai": "?"})
        lines.append({"type": "dahai", "actor": seat, "pai": "N", "tsumogiri": False})
    lines.append({"type": "tsumo", "actor": 0, "pai": "9m"})
    path = tmp_path / "forced"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = haiyomi("value", str(path), "--playouts", "64", "--json")
    (only,) = json.loads(done.stdout)["options"]
    assert (only["option"], only["worlds"], only["behind"]) == ("discard 9m", 64, None)


def test_json_has_the_worlds_and_the_errors(file: str) -> None:
    done = haiyomi("value", file, "--playouts", "64", "--json")
    answer = json.loads(done.stdout)
    assert answer["schema"] == "haiyomi-options-played"
    best, *others = answer["options"]
    assert best["behind"] is None
    for option in others:
        assert option["behind_error"] > 0
        assert option["worlds"] == 64
        assert option["points_error"] > 0
        assert sum(option["placement"]) == pytest.approx(1)


def test_stopping_keeps_the_rounds_until_then(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = PlayingOn.run

    def stopped(self: PlayingOn, most: int) -> Iterator[Standings]:
        yield next(iter(run(self, most)))
        raise KeyboardInterrupt

    monkeypatch.setattr(PlayingOn, "run", stopped)
    done = haiyomi("value", file, "--playouts", "4096")
    assert done.returncode == 0
    assert "stopped: this is what was found until then" in done.stderr
    assert "     64 " in done.stdout


def test_a_position_has_no_history_to_play_on_from(tmp_path: Path) -> None:
    body = json.loads((FOLDER / "furiten.json").read_text(encoding="utf-8"))
    one = next(case for case in body["cases"] if "position" in case)
    path = tmp_path / "position.json"
    path.write_text(json.dumps(one["position"]), encoding="utf-8")
    done = haiyomi("value", str(path), "--playouts", "64")
    assert done.returncode == 2
    assert "give the hand as mjai lines" in done.stderr
