"""How hands ended, as columns: of labels, and of hands played on at tables in lockstep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from haiyomi.arrays import Bools, Ints, Ints32
from haiyomi.game.decision_labels import ENDINGS, LABELS, Labels
from haiyomi.game.observation import NONE
from haiyomi.kernels.game_rows import GameWords, game_rows
from haiyomi.kernels.replay import rule_numbers
from haiyomi.kernels.tables import Games
from haiyomi.outcomes.joint import ABORTED, DRAWN, ENDING_OF
from haiyomi.outcomes.starts import HandEnds
from haiyomi.rows import Rows
from haiyomi.rules import DEPOSIT, Ruleset

_DRAWN: Final = ENDINGS.index("exhaustive draw in tenpai")
"""The first ending that nobody wins."""
_ABORTED: Final = ENDINGS.index("abortive draw")


def labels_of(tables: Games, rules: Sequence[Ruleset], event: Ints32, seat: Ints32) -> Labels:
    """(n,) LABELS of one decision in each of n hands that have ended at tables that record them.

    ``rules`` of each table; the decision is that of the absolute ``seat`` after the ``event``.
    """
    n = len(tables)
    hands = [tables.recorded(i)[0] for i in range(n)]
    numbers = np.array([(*rule_numbers(each), each.rounds) for each in rules], np.int32)
    ends = np.cumsum([0, *map(len, hands)], dtype=np.int64)
    games = GameWords(
        np.concatenate(hands), ends, np.arange(n + 1, dtype=np.int64), np.zeros(n, np.uint64),
        numbers, np.zeros(n, np.uint8), np.zeros((n, 4), np.int32), np.zeros((0, 5), np.int32),
    )  # fmt: skip
    _, labels = game_rows(games, only=np.stack([event, seat], axis=1))
    return labels.view(LABELS).reshape(-1)


@dataclass(frozen=True, slots=True, eq=False)
class PlayedEnds(Rows):
    """n ends of a hand for the seat that decided.

    ``ending`` (n,) of ``Ending``; ``change`` (n,) of the own score from the decision on; ``ronned``
    (n,) whether its tile was won on at once; ``hand`` the ends for all seats, which are absolute.
    """

    ending: Ints
    change: Ints
    ronned: Bools
    hand: HandEnds


def ends_of_tables(
    tables: Games, rules: Ruleset, event: int, seat: int, scores: Sequence[int], kyoku: int,
    pool: int,
) -> PlayedEnds:  # fmt: skip
    """The ends of hands that began from one decision, of the absolute ``seat`` after ``event``.

    ``scores`` before it by absolute seat, ``kyoku`` of the hand; ``pool`` all scores and deposits
    on the table in points.
    """
    n = len(tables)
    labels = labels_of(tables, [rules] * n, np.full(n, event, np.int32), np.full(n, seat, np.int32))
    facts, _ = tables.standings()
    after = np.array(scores) + np.roll(labels["deltas"], seat, axis=1)
    following = facts[:, 3]
    hand = HandEnds(
        labels["ending"] == _ABORTED,
        following == kyoku,
        after.astype(np.int32),
        ((pool - after.sum(axis=1)) // DEPOSIT).astype(np.int32),
        following,
        facts[:, 4],
    )
    return PlayedEnds(endings_of(labels), labels["deltas"][:, 0].astype(np.int64),
                labels["ronned"] != 0, hand)  # fmt: skip


def endings_of(labels: Labels) -> Ints:
    """(n,) the ``Ending`` of each row for the seat that decides."""
    return ENDING_OF[joint_endings(labels)[0]]


def joint_endings(labels: Labels) -> tuple[Ints, Ints]:
    """(n,) the ending of ``JOINT`` of each row, and (n,) the first winner in turn, -1 without."""
    kind = labels["ending"]
    wins = labels["winners"][:, None] >> np.arange(4) & 1 != 0
    payer = labels["from"].astype(np.int64)
    # The first winner in turn after who dealt in; an own draw has one winner.
    turn = (np.where(payer == NONE, 0, payer)[:, None] + 1 + np.arange(4)) % 4
    at = np.take_along_axis(wins, turn, 1).argmax(axis=1)
    winner = np.take_along_axis(turn, at[:, None], 1)[:, 0]
    named = np.where(wins[:, 0], 0, winner)  # who wins beside others has won
    won = 4 * named + np.where(payer == NONE, named, payer)
    drawn = np.where(kind == _ABORTED, ABORTED, DRAWN + labels["tenpai"].astype(np.int64))
    return np.where(kind < _DRAWN, won, drawn), np.where(kind < _DRAWN, winner, -1)
