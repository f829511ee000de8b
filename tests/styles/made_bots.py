"""Bots on a small made policy, and a made game as one of them gets it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from made_networks import POLICY, made_network

from haiyomi.events import visible_to
from haiyomi.kernels.network import STYLE
from haiyomi.logs.mjai_write import messages, start_kyoku
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.seeds import generator
from haiyomi.styles.bot import Bot
from haiyomi.styles.policy import Policy
from haiyomi.tiles import Seat


def bot_policy() -> Policy:
    return Policy(made_network(POLICY, 7, 0.03), {"bold": np.ones(STYLE, np.float32)})


def make_bot(policy: Policy, seat: int | None, temperature: float = 0.0, salt: int = 0) -> Bot:
    rng = generator(1, "bot", seat or 0, salt)
    return Bot(seat, policy=policy, temperature=temperature, seed=rng)


def seen_lines(seat: int, number: int = 0) -> list[str]:
    """A made game as mjai lines that one seat gets."""
    game = simulate_rule_players(5, number)
    out: list[dict[str, Any]] = []
    starts = iter(game.hands)
    for message in messages(game):
        if message["type"] == "start_game":
            message = {**message, "id": seat}
        elif message["type"] == "start_kyoku":
            hand = next(starts)
            message = start_kyoku(hand.start, visible_to(hand.events[1], Seat(seat)))  # type: ignore[arg-type]
        elif message["type"] == "tsumo" and message["actor"] != seat:
            message = {**message, "pai": "?"}
        out.append(message)
    return [json.dumps(m) for m in out]
