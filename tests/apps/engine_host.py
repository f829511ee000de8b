"""A host of the riichi-engine-protocol: it drives an engine and checks each result by the rules."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any

from haiyomi.events import Game, visible_to
from haiyomi.logs.mjai_write import HandMessages
from haiyomi.play.decision import RecordedDecision
from haiyomi.play.player import Claim, Pass
from haiyomi.tiles import TILES, Seat

KINDS = {tile.mjai for tile in TILES[:34]}
CLOSE = 1e-4
Message = dict[str, Any]


def hello_params(minor: int = 2) -> Message:
    protocol = {"name": "riichi-engine-protocol", "major": 2, "minor": minor}
    return {"protocol": protocol, "host": {"id": "test.host", "version": "1.0.0"}}


def initialize_params(outputs: Sequence[str], **options: str) -> Message:
    return {
        "enabledOutputs": [{"id": name} for name in outputs],
        "weights": [],
        "device": {"type": "cpu"},
        "options": options,
    }


def run_params(seat: int, events: Sequence[Message], outputs: Iterable[Message]) -> Message:
    return {
        "sessionId": f"game:{seat}",
        "controlledSeat": seat,
        "inputMode": "standard",
        "events": list(events),
        "outputs": [{"parameters": {}, **output} for output in outputs],
    }


class Process:
    """``haiyomi engine`` as a process; ``ask`` is one request and its answer."""

    def __init__(
        self, command: Sequence[str] = (sys.executable, "-m", "haiyomi", "engine")
    ) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.states: list[str] = []
        self._number = 0

    def __enter__(self) -> Process:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.communicate()

    def ask(self, method: str, params: Message) -> Message:
        """The result. Raises AssertionError for an answer that is an error."""
        answer = self.answer(method, params)
        assert "error" not in answer, answer
        result: Message = answer["result"]
        return result

    def answer(self, method: str, params: Message) -> Message:
        self._number += 1
        name = f"host-{self._number}"
        self.send({"jsonrpc": "2.0", "id": name, "method": method, "params": params})
        answer = self.read()
        assert answer["id"] == name
        return answer

    def send(self, message: object) -> None:
        self.send_line(json.dumps(message).encode())

    def send_line(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def read(self) -> Message:
        """The next answer; notifications before it are kept."""
        assert self.process.stdout is not None
        while True:
            message: Message = json.loads(self.process.stdout.readline())
            assert message["jsonrpc"] == "2.0"
            if "id" in message:
                assert ("result" in message) != ("error" in message)
                return message
            assert message["method"] == "engine.status"
            self.states.append(message["params"]["state"])


def messages_of(game: Game, hand: int, seat: int) -> list[list[Message]]:
    """For each event of a hand the messages up to it, as a seat sees them."""
    written, found, out = HandMessages(), [], []
    for event in game.hands[hand].events:
        message = written.of(visible_to(event, Seat(seat)))
        found += [] if message is None else [message]
        out.append(list(found))
    return out


def candidates_of(decision: RecordedDecision) -> list[Message]:
    """The candidates of a decision, in the order of its choices."""
    pons = HandMessages()
    for event in decision.history:
        pons.of(event)
    found = []
    for choice in decision.choices:
        if isinstance(choice, Pass):
            action: Message = {"type": "none", "actor": choice.seat}
        elif isinstance(choice, Claim):
            tile = decision.position.drawn if decision.offer is None else decision.offer.tile
            assert tile is not None
            action = {
                "type": "hora", "actor": choice.seat, "target": choice.target, "pai": tile.mjai,
            }  # fmt: skip
        else:
            action = {**pons.action(choice), "actor": decision.seat}
        found.append({"candidateId": f"candidate:{len(found)}", "action": action})
    return found


def check(seat: int, declared: Message, asked: Message, result: Message) -> None:
    """Check one output's data by the rules of its contract."""
    name = declared["id"]
    if name == "action-recommendation":
        _check_recommendation(declared["metrics"], asked["parameters"]["candidates"], result)
    elif name == "wall-tile-count":
        _check_tiles(result["tiles"], declared)
    elif name == "kyoku-outcome":
        _check_outcome(result)
    else:
        _check_players(seat, declared, result)


