"""``haiyomi value`` as a person calls it: a game between two hands, and a decision's options."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from apps.in_process import haiyomi
from forecasts import small_network

from haiyomi.evaluation.known_answers.suite import FOLDER


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("model") / "network.safetensors"
    small_network().save(path)
    return str(path)


def case(name: str, what: str, folder: Path) -> str:
    """The file of the first case of the suite that is given so."""
    body = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    one = next(c for c in body["cases"] if what in c)
    lines = one["mjai"] if what == "mjai" else [one["position"]]
    path = folder / "decision"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return str(path)


def test_a_position_has_a_table_of_its_options(model: str, tmp_path: Path) -> None:
    file = case("push-a-good-mangan", "position", tmp_path)
    done = haiyomi("value", file, "--model", model)
    assert (done.returncode, done.stderr) == (0, "")
    first, head, *rows = done.stdout.splitlines()
    assert first == "Policy after the option: pooled, whatever the option. Payoff: 90/45/0/-135."
    assert head.split()[:2] == ["option", "value"]
    assert len(rows) > 10
    assert all(len(line) <= 100 for line in done.stdout.splitlines())


def test_json_of_another_seats_tile(model: str, tmp_path: Path) -> None:
    file = case("call-for-a-quick-mangan", "mjai", tmp_path)
    done = haiyomi("value", file, "--model", model, "--payoff", "points", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    assert (answer["schema"], answer["payoff"]) == ("haiyomi-options", "points")
    assert {"pass", "pon 55z"} <= {option["option"] for option in answer["options"]}
    for option in answer["options"]:
        assert sum(e["probability"] for e in option["endings"]) == pytest.approx(1)
        assert sum(option["placement"]) == pytest.approx(1)
        points = sum(e["probability"] * e["points"] for e in option["endings"])
        assert option["points"] == pytest.approx(points)


def test_unknown_scores_leave_points_alone_and_say_so(model: str, tmp_path: Path) -> None:
    file = Path(case("push-a-good-mangan", "position", tmp_path))
    body = json.loads(file.read_text(encoding="utf-8"))
    body["players"]["E"]["score"] = 12300
    file.write_text(json.dumps(body), encoding="utf-8")
    done = haiyomi("value", str(file), "--model", model)
    assert done.returncode == 0
    assert "Points only: scores and deposits add up to" in done.stdout
    assert "1st" not in done.stdout


def test_a_decision_is_read_from_standard_input(model: str, tmp_path: Path) -> None:
    file = case("furiten", "position", tmp_path)
    given = haiyomi("value", "-", "--model", model, stdin=Path(file).read_text(encoding="utf-8"))
    assert given.returncode == 0
    assert given.stdout == haiyomi("value", file, "--model", model).stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "expected a file with a decision, or --round"),
        (["FILE", "--model", "MODEL", "--payoff", "1/2/3"], "expected four numbers"),
        (["/no/such", "--model", "MODEL"], "/no/such: no such file or folder"),
        (["NESTED"], "nested.json: the position is JSON that is nested too deeply"),
        (["FILE", "--round", "E1"], "--round is for the start of a hand, not for a decision"),
        (["FILE", "--honba", "1"], "--honba is for the start of a hand, not for a decision"),
        (["FILE", "--model", "MODEL", "--playouts", "64"], "--model and --playouts exclude each"),
        (["--round", "E1", "--playouts", "64"], "--playouts is for a decision, not with --round"),
        (["--round", "E1", "--seat", "0"], "--seat is for a decision, not with --round"),
        (["--round", "E1.2", "--honba", "3"], "--round E1.2 and --honba 3 do not agree"),
    ],
)
def test_bad_input_is_one_sentence(
    arguments: list[str], words: str, model: str, tmp_path: Path
) -> None:
    nested = tmp_path / "nested.json"
    nested.write_text('{"seat":' * 20_000 + "1" + "}" * 20_000, encoding="utf-8")
    named = {"FILE": case("furiten", "position", tmp_path), "MODEL": model, "NESTED": str(nested)}
    done = haiyomi("value", *(named.get(a, a) for a in arguments))
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_between_two_hands_the_places_are_printed() -> None:
    done = haiyomi("value", "--round", "S4", "--scores", "40000,30000,20000,10000")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 5
