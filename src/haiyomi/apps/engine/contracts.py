"""What the engine declares: its outputs by minor version of the protocol, metrics, options."""

from __future__ import annotations

from typing import Final

import haiyomi
from haiyomi.analysis.value import PAYOFF
from haiyomi.json_types import Json
from haiyomi.rules import MAHJONG_SOUL, TENHOU

PROTOCOL: Final = "riichi-engine-protocol"
MAJOR: Final = 2
MINOR: Final = 2
"""The highest minor version that the engine speaks."""
UNVERSIONED: Final = 2
"""Before this minor version a reference to an output carries its own version."""
OUTPUT_VERSION: Final = 1
ENGINE_ID: Final = "haiyomi"

_BOTH: Final = ("distribution", "expected-value")
_MEAN: Final = ("expected-value",)
_SINCE: Final[dict[str, tuple[int, tuple[str, ...]]]] = {
    "action-recommendation": (0, ()),
    "opponent-shanten": (0, ()),
    "opponent-deal-in-probability": (0, ()),
    "opponent-concealed-tile-count": (0, _BOTH),
    "opponent-score": (0, _MEAN),
    "wall-tile-count": (0, _MEAN),
    "kyoku-outcome": (2, ()),
    "kyoku-score-delta": (1, _MEAN),
    "match-placement": (1, _BOTH),
    "match-score": (1, _MEAN),
}
"""Of each output the first minor version that has it in today's form, and its representations."""
ACTION: Final = "action-recommendation"
PRIMARY, RECOMMENDATION = "value", "recommendation"
_METRICS: Final[tuple[tuple[str, str, str, str, str, int, str, str], ...]] = (
    (
        RECOMMENDATION, "Recommended", "おすすめ度", "推荐度", "percentage", 1, "higher",
        "How often haiyomi chooses the action: players' choices, reweighted by the expected value.",
    ),
    (
        PRIMARY, "Value", "評価値", "期望价值", "number", 2, "higher",
        "Expected value of the place at the end of the game, under the payoff of the options.",
    ),
    (
        "points", "Points", "期待点数", "期望点数", "points", 0, "higher",
        "Expected change of the own score until the end of the hand.",
    ),
    (
        "average-place", "Average place", "平均順位", "平均顺位", "number", 2, "lower",
        "Expected place at the end of the game.",
    ),
    (
        "players", "Players", "選択率", "选择率", "percentage", 1, "none",
        "How often players of Tenhou's highest table choose the action.",
    ),
    (
        "win", "Win", "和了率", "和牌率", "percentage", 1, "higher",
        "Probability of winning the hand.",
    ),
    (
        "deal-in", "Deal-in", "放銃率", "放铳率", "percentage", 1, "lower",
        "Probability that another wins on an own tile, now or later.",
    ),
    (
        "deal-in-now", "Deal-in now", "直後の放銃率", "立即放铳率", "percentage", 1, "lower",
        "Probability that another wins on the tile of this action.",
    ),
)  # fmt: skip
METRIC_IDS: Final = tuple(metric[0] for metric in _METRICS)
DEVICE: Final = "cpu"
LENGTHS: Final = ("hanchan", "east")
RULES: Final = (TENHOU.name, MAHJONG_SOUL.name)


def known(minor: int) -> tuple[str, ...]:
    """The ids of the outputs at a minor version."""
    return tuple(name for name, (since, _) in _SINCE.items() if since <= minor)


def reference(name: str, minor: int) -> Json:
    """The reference to an output."""
    return {"id": name} if minor >= UNVERSIONED else {"id": name, "version": OUTPUT_VERSION}


def declaration(name: str, minor: int, initialized: bool = False) -> Json:
    """What an output can do: the same in the handshake and after initialization, which adds the
    two metrics that lead."""
    found = {**reference(name, minor), "supportsRevealedHands": False}
    representations = _SINCE[name][1]
    if representations:
        found["representations"] = list(representations)
    if name == ACTION:
        found["metrics"] = [_metric(*metric) for metric in _METRICS]
        if initialized:
            found["primaryMetricId"] = PRIMARY
            found["recommendationMetricId"] = RECOMMENDATION
    return found


def _metric(
    name: str, title: str, ja: str, zh: str, form: str, digits: int, direction: str, about: str
) -> Json:
    return {
        "id": name,
        "title": {"default": title, "en": title, "ja": ja, "zh-CN": zh},
        "description": {"default": about},
        "format": form,
        "fractionDigits": digits,
        "preferredDirection": direction,
    }


def hello(minor: int) -> Json:
    """The answer to the handshake at the negotiated minor version."""
    return {
        "protocol": protocol(minor),
        "engine": {"id": ENGINE_ID, "name": "haiyomi", "version": haiyomi.__version__},
        "outputContracts": [declaration(name, minor) for name in known(minor)],
        "weightSlots": [],
        "devices": [{"type": DEVICE, "title": {"default": "CPU"}}],
        "runtimeCapabilities": {
            "multipleSessions": True,
            "concurrentRequests": False,
            "cancellation": False,
        },
        "optionsSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "payoff": {
                    "type": "string",
                    "title": "Payoff",
                    "description": "What the places are worth, as for `haiyomi value --payoff`.",
                    "maxLength": 100,
                    "default": PAYOFF,
                },
                "length": {
                    "type": "string",
                    "title": "Length of the game",
                    "enum": list(LENGTHS),
                    "default": LENGTHS[0],
                },
                "rules": {
                    "type": "string",
                    "title": "Rules of the table",
                    "enum": list(RULES),
                    "default": RULES[0],
                },
            },
            "additionalProperties": False,
        },
    }


def protocol(minor: int = MINOR) -> Json:
    """The protocol's identifier."""
    return {"name": PROTOCOL, "major": MAJOR, "minor": minor}
