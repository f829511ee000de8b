"""The engine: a request in, a result out; between two requests it keeps its configuration alone.

A session has no state, because every request brings the whole hand: no answer depends on what was
asked before, in this session or another.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.models import Models
from haiyomi.analysis.value import PAYOFF
from haiyomi.apps.engine.candidates import Candidate, read_candidates
from haiyomi.apps.engine.contracts import (
    ACTION,
    DEVICE,
    LENGTHS,
    MAJOR,
    MINOR,
    OUTPUT_VERSION,
    PROTOCOL,
    RULES,
    UNVERSIONED,
    declaration,
    hello,
    known,
    reference,
)
from haiyomi.apps.engine.forecast_outputs import ANSWERS, Situation
from haiyomi.apps.engine.history import read_history
from haiyomi.apps.engine.recommend import recommendation
from haiyomi.apps.engine.rpc import (
    INVALID_REQUEST,
    UNKNOWN_METHOD,
    RpcError,
    a_number,
    a_text,
    an_array,
    an_object,
    refused,
    wrong,
)
from haiyomi.errors import HaiyomiError
from haiyomi.json_types import Json
from haiyomi.outcomes.improved import ImprovedPolicy, shipped_improved
from haiyomi.outcomes.payoff import Payoff
from haiyomi.rules import Ruleset, rules_of
from haiyomi.tiles import Seat


class StudioState(StrEnum):
    """What the engine is doing."""

    starting = "starting"
    uninitialized = "uninitialized"
    loading = "loading"
    ready = "ready"
    busy = "busy"
    error = "error"
    stopping = "stopping"


@dataclass(frozen=True, slots=True)
class _Configuration:
    """What ``engine.initialize`` has set."""

    outputs: tuple[str, ...]
    rules: Ruleset
    analyzer: Analyzer
    improved: ImprovedPolicy


@dataclass(frozen=True, slots=True)
class _Asked:
    """One output of an analysis; ``candidates`` of a recommendation."""

    name: str
    candidates: tuple[Candidate, ...] = ()


class StudioEngine:
    """Answers requests; ``changed`` is called with every new state."""

    def __init__(self, changed: Callable[[StudioState], None] = lambda state: None) -> None:
        self.state = StudioState.starting
        self._changed = changed
        self._minor: int | None = None
        self._set: _Configuration | None = None
        self._last_error: str | None = None
        self._methods: dict[str, Callable[[Json], Json]] = {
            "engine.hello": self._hello,
            "engine.initialize": self._initialize,
            "engine.getStatus": self._status,
            "engine.shutdown": self._shutdown,
            "analysis.run": self._run,
            "session.reset": self._session,
            "session.close": self._session,
        }

    def answer(self, method: str, params: Json) -> Json:
        """The result of a request. Raises RpcError."""
        if method not in self._methods:
            raise RpcError(UNKNOWN_METHOD, "UNKNOWN_METHOD", f"no method {method[:60]!r}")
        if self._minor is None and method not in ("engine.hello", "engine.shutdown"):
            raise RpcError(INVALID_REQUEST, "INVALID_REQUEST", "engine.hello comes first")
        try:
            return self._methods[method](params)
        except RpcError as error:
            self._last_error = str(error)
            raise

    def become(self, state: StudioState) -> None:
        """Enter a state."""
        if state != self.state:
            self.state = state
            self._changed(state)

    # -- the handshake -----------------------------------------------------------------------

    def _hello(self, params: Json) -> Json:
        asked = an_object(params.get("protocol"), "protocol")
        minor, major = asked.get("minor"), asked.get("major")
        fits = asked.get("name") == PROTOCOL and major == MAJOR and not isinstance(major, bool)
        if not fits or isinstance(minor, bool) or not isinstance(minor, int) or minor < 0:
            raise refused("PROTOCOL_MISMATCH", f"haiyomi speaks {PROTOCOL} {MAJOR}.{MINOR}")
        host = an_object(params.get("host"), "host")
        a_text(host.get("id"), "host.id")
        a_text(host.get("version"), "host.version")
        self._minor = min(minor, MINOR)
        if self.state == StudioState.starting:
            self.become(StudioState.uninitialized)
        return hello(self._minor)

    def _status(self, params: Json) -> Json:
        return {
            "state": str(self.state),
            "activeTasks": 0,
            "queuedTasks": 0,
            "lastError": self._last_error,
        }

    def _shutdown(self, params: Json) -> Json:
        return {"ok": True}

    def _session(self, params: Json) -> Json:
        a_text(params.get("sessionId"), "sessionId")
        return {"ok": True}

    # -- initialization ----------------------------------------------------------------------

    def _initialize(self, params: Json) -> Json:
        assert self._minor is not None
        outputs = self._references(params.get("enabledOutputs"), "enabledOutputs")
        for name in outputs:
            if name not in known(self._minor):
                raise refused("UNSUPPORTED_OUTPUT", f"no output {name[:60]!r}")
        if an_array(params.get("weights"), "weights"):
            raise refused("INVALID_WEIGHT", "haiyomi takes no weights")
        device = an_object(params.get("device"), "device").get("type")
        if device != DEVICE:
            raise wrong(f"the device is {DEVICE}")
        options = _options(an_object(params.get("options"), "options"))
        rules = rules_of(options["rules"]).but(rounds=1 if options["length"] == LENGTHS[1] else 2)
        self._set = None
        self.become(StudioState.loading)
        try:
            self._set = _load(outputs, rules, options["payoff"])
        except HaiyomiError as error:
            self.become(StudioState.error)
            raise refused("INITIALIZATION_FAILED", str(error)) from None
        self.become(StudioState.ready)
        return {
            "outputs": [declaration(name, self._minor, initialized=True) for name in outputs],
            "device": {"type": DEVICE},
            "effectiveOptions": dict(options),
        }

    def _references(self, value: object, what: str) -> list[str]:
        """The ids of references to outputs, each once."""
        assert self._minor is not None
        names = []
        for each in an_array(value, what, least=1):
            found = an_object(each, f"an output of {what}")
            name = a_text(found.get("id"), "the id of an output")
            version = found.get("version", OUTPUT_VERSION)
            if self._minor < UNVERSIONED and version != OUTPUT_VERSION:
                raise refused("UNSUPPORTED_OUTPUT", f"no version {version!r} of {name[:60]!r}")
            names.append(name)
        if len(set(names)) < len(names):
            raise wrong(f"{what} has an output twice")
        return names

    # -- analysis ----------------------------------------------------------------------------

    def _run(self, params: Json) -> Json:
        begun = time.perf_counter()
        configuration = self._set
        if configuration is None:
            raise refused("ENGINE_NOT_INITIALIZED", "engine.initialize has not succeeded yet")
        a_text(params.get("sessionId"), "sessionId")
        seat = Seat(a_number(params.get("controlledSeat"), "controlledSeat", 0, 3))
        if params.get("inputMode") not in ("standard", "revealed"):
            raise wrong("inputMode is neither standard nor revealed")
        asked = self._asked(params.get("outputs"), seat, configuration)
        if params["inputMode"] == "revealed":
            raise refused("UNSUPPORTED_OUTPUT", "no output takes revealed hands")
        events = an_array(params.get("events"), "events")
        self.become(StudioState.busy)
        try:
            results = _results(asked, events, seat, configuration)
        finally:
            self.become(StudioState.ready)
        assert self._minor is not None
        return {
            "outputs": [
                {**reference(each.name, self._minor), "data": data}
                for each, data in zip(asked, results, strict=True)
            ],
            "timing": {"totalMs": 1000 * (time.perf_counter() - begun)},
        }

    def _asked(self, value: object, seat: Seat, configuration: _Configuration) -> list[_Asked]:
        names = self._references(value, "outputs")
        found = []
        for name, each in zip(names, an_array(value, "outputs"), strict=True):
            if name not in configuration.outputs:
                raise refused("UNSUPPORTED_OUTPUT", f"the output {name[:60]!r} is not enabled")
            given = an_object(an_object(each, "an output").get("parameters"), "parameters")
            candidates = tuple(read_candidates(given, seat)) if name == ACTION else ()
            found.append(_Asked(name, candidates))
        return found


def _results(
    asked: list[_Asked], events: list[object], seat: Seat, configuration: _Configuration
) -> list[Json]:
    """The payload of each output."""
    history = read_history(events, seat, configuration.rules)
    situation = Situation(history, configuration.analyzer.models)
    return [
        recommendation(history, each.candidates, configuration.analyzer, configuration.improved)
        if each.name == ACTION
        else ANSWERS[each.name](situation)
        for each in asked
    ]


def _options(given: Json) -> dict[str, str]:
    """The options with their defaults. Raises RpcError."""
    effective = {"payoff": PAYOFF, "length": LENGTHS[0], "rules": RULES[0]}
    for name, value in given.items():
        if name not in effective:
            raise wrong(f"no option {name[:60]!r}")
        if not isinstance(value, str) or len(value) > 100:
            raise wrong(f"the option {name} is no short text")
        effective[name] = value
    if effective["length"] not in LENGTHS:
        raise wrong(f"the option length is {' or '.join(LENGTHS)}")
    if effective["rules"] not in RULES:
        raise wrong(f"the option rules is {' or '.join(RULES)}")
    return effective


def _load(outputs: list[str], rules: Ruleset, payoff: str) -> _Configuration:
    """Load the models that the outputs need. Raises HaiyomiError."""
    for rounds in (1, 2):
        Payoff.parse(payoff, replace(rules, rounds=rounds))
    analyzer = Analyzer(Models(), payoff=payoff)
    analyzer.models.deal_in.prepare()
    return _Configuration(tuple(outputs), rules, analyzer, shipped_improved())
