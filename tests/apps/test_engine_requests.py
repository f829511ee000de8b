"""Wrong and hostile requests to ``haiyomi engine``: each has the error that the protocol names."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np
import pytest
from apps.engine_host import (
    Message,
    candidates_of,
    hello_params,
    initialize_params,
    messages_of,
    run_params,
)

from haiyomi.apps.engine.engine import StudioEngine, StudioState
from haiyomi.apps.engine.rpc import MOST_BYTES, RpcError
from haiyomi.apps.engine.serve import serve
from haiyomi.play.decision import decisions
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.seeds import generator

ACTION, DEAL_IN = "action-recommendation", "opponent-deal-in-probability"


@cache
def ready() -> StudioEngine:
    """An engine with two outputs."""
    engine = StudioEngine()
    engine.answer("engine.hello", hello_params())
    engine.answer("engine.initialize", initialize_params([ACTION, DEAL_IN]))
    return engine


@cache
def events() -> tuple[Message, ...]:
    """A hand up to the second draw of seat 0."""
    return tuple(messages_of(simulate_rule_players(3), 0, 0)[10])


def run(**changes: object) -> Message:
    """The parameters of an analysis of one output, with some of them changed."""
    return {**run_params(0, events(), [{"id": DEAL_IN}]), **changes}


def event(number: int, **changes: object) -> list[Message]:
    """The events, one of them changed."""
    found = list(events())
    found[number] = {**found[number], **changes}
    return found


def with_candidates(value: object) -> Message:
    return run(outputs=[{"id": ACTION, "parameters": {"candidates": value}}])


DISCARD = {"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": False}
WRONG: list[tuple[str, Message, int, str]] = [
    ("no.such", {}, -32601, "UNKNOWN_METHOD"),
    ("request.cancel", {"requestId": "x"}, -32601, "UNKNOWN_METHOD"),
    ("engine.hello", {}, -32602, "INVALID_PARAMS"),
    ("engine.hello", {**hello_params(), "host": {}}, -32602, "INVALID_PARAMS"),
    ("engine.hello", hello_params(-1), -32000, "PROTOCOL_MISMATCH"),
    ("engine.initialize", initialize_params([]), -32602, "INVALID_PARAMS"),
    ("engine.initialize", initialize_params([DEAL_IN] * 2), -32602, "INVALID_PARAMS"),
    ("engine.initialize", initialize_params(["match-stakes"]), -32000, "UNSUPPORTED_OUTPUT"),
    ("engine.initialize", {**initialize_params([DEAL_IN]), "weights": [{}]}, -32000,
     "INVALID_WEIGHT"),
    ("engine.initialize", {**initialize_params([DEAL_IN]), "device": {"type": "cuda"}}, -32602,
     "INVALID_PARAMS"),
    ("engine.initialize", initialize_params([DEAL_IN], colour="red"), -32602, "INVALID_PARAMS"),
    ("engine.initialize", initialize_params([DEAL_IN], length="west"), -32602, "INVALID_PARAMS"),
    ("engine.initialize", initialize_params([DEAL_IN], rules="m-league"), -32602, "INVALID_PARAMS"),
    ("session.close", {"sessionId": ""}, -32602, "INVALID_PARAMS"),
    ("analysis.run", run(sessionId=7), -32602, "INVALID_PARAMS"),
    ("analysis.run", run(controlledSeat=4), -32602, "INVALID_PARAMS"),
    ("analysis.run", run(controlledSeat=True), -32602, "INVALID_PARAMS"),
    ("analysis.run", run(inputMode="open"), -32602, "INVALID_PARAMS"),
    ("analysis.run", run(inputMode="revealed"), -32000, "UNSUPPORTED_OUTPUT"),
    ("analysis.run", run(outputs=[]), -32602, "INVALID_PARAMS"),
    ("analysis.run", run(outputs=[{"id": DEAL_IN}]), -32602, "INVALID_PARAMS"),
    ("analysis.run", run(outputs=[{"id": "kyoku-outcome", "parameters": {}}]), -32000,
     "UNSUPPORTED_OUTPUT"),
    ("analysis.run", run(events={}), -32602, "INVALID_PARAMS"),
    ("analysis.run", run(events=[]), -32000, "INVALID_HISTORY"),
    ("analysis.run", run(events=[7]), -32000, "INVALID_HISTORY"),
    ("analysis.run", run(events=[{"type": "none"}]), -32000, "INVALID_HISTORY"),
    ("analysis.run", run(events=[{"type": {}}]), -32000, "INVALID_HISTORY"),
    ("analysis.run", run(events=[{"type": []}]), -32000, "INVALID_HISTORY"),
    ("analysis.run", run(events=[{"type": "start_kyoku"}]), -32000, "INVALID_HISTORY"),
    ("analysis.run", run(events=[{"type": "end_kyoku"}] * 100_000), -32000, "INVALID_HISTORY"),
    ("analysis.run", run(controlledSeat=1), -32000, "INVALID_HISTORY"),
    ("analysis.run", with_candidates(None), -32000, "INVALID_CANDIDATES"),
    ("analysis.run", with_candidates([]), -32000, "INVALID_CANDIDATES"),
    ("analysis.run", with_candidates([{"candidateId": "a", "action": {}}]), -32000,
     "INVALID_CANDIDATES"),
    ("analysis.run", with_candidates([{"candidateId": "a", "action": DISCARD}] * 2), -32000,
     "INVALID_CANDIDATES"),
    ("analysis.run",
     with_candidates([{"candidateId": "a", "action": {**DISCARD, "pai": "?"}}]), -32000,
     "INVALID_CANDIDATES"),
    ("analysis.run",
     with_candidates([{"candidateId": "a", "action": {**DISCARD, "type": "win"}}]), -32000,
     "INVALID_CANDIDATES"),
    ("analysis.run",
     with_candidates([{"candidateId": n, "action": {"type": "ryukyoku", "actor": 0}}
                      for n in "ab"]), -32000, "INVALID_CANDIDATES"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "params", "code", "name"), WRONG)
def test_a_wrong_request_has_its_error(method: str, params: Message, code: int, name: str) -> None:
    before = ready().state
    with pytest.raises(RpcError) as caught:
        ready().answer(method, params)
    assert (caught.value.code, caught.value.name) == (code, name)
    assert ready().state == before == StudioState.ready


def test_an_order_of_requests_is_kept() -> None:
    engine = StudioEngine()
    with pytest.raises(RpcError, match=r"engine\.hello comes first"):
        engine.answer("engine.initialize", initialize_params([DEAL_IN]))
    engine.answer("engine.hello", hello_params())
    with pytest.raises(RpcError) as caught:
        engine.answer("analysis.run", run())
    assert caught.value.name == "ENGINE_NOT_INITIALIZED"


def test_a_payoff_that_there_is_none_of_fails_the_initialization() -> None:
    engine = StudioEngine()
    engine.answer("engine.hello", hello_params())
    with pytest.raises(RpcError) as caught:
        engine.answer("engine.initialize", initialize_params([DEAL_IN], payoff="a/b/c/d"))
    assert caught.value.name == "INITIALIZATION_FAILED"
    assert engine.state == StudioState.error
    engine.answer("engine.initialize", initialize_params([DEAL_IN]))
    assert engine.state == StudioState.ready


LINES: list[tuple[bytes, int, object]] = [
    (b"{", -32700, None),
    (b"\xff\xfe", -32700, None),
    (b'{"a": 1, "a": 2}', -32700, None),
    (b"[" * 100_000, -32700, None),
    (b"9" * 10_000, -32700, None),
    (b"[]", -32600, None),
    (b"null", -32600, None),
    (b'{"jsonrpc":"2.0","id":true,"method":"x","params":{}}', -32600, None),
    (b'{"jsonrpc":"2.0","id":"","method":"x","params":{}}', -32600, None),
    (b'{"jsonrpc":"1.0","id":7,"method":"x","params":{}}', -32600, 7),
    (b'{"jsonrpc":"2.0","id":"a","params":{}}', -32600, "a"),
    (b'{"jsonrpc":"2.0","id":"a","method":"x"}', -32600, "a"),
    (b'{"jsonrpc":"2.0","id":"a","method":"x","params":[]}', -32600, "a"),
    (b" " * MOST_BYTES + b"{}", -32600, None),
]


def test_a_line_that_is_no_request_is_answered_and_skipped() -> None:
    last = json.dumps({"jsonrpc": "2.0", "id": "z", "method": "engine.shutdown", "params": {}})
    note = b'{"jsonrpc":"2.0","method":"request.cancel","params":{"requestId":"a"}}'
    given = b"\n".join([*(line for line, _, _ in LINES), b"", note, last.encode(), b"never read"])
    out = io.BytesIO()
    assert serve(io.BytesIO(given), out) == (1, len(LINES))
    *errors, closed, stopping = map(json.loads, out.getvalue().splitlines())
    assert [(each["error"]["code"], each["id"]) for each in errors] == [
        (code, name) for _, code, name in LINES
    ]
    assert closed["result"] == {"ok": True}
    assert stopping["params"] == {"state": "stopping"}


def test_an_error_of_our_own_does_not_end_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: StudioEngine, method: str, params: Message) -> Message:
        raise ZeroDivisionError

    monkeypatch.setattr(StudioEngine, "answer", fails)
    line = b'{"jsonrpc":"2.0","id":1,"method":"x","params":{}}\n'
    out = io.BytesIO()
    assert serve(io.BytesIO(line * 2), out) == (2, 0)
    codes = [json.loads(each)["error"]["code"] for each in out.getvalue().splitlines()]
    assert codes == [-32603, -32603]


def test_a_host_that_has_left_is_no_error_of_our_own(capsys: pytest.CaptureFixture[str]) -> None:
    class Left(io.BytesIO):
        def write(self, _: object) -> int:
            raise BrokenPipeError

    line = {"jsonrpc": "2.0", "id": 1, "method": "engine.hello", "params": hello_params()}
    with pytest.raises(BrokenPipeError):
        serve(io.BytesIO(json.dumps(line).encode() + b"\n"), Left())
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("seed", range(3))
def test_requests_with_random_changes_are_answered_or_refused(seed: int) -> None:
    rng = generator(seed, "engine requests")
    decision = next(decisions(simulate_rule_players(3), 0))
    candidates = candidates_of(decision)
    params = run(outputs=[
        {"id": ACTION, "parameters": {"candidates": candidates}}, {"id": DEAL_IN, "parameters": {}},
    ])  # fmt: skip
    params["events"] = messages_of(simulate_rule_players(3), 0, 0)[decision.event]
    for _ in range(60):
        changed = _changed(params, rng)
        result: Any = None
        with suppress(RpcError):
            result = ready().answer("analysis.run", changed)
        json.dumps(result, allow_nan=False)
        assert ready().state == StudioState.ready


VALUES: tuple[Callable[[], object], ...] = (
    lambda: None, lambda: True, lambda: -1, lambda: 10**30, lambda: 1e308, lambda: "?",
    lambda: "5mr", lambda: "\ud800", dict, list, lambda: [[]], lambda: "none",
)  # fmt: skip


def _changed(value: Any, rng: np.random.Generator) -> Any:
    """A copy with one value somewhere inside replaced, left out or doubled."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not keys:
        return VALUES[rng.integers(len(VALUES))]()
    key = keys[rng.integers(len(keys))]
    out = dict(value) if isinstance(value, dict) else list(value)
    if isinstance(value[key], dict | list) and rng.random() < 0.85:
        out[key] = _changed(value[key], rng)
    elif isinstance(out, list) and rng.random() < 0.3:
        out.insert(key, out[key])
    elif rng.random() < 0.3:
        del out[key]
    else:
        out[key] = VALUES[rng.integers(len(VALUES))]()
    return out
