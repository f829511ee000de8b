"""Which model says what comes after options: that of options, or the state of one network."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from haiyomi.networks.opponents import OpponentNetwork, shipped_opponents
from haiyomi.outcomes.later import LaterModel
from haiyomi.outcomes.option_model import OptionModel
from haiyomi.outcomes.state import StateLater
from haiyomi.styles.policy import Policy, shipped_policy

FILES: Final = ("options", "policy", "opponents")
"""The model files of a folder, each with the ending ``.safetensors``."""
SHIPPED: Final = Path(__file__).with_name("options.safetensors")


@cache
def shipped() -> OptionModel:
    """The shipped model of options, read once. Raises ModelError where there is none."""
    return OptionModel.load(SHIPPED, shipped_policy(), shipped_opponents().network)


def load_later(path: Path) -> LaterModel:
    """The model of a folder with ``FILES``, or the state of one network's file. Raises ModelError
    where a file is missing or does not fit."""
    if not path.is_dir():
        return StateLater.load(path)
    options, policy, opponents = (path / f"{name}.safetensors" for name in FILES)
    made = Policy.load(policy)
    return OptionModel.load(options, made, OpponentNetwork.load(opponents).network)
