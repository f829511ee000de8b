"""Games as arrays of words, which the core turns into decision records and labels."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np

from haiyomi.events import Game
from haiyomi.game.decision_labels import LABELS, Labels
from haiyomi.game.decision_record import DECISION, Decisions
from haiyomi.kernels.game_rows import GameFault, GameWords, game_rows
from haiyomi.kernels.replay import encode, rule_numbers


def game_key(name: str) -> int:
    """The name of a game as a number of 64 bits; samples of decisions depend on it."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")


def pack_games(games: Iterable[tuple[str, Game]]) -> GameWords:
    """The words of named games. Raises IllegalError for an event that has no words."""
    words: list[int] = []
    hands, starts = [0], [0]
    keys, rules, whole, final = [], [], [], []
    changes: list[tuple[int, int, int, int, int]] = []
    for number, (name, game) in enumerate(games):
        for hand in game.hands:
            words += encode(hand)
            hands.append(len(words))
        starts.append(len(hands) - 1)
        keys.append(game_key(name))
        header = game.header
        rules.append((*rule_numbers(header.rules), header.rules.rounds))
        whole.append(header.final is not None)
        final.append(header.final or (0, 0, 0, 0))
        changes += [(number, a.hand, a.event, a.seat, a.back) for a in game.absences]
    return GameWords(
        np.array(words, np.int32),
        np.array(hands, np.int64),
        np.array(starts, np.int64),
        np.array(keys, np.uint64),
        np.array(rules, np.int32).reshape(-1, 11),
        np.array(whole, np.uint8),
        np.array(final, np.int32).reshape(-1, 4),
        np.array(changes, np.int32).reshape(-1, 5),
    )


def decode_games(
    games: GameWords, discards: bool = False, fraction: float = 1.0, seed: int = 0
) -> tuple[Decisions, Labels]:
    """The decisions of all seats in some games, with their labels: game by game, in order.

    A decision has two options at least, and the seat's line is up. Where its choice cannot be known
    (another's call or win came first) nothing is decided in its label. Other arguments and errors
    as ``kernels.game_rows``.
    """
    records, labels = game_rows(games, discards, fraction, seed)
    return records.view(DECISION).reshape(-1), labels.view(LABELS).reshape(-1)


def decode_one(words: GameWords, discards: bool = False) -> tuple[Decisions, Labels]:
    """``decode_games`` of one game. Raises RecordError if it does not replay."""
    try:
        return decode_games(words, discards)
    except GameFault as fault:
        raise fault.error from None
