"""A player's class and style vector from any records of theirs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from haiyomi.apps.policy_labels import label_of
from haiyomi.arrays import Singles
from haiyomi.counted import counted
from haiyomi.errors import RecordError
from haiyomi.events import Event, Game
from haiyomi.game.decision_labels import CHOICE, is_known
from haiyomi.game.decision_record import DECISION
from haiyomi.game.packed_games import decode_one, pack_games
from haiyomi.kernels.network import STYLE
from haiyomi.play.decision import Decision
from haiyomi.play.packed_decision import pack_decision, unpack_decisions
from haiyomi.styles.answer import full_name, players_of, style_in
from haiyomi.styles.estimate import style_vector
from haiyomi.styles.game_sums import tallied
from haiyomi.styles.policy import Policy


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """``player`` by full name; ``style`` the class, None without a hanchan; ``vector`` (STYLE,)
    estimated from ``decisions`` in ``games``."""

    player: str
    style: str | None
    vector: Singles
    games: int
    decisions: int


def player_history(policy: Policy, records: Iterable[Game], player: str) -> History:
    """A player's history in some records: of that name, or the only one whose name contains it.

    The class comes from the statistics of their hanchan, the vector from their choices in all
    games, near the class's. Raises HaiyomiError where there is no such player, or more than one.
    """
    games = list(records)
    names = sorted({name for game in games for name in game.header.names if name})
    name = full_name(player, names, counted(len(games), "game"))
    mine = [(i, g) for i, g in enumerate(games) if name in g.header.names]
    sums = tallied((str(i), g) for i, g in mine)
    style = None
    if name in players_of(sums):
        style = style_in(sums, name).style
    centre = policy.styles.get(style) if style is not None else None
    rows, choices = [np.zeros(0, DECISION)], [np.zeros(0, CHOICE)]
    for i, game in mine:
        try:
            decided, labels = decode_one(pack_games([(str(i), game)]))
        except RecordError:
            continue
        theirs = is_known(labels) & (np.array(game.header.names)[labels["seat"]] == name)
        rows.append(decided[theirs])
        choices.append(labels["choice"][theirs])
    shown = np.concatenate(rows)
    vector = style_vector(policy, shown, np.concatenate(choices), centre)
    return History(name, style, vector, len(mine), len(shown))


def shown_so_far(
    policy: Policy,
    watched: Sequence[tuple[Decision, Sequence[Event]]],
    centre: Singles | None = None,
) -> tuple[Singles, int]:
    """(style vector (STYLE,), number of decisions) from the choices of a seat that a bot watched;
    ``centre`` is the mean of the prior. Each decision comes with the events after it."""
    packed: list[bytes] = []
    labels: list[Any] = []
    for decision, after in watched:
        label = label_of(decision.choices, decision.seat, after) if after else None
        if label is None:
            continue
        # A live stream may state points and counts that no game has, and that no record holds.
        with suppress(ValueError):
            packed.append(pack_decision(decision))
            labels.append(label[0])
    if not packed:
        start = np.zeros(STYLE, np.float32) if centre is None else centre
        return start, 0
    rows = unpack_decisions(b"".join(packed))
    return style_vector(policy, rows, np.array(labels, CHOICE), centre), len(rows)