def _check_players(seat: int, declared: Message, result: Message) -> None:
    name = declared["id"]
    of_all = name.startswith(("match", "kyoku"))
    seats = [player["seat"] for player in result["players"]]
    assert sorted(seats) == [s for s in range(4) if of_all or s != seat]
    for player in result["players"]:
        if name == "opponent-shanten":
            assert [each["value"] for each in player["shanten"]] == list(range(7))
            _check_distribution(player["shanten"])
            _check_probability(player["furitenOrNoYaku"])
        elif name == "opponent-deal-in-probability":
            assert set(player["tiles"]) == KINDS
            for p in player["tiles"].values():
                _check_probability(p)
        elif name == "opponent-concealed-tile-count":
            _check_tiles(player["tiles"], declared)
        else:
            least, most = {"opponent-score": (0, 1e6), "match-placement": (1, 4)}.get(
                name, (-1e6, 1e6)
            )
            _check_prediction(player["prediction"], declared, least, most)


def _check_tiles(tiles: Message, declared: Message) -> None:
    assert set(tiles) == KINDS
    for each in tiles.values():
        _check_prediction(each, declared, 0, 4)


def _check_prediction(given: Message, declared: Message, least: float, most: float) -> None:
    fields = {"distribution": "distribution", "expected-value": "expectedValue"}
    assert set(given) == {fields[each] for each in declared["representations"]}
    mean = given["expectedValue"]
    assert type(mean) is float
    assert least <= mean <= most
    if "distribution" in given:
        values = [each["value"] for each in given["distribution"]]
        assert all(type(v) is int and least <= v <= most for v in values)
        _check_distribution(given["distribution"])
        weighted = sum(each["value"] * each["probability"] for each in given["distribution"])
        assert math.isclose(mean, weighted, rel_tol=CLOSE, abs_tol=CLOSE)


def _check_distribution(given: list[Message]) -> None:
    values = [each["value"] for each in given]
    assert len(set(values)) == len(values)
    for each in given:
        _check_probability(each["probability"])
    assert abs(sum(each["probability"] for each in given) - 1) <= CLOSE


def _check_probability(p: object) -> None:
    assert type(p) is float
    assert 0 <= p <= 1


def _check_outcome(result: Message) -> None:
    _check_probability(result["drawProbability"])
    assert [player["seat"] for player in sorted(result["players"], key=lambda p: p["seat"])] == [
        0, 1, 2, 3,
    ]  # fmt: skip
    for player in result["players"]:
        _check_probability(player["winProbability"])
        _check_probability(player["dealInProbability"])
    seen = []
    for each in result["outcomes"]:
        _check_probability(each["probability"])
        if each["type"] == "ron":
            assert each["winners"]
            assert each["target"] not in each["winners"]
        keys = {"draw": set(), "tsumo": {"winner"}, "ron": {"winners", "target"}}[each["type"]]
        assert set(each) == {"type", "probability", *keys}
        seen.append({k: v for k, v in each.items() if k != "probability"})
    assert all(seen.count(each) == 1 for each in seen)
    assert abs(sum(each["probability"] for each in result["outcomes"]) - 1) <= CLOSE


def _check_recommendation(
    metrics: list[Message], candidates: list[Message], result: Message
) -> None:
    ids = [each["candidateId"] for each in candidates]
    assert result["bestCandidateId"] in ids
    assert [each["candidateId"] for each in result["candidates"]] == ids
    forms = {metric["id"]: metric["format"] for metric in metrics}
    for each in result["candidates"]:
        assert set(each["metrics"]) == set(forms)
        for name, value in each["metrics"].items():
            if value is not None and forms[name] == "percentage":
                _check_probability(value)
            assert value is None or (type(value) is float and math.isfinite(value))
