"""What the core refuses to choose from; ``tests/styles`` compares what it chooses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from haiyomi.kernels.policy_choice import QUESTIONS, policy_choices
from haiyomi.play.actions import N_ACTIONS, PASS, parse_action

OWN = 255


def given(**changes: Any) -> dict[str, Any]:
    """Two decisions, a discard of 1m or 2m and a pon of 5m that may be passed, with changes."""
    legal = np.zeros((2, N_ACTIONS), np.bool_)
    legal[0, [parse_action("discard 1m"), parse_action("tsumogiri 2m")]] = True
    legal[1, [parse_action("pon 5m"), PASS]] = True
    discards = np.zeros((2, 34), np.float32)
    discards[0, 1] = 1
    acts = np.ones((2, 9), np.float32)
    return {
        "offered": np.array([OWN, 4], np.uint8),
        "legal": legal,
        "logits": (discards, np.zeros((2, 34), np.float32), acts),
        "uniforms": np.full((2, QUESTIONS), 0.01),
        "temperature": 0.0,
    } | changes


def test_only_what_is_drawn_uses_a_number() -> None:
    names = ("tsumogiri 2m", "pon 5m"), ("discard 1m", "pass")
    for temperature, used, expected in ((0.0, 0, names[0]), (1.0, 1, names[1])):
        for in_order in (False, True):
            found = policy_choices(**given(temperature=temperature, in_order=in_order))
            assert found[0].tolist() == [parse_action(name) for name in expected]
            assert found[1].tolist() == [used, used]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"offered": np.array([OWN, 34], np.uint8)}, "decision 1: .* no such tile"),
        ({"offered": np.array([4, 4], np.uint8)}, "decision 0: .* no pass"),
        ({"offered": np.array([OWN, OWN], np.uint8)}, "decision 1: no discard in the own turn"),
        ({"offered": np.array([OWN], np.uint8)}, "legal actions for another number"),
        ({"legal": np.zeros((3, N_ACTIONS), np.bool_)}, "legal actions for another number"),
        ({"uniforms": np.ones((2, QUESTIONS))}, r"outside \[0, 1\)"),
        ({"uniforms": np.full((2, QUESTIONS), np.nan)}, r"outside \[0, 1\)"),
        ({"uniforms": np.zeros((1, QUESTIONS))}, "random numbers for another number"),
        ({"logits": [np.full((2, n), np.nan) for n in (34, 34, 9)]}, "not a number"),
        ({"logits": [np.zeros((1, n)) for n in (34, 34, 9)]}, "logits for another number"),
        ({"temperature": np.nan}, "the temperature is not a number"),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        policy_choices(**given(**changes))
