"""Mutated input never does more than raise a named error; what once did has a named case.

The long runs are ``fuzz.run``, ``fuzz.kernels`` and ``fuzz.server``;
docs/explanation/reliability.md tells how long.
"""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fuzz.calls import Calls
from fuzz.kernels import REFUSALS, SHARES, function
from fuzz.kernels import run as call_kernels
from fuzz.mutate import mutate
from fuzz.targets import Target, make_targets
from hypothesis import given, settings
from hypothesis import strategies as st

from haiyomi import _core
from haiyomi.game.decision_record import as_bytes
from haiyomi.game.observation import NONE, OBSERVATION

TARGETS = make_targets()


@pytest.mark.parametrize("target", TARGETS.values(), ids=list(TARGETS))
def test_the_seeds_are_sound(target: Target) -> None:
    """Mutations of what is refused at once would try nothing."""
    outcomes = [target.outcome(seed) for seed in target.seeds]
    assert outcomes.count("ok") >= len(outcomes) / 2


@pytest.mark.parametrize("target", TARGETS.values(), ids=list(TARGETS))
@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(seed=st.integers(0, 2**32))
def test_mutated(target: Target, seed: int) -> None:
    target.outcome(mutate(random.Random(seed), target.seeds))


@pytest.mark.parametrize("target", TARGETS.values(), ids=list(TARGETS))
@settings(max_examples=50, deadline=None, derandomize=True, database=None)
@given(data=st.binary(max_size=400))
def test_noise(target: Target, data: bytes) -> None:
    target.outcome(data)


def test_random_calls_of_the_core() -> None:
    """Wrong dtypes, shapes and ranges raise; in the sanitizers' run this is watched by them."""
    counts = call_kernels(8_000, 7, lambda *_: None)
    assert counts["answered"] > 5_000
    assert counts["refused"] > 500
    assert set(counts) == {*SHARES, "answered", "refused"}


def test_every_function_of_the_core_is_called() -> None:
    """A function added to the core without a call here would never be watched."""
    public = {name for name in dir(_core) if callable(getattr(_core, name))} - set(dir(object))
    methods = {
        f"{made.__name__}.{name}"
        for made in (_core.Network, _core.Posterior, _core.Tables)
        for name in dir(made)
    }
    assert set(SHARES) == {n for n in public | methods if not n.rpartition(".")[2].startswith("_")}
    assert all(share > 0 for share in SHARES.values())


@pytest.mark.parametrize("name", SHARES)
def test_calls_are_sound(name: str) -> None:
    """Of each function, calls that answer: those that are all refused would try nothing."""
    made = Calls(3)
    factors = np.ones((34, 5)), np.ones((4, 14)), np.ones((34, 4)), np.ones(15)
    made.keep(_core.Posterior(10, *factors, 1.0, 1.0), [10])
    made.keep(_core.Network(*made.Network()), [])
    seeds = np.arange(6, dtype=np.uint64)
    rules = (True, True, True, False, False, 4, False, False, True, False)
    made.keep(_core.Tables(rules, (2, 25000, 30000, True), seeds, seeds, 1, True), [])
    answered = 0
    for _ in range(30):
        with suppress(*REFUSALS):
            function(made, name)(*getattr(made, name.replace(".", "_"))())
            answered += 1
    assert answered >= 5


# -- findings -------------------------------------------------------------------------------


@pytest.mark.parametrize("draws", [2**63, 2**62 + 1, 2**31, 1_000_001])
def test_more_samples_than_fit_into_memory(draws: int) -> None:
    """A named case: the size of the answer was a product that could wrap around to nothing."""
    logs = np.zeros((1, 34, 5))
    with pytest.raises((ValueError, TypeError)):
        _core.hand_samples(logs, np.array([13], np.uint8), np.ones(1, np.uint64), draws)


def test_more_hands_than_fit_into_memory() -> None:
    """A named case: 2**31 - 1 hands of a posterior were 73 GB asked for."""
    made = _core.Posterior(
        13, np.ones((34, 5)), np.ones((4, 14)), np.ones((34, 4)), np.ones(15), 1.0, 1.0
    )
    with pytest.raises(ValueError, match="1000000 samples"):
        made.sample(2**31 - 1, 1, -1, 0)


FLAT = np.ones((34, 5)), np.ones((4, 14)), np.ones((34, 4)), np.ones(15), 1.0, 1.0


def test_points_of_what_cannot_be() -> None:
    """A named case: numbers that no table has were answered."""
    rows, one = np.zeros(1, OBSERVATION), np.ones(1, np.uint8)
    rows["unseen"], rows["players"]["melds"], rows["indicators"] = 4, NONE, NONE
    made, chance = _core.Posterior(10, *FLAT), np.ones((1, 1))

    def asked(
        fu: int = 4, seat: int = 1, kind: int = 33, draws: int = 4, posterior: Any = made
    ) -> Any:
        return _core.ron_cells(
            [posterior], as_bytes(rows), one * seat, (True, False, fu, False),
            one * kind, np.full((1, 1), draws, np.int32), chance, 0.0,
        )[0]  # fmt: skip

    rows["players"]["melds"][0, 1, 0] = 1, 31, 31, 0, 0, 0
    assert asked().sum() == pytest.approx(1)
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"fu": 300}, "wind_pair_fu"), ({"fu": -1}, "wind_pair_fu"), ({"seat": 0}, "seats"),
        ({"kind": 34}, "kinds must be"), ({"draws": 2**31 - 1}, "1000000 samples"),
    )  # fmt: skip
    for change, text in wrong:
        with pytest.raises(ValueError, match=text):
            asked(**change)
    with pytest.raises(TypeError, match="no posterior"):
        asked(posterior=None)
    rows["players"]["melds"][0, 1, 0] = 0, 7, 7, 0, 0, 0
    with pytest.raises(ValueError, match="no chi starts"):
        asked()
    rows["players"]["melds"][0, 1, 0] = 1, 4, 4, 0, 0, 4
    with pytest.raises(ValueError, match="red fives"):
        asked()
    rows["unseen"] = 255
    with pytest.raises(ValueError, match="at most 4 of a kind are unseen"):
        asked()


@pytest.mark.parametrize("name", ["hand_best", "hand_marginals"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_counts_of_what_is_no_weight(name: str, value: float) -> None:
    """A named case: the best hand by a NaN was answered."""
    logs, one = np.zeros((1, 34, 5)), np.array([13], np.uint8)
    function = getattr(_core, name)
    function(logs, one)
    logs[0, 3, 2] = value
    with pytest.raises(ValueError, match="below infinity"):
        function(logs, one)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux alone tells")
def test_hostile_clients_of_the_server() -> None:
    """The long run is ``fuzz.server``."""
    pytest.importorskip("fastapi", reason="the extra [web] is not installed")
    from fuzz.server import run

    result = run(15, 3)
    assert result["findings"] == 0
