"""``haiyomi value`` as a person calls it: a game between two hands, and a decision's options."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from apps.in_process import haiyomi
from forecasts import small_network

from haiyomi.evaluation.known_answers.suite import FOLDER
from haiyomi.events import Discard, Game, Riichi
from haiyomi.logs.load import parse, write
from haiyomi.play.demo import demo_bytes
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.review.find import hand_names
from haiyomi.rules import TENHOU_EAST

SAMPLE = Path(__file__).parents[1] / "samples" / "haiyomi-7-00000.mjlog"


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


def test_the_file_may_be_named_by_an_option(model: str, tmp_path: Path) -> None:
    file = case("push-a-good-mangan", "position", tmp_path)
    named, plain = (haiyomi("value", *how, "--model", model) for how in (("--file", file), (file,)))
    assert (named.returncode, named.stdout) == (0, plain.stdout)
    both = haiyomi("value", file, "--file", file)
    assert (both.returncode, both.stderr.count("\n")) == (2, 1)
    assert "exclude each other" in both.stderr


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


def test_an_east_only_decision_of_a_record_is_that_of_its_mjai_lines(
    model: str, tmp_path: Path
) -> None:
    """A named case: mjai lines of an East-only E4 had the places of a hanchan's."""
    game = simulate_rule_players(3, 0, rules=TENHOU_EAST)
    hand = next(hand for hand in game.hands if hand.start.kyoku == 3)
    own = [i for i, e in enumerate(hand.events) if isinstance(e, Discard) and e.seat == 0]
    lines = write(Game(game.header, (hand,)), "mjai").splitlines()[: own[4]]
    record, file, silent = (tmp_path / name for name in ("record", "stated", "silent"))
    record.write_text(write(game, "mjlog"), encoding="utf-8")
    file.write_text("\n".join(lines), encoding="utf-8")
    silent.write_text("\n".join(lines[1:]), encoding="utf-8")  # without start_game
    name = hand_names(game.hands)[game.hands.index(hand)]
    more = ("--seat", "0", "--model", model, "--json")
    asked = haiyomi("value", str(record), "--hand", name, "--turn", "5", *more)
    assert asked.returncode == 0, asked.stderr
    assert haiyomi("value", str(file), *more).stdout == asked.stdout
    assert haiyomi("value", str(silent), "--east", *more).stdout == asked.stdout
    assert haiyomi("value", str(silent), "--rules", "tenhou-east", *more).stdout == asked.stdout
    assert haiyomi("value", str(silent), *more).stdout != asked.stdout


@pytest.mark.parametrize("how", ["forecast", "played"])
def test_a_decision_of_a_record_is_that_of_its_mjai_lines(
    how: str, model: str, tmp_path: Path
) -> None:
    record = tmp_path / "game.mjlog"
    record.write_bytes(demo_bytes())
    game = parse(demo_bytes(), "demo")
    hand = game.hands[0]
    own = [i for i, e in enumerate(hand.events) if isinstance(e, Discard) and e.seat == 0]
    lines = write(Game(game.header, (hand,)), "mjai").splitlines()
    file = tmp_path / "decision"
    file.write_text("\n".join(lines[: own[4]]), encoding="utf-8")  # start_kyoku is two events
    more = ("--json", *(("--model", model) if how == "forecast" else ("--playouts", "64")))
    stated = haiyomi("value", str(file), "--seat", "0", *more)
    assert stated.returncode == 0, stated.stderr
    named = ("--hand", "E1", "--turn", "5")
    for who in (("--seat", "0"), ("--player", game.header.names[0])):
        assert haiyomi("value", str(record), *named, *who, *more).stdout == stated.stdout


def test_riichi_is_an_option_where_it_was_declared(model: str) -> None:
    game = parse(SAMPLE.read_bytes(), SAMPLE.name)
    number, at, seat = next(
        (n, i, e.seat)
        for n, hand in enumerate(game.hands)
        for i, e in enumerate(hand.events)
        if isinstance(e, Riichi)
    )
    before = game.hands[number].events[:at]
    turn = 1 + sum(isinstance(e, Discard) and e.seat == seat for e in before)
    name = hand_names(game.hands)[number]
    asked = ("--hand", name, "--turn", str(turn), "--seat", str(int(seat)))
    done = haiyomi("value", str(SAMPLE), *asked, "--model", model, "--json")
    acts = {option["option"].split()[0] for option in json.loads(done.stdout)["options"]}
    assert {"riichi", "discard"} <= acts


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "expected a file with a decision, or --round"),
        (["RECORD", "--hand", "W4", "--turn", "1", "--seat", "0"], "hand W4 was not played: the "),
        (["RECORD", "--hand", "E1", "--turn", "90", "--seat", "0"], "in E1: no turn 90"),
        (["RECORD", "--hand", "E1", "--turn", "1", "--seat", "7"], "no seat 7: the seats are 0 "),
        (["RECORD", "--hand", "E1", "--turn", "1"], "name who decides with --seat or --player"),
        (["RECORD", "--hand", "E1", "--seat", "0"], "which takes both --hand and --turn"),
        (["FILE", "--player", "x"], "--player is for a decision of a record"),
        (["--round", "E1", "--turn", "1"], "--turn is for a decision, not with --round"),
        (["FILE", "--model", "MODEL", "--payoff", "1/2/3"], "expected four numbers"),
        (["/no/such", "--model", "MODEL"], "/no/such: no such file or folder"),
        (["NESTED"], "nested.json: the position is JSON that is nested too deeply"),
        (["FILE", "--round", "E1"], "--round is for the start of a hand, not for a decision"),
        (["FILE", "--east"], "a position has its own field rules"),
        (
            ["RECORD", "--hand", "E1", "--turn", "1", "--seat", "0", "--rules", "tenhou"],
            "--rules is for mjai lines: a record states its rules",
        ),
        (["--round", "E1", "--rules", "tenhou"], "--rules is for mjai lines, not with --round"),
        (["FILE", "--honba", "1"], "--honba is for the start of a hand, not for a decision"),
        (["FILE", "--model", "MODEL", "--playouts", "64"], "--model and --playouts exclude each"),
        (["--round", "E1", "--playouts", "64"], "--playouts is for a decision, not with --round"),
        (["--round", "E1", "--seat", "0"], "--seat is for a decision, not with --round"),
        (["--round", "E4.100"], "--round E4.100 has 100 honba: expected 0 to 99"),
        (["--round", "E1.2", "--honba", "3"], "--round E1.2 and --honba 3 do not agree"),
    ],
)
def test_bad_input_is_one_sentence(
    arguments: list[str], words: str, model: str, tmp_path: Path
) -> None:
    nested = tmp_path / "nested.json"
    nested.write_text('{"seat":' * 20_000 + "1" + "}" * 20_000, encoding="utf-8")
    named = {
        "FILE": case("furiten", "position", tmp_path), "MODEL": model, "NESTED": str(nested),
        "RECORD": str(SAMPLE),
    }  # fmt: skip
    done = haiyomi("value", *(named.get(a, a) for a in arguments))
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_between_two_hands_the_places_are_printed() -> None:
    done = haiyomi("value", "--round", "S4", "--scores", "40000,30000,20000,10000")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 5
