"""Paired branches: several options of one decision, each played to the end of the hand.

The branches of a decision have the same four hands, the same wall and the same random numbers, so
that the difference of two of them comes from the option and from little else. After the option all
four seats go on by a policy, each from its own view; the seat of the option may go on by a better
one instead, so that another round of improvement builds on it. At the next turn of the seat a
network may say how the hand ends from there, which depends much less on luck than the end does.
The decisions come from games of which all hands are known: records, or self-play. Which of them are
taken depends on a hash of their place, and which options on the policy's shares: never on what
followed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Bytes, Floats, Ints, Ints32, Singles
from haiyomi.game.decision_labels import LABELS, Labels
from haiyomi.game.decision_record import OPEN_KAN, RIICHI, Decisions
from haiyomi.game.observation import NONE
from haiyomi.game.packed_games import decode_games
from haiyomi.kernels.decode import length_of
from haiyomi.kernels.game_rows import GameWords
from haiyomi.kernels.replay import rule_numbers
from haiyomi.kernels.tables import Games, Worlds, games_of_worlds
from haiyomi.networks.network import Network
from haiyomi.networks.shape import JOINT_ENDINGS, WORTH_CLASSES
from haiyomi.outcomes.improved import ImprovedPolicy, shipped_improved
from haiyomi.outcomes.option_actions import OptionActions, option_shares, options_of_records
from haiyomi.outcomes.state import state_logits
from haiyomi.play.actions import N_ACTIONS
from haiyomi.playouts.branches import NextTurns, play_options
from haiyomi.playouts.ends import labels_of
from haiyomi.rules import TENHOU, TENHOU_EAST
from haiyomi.styles.policy import Policy
from haiyomi.training.option_payments import payments
from haiyomi.training.targets import state_targets

RULES: Final = (TENHOU, TENHOU_EAST)
"""Games by other rules have no branches."""
_RARE_ACTS: Final = np.uint16(1 << RIICHI | 1 << OPEN_KAN)


@dataclass(frozen=True, slots=True)
class BranchSettings:
    """``fraction``: the share of the decisions that are drawn; ``options``: how many of a decision
    are played; ``flat``: the policy's shares are raised to this power; ``uniform``: the part of an
    option's probability that is equal for all; ``seed`` of these draws. ``walls``: another number
    gives the same decisions and options another rest of the wall and other random numbers.
    ``improved``: the seat of the option goes on by the shipped improved policy. ``rare``: only
    decisions at which the seat may declare riichi or a kan."""

    fraction: float = 1 / 80
    options: int = 4
    flat: float = 0.5
    uniform: float = 0.3
    seed: int = 23
    walls: int = 0
    improved: bool = False
    rare: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """n decisions of games: ``records`` (n,) of DECISION; ``event`` and ``seat`` (n,) their place
    in the hand; ``words`` the hand up to them; ``rules`` (n,) indices into RULES; ``number`` (n,)
    uint64, a hash of their place."""

    records: Decisions
    event: Ints32
    seat: Ints32
    words: list[list[int]]
    rules: Ints
    number: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.records)


@dataclass(frozen=True, slots=True, eq=False)
class Branches:
    """n decisions with b branches, those of a decision side by side.

    ``records`` (n,) of DECISION, ``number`` (n,) uint64 a hash of the decision's place; ``options``
    all options of the decisions. ``taken`` (b,) int64 the indices of those played, ascending;
    ``drawn`` (b,) the probability of each in the first draw. What followed, seats relative to the
    one that decides: ``ronned`` (b,) bits of
    the seats that won on the option's tile at once; ``ending`` (b,) of ``outcomes.joint.JOINT``;
    ``worth`` (b,) the class of the winner's hand; ``deposits`` (b,) bits of the seats that paid a
    deposit after the decision; ``change`` (b, 4) of the scores from the decision on. What a network
    said at the next own turn, where ``turn`` (b,) says that there was one: ``turn_ending`` (b, 33)
    P of each joint ending, ``turn_own`` (b, 9) P of an own win of each class, ``turn_points`` (b,)
    the own points; zeros elsewhere.
    """

    records: Decisions
    number: NDArray[np.uint64]
    options: OptionActions
    taken: Ints
    drawn: Singles
    ronned: Bytes
    ending: Bytes
    worth: Bytes
    deposits: Bytes
    change: Ints32
    turn: Bools
    turn_ending: NDArray[np.float16]
    turn_own: NDArray[np.float16]
    turn_points: Singles

    def __len__(self) -> int:
        return len(self.records)


def decisions_of(games: GameWords, fraction: float, seed: int, rare: bool = False) -> Decided:
    """A share of the decisions of games, drawn by a hash of their places; those of games by rules
    that are not among RULES are left out. ``rare`` as in ``BranchSettings``."""
    records, labels = decode_games(games, fraction=fraction, seed=seed)
    known = {(*rule_numbers(rules), rules.rounds): i for i, rules in enumerate(RULES)}
    by_game = np.array([known.get(tuple(row), -1) for row in games.rules.tolist()])
    kept = by_game[labels["game"]] >= 0
    if rare:
        kept &= (records["legal"] & _RARE_ACTS != 0) | (records["kans"] != 0)
    records, labels = records[kept], labels[kept]
    game = labels["game"].astype(np.int64)
    hand = games.games[game] + labels["hand"]
    words = []
    for h, event in zip(hand.tolist(), labels["event"].tolist(), strict=True):
        whole = games.words[games.hands[h] : games.hands[h + 1]].tolist()
        words.append(whole[: length_of(whole, event + 1)])
    place = labels["hand"].astype(np.uint64) << np.uint64(32)
    place |= labels["event"].astype(np.uint64) << np.uint64(2)
    place |= labels["seat"].astype(np.uint64)
    return Decided(
        records, labels["event"].astype(np.int32), labels["seat"].astype(np.int32), words,
        by_game[game], games.keys[game] ^ place,
    )  # fmt: skip


def begin(
    decided: Decided, of: NDArray[np.intp], seed: int
) -> list[tuple[NDArray[np.intp], Games]]:
    """A table at each decision ``of`` an index, with the rest of the wall drawn by the decision's
    number; by ruleset, with the places of its tables in ``of``."""
    out = []
    for number, rules in enumerate(RULES):
        here = np.flatnonzero(decided.rules[of] == number)
        if not len(here):
            continue
        distinct, view = np.unique(of[here], return_inverse=True)
        hands = np.full((len(here), 4, 14), NONE, np.uint8)
        worlds = Worlds(view.astype(np.int32), hands, np.zeros((len(here), 0), np.uint8))
        views = [decided.words[i] for i in distinct]
        numbers = decided.number[of[here]]
        out.append((here, games_of_worlds(rules, views, worlds, seed, numbers, keep=True)))
    return out


def legal_actions(decided: Decided) -> Bools:
    """(n, N_ACTIONS) what the rules let the seats do at the decisions."""
    parts = []
    places = []
    for here, tables in begin(decided, np.arange(len(decided)), 0):
        table, seat = tables.pending()
        mine = decided.seat[here[table]] == seat
        parts.append(tables.legal()[mine])
        places.append(here[table[mine]])
    if not parts:  # a small share may draw no decision of a shard
        return np.zeros((0, N_ACTIONS), np.bool_)
    order = np.argsort(np.concatenate(places))
    return np.concatenate(parts)[order]


def draw_options(
    records: Decisions,
    options: OptionActions,
    share: Floats,
    settings: BranchSettings,
    rng: np.random.Generator,
) -> tuple[NDArray[np.intp], Floats]:
    """(indices of the options to play, (b,) the probability of each in the first draw).

    Drawn without replacement, in proportion to the flattened shares plus a uniform part; options
    that end the hand at once are not played, nor is a decision with less than two others.
    """
    n = len(records)
    weight = np.where(options.goes_on, 1.0, 0.0)
    count = np.bincount(options.row, weight, n)
    flat = np.maximum(share, 1e-12) ** settings.flat * weight
    flat /= np.maximum(np.bincount(options.row, flat, n), 1e-300)[options.row]
    even = weight / np.maximum(count, 1)[options.row]
    drawn = (1 - settings.uniform) * flat + settings.uniform * even
    # The largest of log p + Gumbel noise are a draw without replacement.
    with np.errstate(divide="ignore"):
        key = np.log(drawn) + rng.gumbel(size=len(options))
    order = np.lexsort((-key, options.row))
    begins = np.searchsorted(options.row, np.arange(n))
    rank = np.arange(len(options)) - begins[options.row]
    few = np.minimum(count, settings.options)[options.row]
    chosen = np.sort(order[(rank < few) & (count >= 2)[options.row]])
    return chosen, drawn


def play_branches(
    decided: Decided,
    options: OptionActions,
    policy: Policy,
    seed: int,
    improved: ImprovedPolicy | None = None,
) -> tuple[Labels, NextTurns]:
    """(b,) LABELS of the decision in each branch, ``game`` the branch's number, and the next own
    turns: the hand of each option played to its end by the policy at all seats, each from its own
    view; by the likeliest choice of ``improved`` at the seat of the option."""
    out = np.zeros(len(options), LABELS)
    turns = NextTurns.empty(len(options))
    for here, tables in begin(decided, options.row, seed):
        mine = options.take(here)
        rules = RULES[decided.rules[mine.row[0]]]
        own = None if improved is None else partial(improved.actions, rules=rules)
        seen = NextTurns.empty(len(here))
        play_options(
            tables, decided.seat[mine.row], mine.first, mine.second, policy, own=own, turns=seen
        )
        turns.records[here], turns.found[here] = seen.records, seen.found
        of_each = [rules] * len(mine)
        out[here] = labels_of(tables, of_each, decided.event[mine.row], decided.seat[mine.row])
    out["game"] = np.arange(len(out))
    return out, turns


def branches_of(
    games: GameWords,
    policy: Policy,
    settings: BranchSettings,
    rng: np.random.Generator,
    state: Network | None = None,
) -> Branches:
    """The branches of a share of the decisions of games; ``rng`` draws the options. ``state``: the
    network that says at the next own turn how the hand ends. Raises ModelError where the improved
    policy's networks are missing, or that network does not say it."""
    decided = decisions_of(games, settings.fraction, settings.seed, settings.rare)
    options = options_of_records(decided.records, legal_actions(decided))
    logits = policy.logits(decided.records, both=False)
    share = option_shares(decided.records, logits, options)
    chosen, drawn = draw_options(decided.records, options, share, settings, rng)
    taken = options.take(chosen)
    seed = settings.seed + (settings.walls << 32)
    improved = shipped_improved() if settings.improved else None
    labels, turns = play_branches(decided, taken, policy, seed, improved)
    targets = state_targets(decided.records[taken.row], labels)
    kept = np.unique(taken.row)
    theirs = np.flatnonzero(np.isin(options.row, kept))
    listed = options.take(theirs)
    return Branches(
        decided.records[kept],
        decided.number[kept],
        replace(listed, row=np.searchsorted(kept, listed.row)),
        np.searchsorted(theirs, chosen),
        drawn[chosen].astype(np.float32),
        labels["ronned"],
        targets["ending"].astype(np.uint8),
        targets["worth"].astype(np.uint8),
        labels["deposits"],
        labels["deltas"],
        *_at_turns(turns, state),
    )


def _at_turns(
    turns: NextTurns, state: Network | None
) -> tuple[Bools, NDArray[np.float16], NDArray[np.float16], Singles]:
    """``turn``, ``turn_ending``, ``turn_own`` and ``turn_points`` of ``Branches``."""
    n = len(turns.found)
    found = turns.found & (state is not None)
    ending, own = np.zeros((n, JOINT_ENDINGS), np.float16), np.zeros((n, WORTH_CLASSES), np.float16)
    points = np.zeros(n, np.float32)
    if state is not None and found.any():
        rows = turns.records[found]
        logits = state_logits(state, rows)
        ends = logits.probabilities()
        pay, win = payments(rows, logits.worth)
        classes = ends.ending[:, :4].sum(axis=1)[:, None] * ends.worth[:, 0]
        ending[found], own[found] = ends.ending, classes
        points[found] = (ends.ending * pay).sum(axis=1) + (classes * win).sum(axis=1)
    return found, ending, own, points
