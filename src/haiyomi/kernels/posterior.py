"""The exact posterior over every tenpai hand of an opponent, for any number of melds.

A hand's weight is a product of factors: of each kind's count, each suit's number of tiles,
each kind waited on and the shape of each waiting suit. The core sums over all standard-form
hands by the patterns of each suit, and adds seven pairs and thirteen orphans; a hand of two
forms is a standard one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from haiyomi import _core
from haiyomi.arrays import Bytes, Floats, Ints, Ints32, Singles
from haiyomi.kernels.counts import Counts, as_rows
from haiyomi.rules import TENHOU, Ruleset

SUIT_SHAPES = (
    "single", "edge or closed", "shanpon", "one end of a two-sided wait", "two-sided", "nobetan",
    "two single waits", "shanpon in one suit", "two waits, one good", "two waits, none good",
    "three or more with a two-sided one", "three or more, one good", "three or more, none good",
    "shanpon over two suits", "shanpon over two suits and more",
)  # fmt: skip
"""Shape classes of a waiting suit, ``Factors.shape``."""
GOOD_SHAPES = (2, 3, 4, 5, 7, 8, 10, 11, 13, 14)
"""Those with a two-sided (nobetan too) or shanpon reading, factor (15) of Kurita and Hoki."""


@dataclass(frozen=True, slots=True, eq=False)
class Factors:
    """The factors of a hand's weight, all finite and not negative.

    ``count`` (34, 5) of holding n of a kind; ``tiles`` (4, 14) of a suit (m p s, honours)
    holding n tiles; ``wait`` (34, 4) of waiting on a kind two-sided, by a shanpon, by an edge or
    closed wait, or by a single wait (of several readings the first counts); ``shape`` (15,) by
    SUIT_SHAPES; ``pairs`` and ``orphans`` of seven pairs and thirteen orphans, whose other factors
    are those of the counts and, of seven pairs, of the single wait.
    """

    count: Floats
    tiles: Floats
    wait: Floats
    shape: Floats
    pairs: float
    orphans: float

    @staticmethod
    def flat(unseen: Sequence[int], poor_wait: float = 1.0, pairs: float = 1.0) -> Factors:
        """Each hand by the ways to draw it from the unseen tiles, (14), times ``poor_wait``,
        (15), without a good wait; seven pairs weigh ``pairs``."""
        shape = np.full(len(SUIT_SHAPES), poor_wait)
        shape[list(GOOD_SHAPES)] = 1.0
        return Factors(ways(unseen), np.ones((4, 14)), np.ones((34, 4)), shape, pairs, 1.0)


_WAYS = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0],
                  [1, 4, 6, 4, 1]], dtype=np.float64)  # fmt: skip


def ways(unseen: Sequence[int] | npt.NDArray[np.integer[Any]]) -> Floats:
    """(34, 5): ways to draw n copies of a kind of which so many are unseen, (14)."""
    out: Floats = _WAYS[np.asarray(unseen, dtype=np.int64)]
    return out


class RonAnswer(NamedTuple):
    """Probabilities by kind, (34,) each, or (n, 34) of n opponents: ``wait`` of waiting on it;
    ``live`` of that and on no barred kind; ``ron`` of that and having a yaku with it. ``kinds``
    (..., 34, 4): of waiting on it in each way of ``Factors.wait`` (thirteen orphans in none)."""

    wait: Floats
    live: Floats
    ron: Floats
    kinds: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Marginals:
    """Probabilities given tenpai: ``count`` (34, 5), ``tiles`` (4, 14; standard hands),
    ``wait`` (34, 4) as in Factors; ``shape`` (15,) expected waiting suits; ``pairs``,
    ``orphans`` of those forms."""

    count: Floats
    tiles: Floats
    wait: Floats
    shape: Floats
    pairs: float
    orphans: float


def split_marginals(rows: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """``(..., 379)`` rows of the core as count, tiles, wait, shape and (pairs, orphans)."""
    head = rows.shape[:-1]
    return (
        rows[..., :170].reshape(*head, 34, 5),
        rows[..., 170:226].reshape(*head, 4, 14),
        rows[..., 226:362].reshape(*head, 34, 4),
        rows[..., 362:377],
        rows[..., 377:],
    )


@dataclass(frozen=True, slots=True)
class Given:
    """What the rules add to the weights, as far as a seat sees it.

    ``barred``: kinds (bit k) that a hand which waits on one of them does not win on, nor on any
    other: the opponent's discards and what it let pass; ``certain_yaku``: riichi, the last discard,
    a robbed kan; ``melds``: (MeldType, lowest kind); winds kinds 27-30.
    """

    barred: int = 0
    certain_yaku: bool = False
    melds: tuple[tuple[int, int], ...] = ()
    round_wind: int = 27
    seat_wind: int = 27
    rules: Ruleset = TENHOU


def _core_arguments(given: Given) -> tuple[int, bool, tuple[tuple[int, int], ...], int, int, bool]:
    return (
        given.barred, given.certain_yaku, given.melds, given.round_wind, given.seat_wind,
        given.rules.kuitan,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What viewers see of m opponents in games of one rule set.

    ``observations`` (m, bytes) rows of ``game.observation.OBSERVATION``; ``seats`` (m,) the
    opponents' relative seats 1 to 3; ``chankan``: the tile asked about is added to a pon of the
    viewer's.
    """

    observations: Bytes
    seats: Bytes
    rules: Ruleset = TENHOU
    chankan: bool = False

    def given(self, row: int) -> Given:
        """What the rules say of one of them."""
        one = slice(row, row + 1)
        (found,) = _core.ron_rules(self.observations[one], self.seats[one], self.core_rules)
        barred, certain, melds, round_wind, seat_wind = found
        return Given(barred, certain, tuple(melds), round_wind, seat_wind, self.rules)

    def masks(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
        """Kinds as bits, (m,) twice. On the first each opponent cannot win by the rules: its own
        river, and what it let pass since its last discard or after its riichi (*furiten*). The
        second are those that others discarded since its hand last changed, by a discard from it or
        by a meld, and that it did not win on: with the same hand it hardly will now. None of those
        in riichi, where they are furiten, and none where every ron has a yaku: on the last discard
        and on a robbed kan."""
        return _core.ron_masks(self.observations, self.seats, self.chankan)

    def odds(self, network: Singles, by_hands: Floats) -> Floats:
        """(m, 34, 7) what ``dealin.combination`` joins, by its names: of log odds ``network``
        (m, 34), and P(tenpai) times the posterior's P(ron), ``by_hands`` (m, 34)."""
        return _core.ron_odds(self.observations, self.seats, self.chankan, network, by_hands)

    @property
    def core_rules(self) -> tuple[bool, bool, int, bool]:
        """The rules and ``chankan`` as the core takes them."""
        rules = self.rules
        return rules.kuitan, rules.kiriage, rules.wind_pair_fu, self.chankan


class Posterior:
    """Every tenpai hand of 1, 4, 7, 10 or 13 concealed tiles, weighted.

    Exact: sums, waits, marginals and samples are those of the full enumeration. P(ron) alone
    leaves out two yaku, the same triplet in three suits and three kans where the melds do not
    already show them. Raises ValueError for other numbers of tiles, and for factors that are
    negative or not finite.
    """

    def __init__(self, concealed: int, factors: Factors) -> None:
        def rows(array: Floats) -> Floats:
            return np.ascontiguousarray(array, dtype=np.float64)

        self._core = _core.Posterior(
            concealed, rows(factors.count), rows(factors.tiles), rows(factors.wait),
            rows(factors.shape), factors.pairs, factors.orphans,
        )  # fmt: skip

    @classmethod
    def read(
        cls,
        shown: Shown,
        factors: Floats,
        keep: bool = True,
    ) -> tuple[list[Posterior], RonAnswer]:
        """The posteriors of m opponents and their ``ron``, stacked, computed as a batch: bit for
        bit the same, but several times faster.

        The weight of a hand is the number of ways to draw it from the unseen tiles times the
        ``factors`` (m, 317): 34 by 8 of holding 1-4 of a kind and of waiting on it, as in Factors;
        28 of the number of tiles, 0-13, of a number suit and of the honours; 15 by SUIT_SHAPES; 2
        of pairs and orphans. With ``keep`` the posteriors keep their sums; else one that is asked
        for more than is answered here sums again. Raises ValueError.
        """
        cores, found, waits = _core.read_posteriors(
            shown.observations, shown.seats, shown.core_rules, factors, keep
        )
        made = []
        for core in cores:
            posterior = cls.__new__(cls)
            posterior._core = core
            made.append(posterior)
        return made, RonAnswer(found[0], found[1], found[2], waits)

    @property
    def total(self) -> float:
        """The sum of all weights; 0 if no tenpai hand is possible."""
        return self._core.total

    def ron(self, given: Given) -> RonAnswer:
        """P(waits on it), P(and on no barred kind), P(and can win on it) of every kind."""
        found, kinds = self._core.answer(*_core_arguments(given))
        return RonAnswer(found[0], found[1], found[2], kinds)

    def marginals(self) -> Marginals:
        """The marginals of the hand, given tenpai."""
        count, tiles, wait, shape, irregular = split_marginals(self._core.marginals())
        return Marginals(count, tiles, wait, shape, float(irregular[0]), float(irregular[1]))

    def probability(self, hands: Counts) -> Floats:
        """P(hand) given tenpai of each row of counts, 0 of one that is not tenpai."""
        found = self._core.weight(as_rows(hands))
        return found / self.total if self.total > 0 else found

    def sample(self, n: int, seed: int, win: int = -1, barred: int = 0) -> Counts:
        """(n, 34) hands drawn exactly; with ``win`` of those that wait on it and on none of
        ``barred`` ((0, 34) if there are none). The same seed gives the same hands."""
        return self._core.sample(n, seed, win, barred)


class RonCells(NamedTuple):
    """Of m opponents and n kinds: ``cells`` (m, n, 14, 12) the probabilities of a ron by (han, fu
    cell). ``waits`` (w, 4): opponent, place of the kind among the n, how it is waited on, and how
    many of the hands drawn that can win on it wait so, likeliest first. How: 114 times the first of
    ``tenpai_hands.wait_forms`` that the kind completes (113 for none), plus of a shanpon the pair
    that is not the kind's (45-78; 113 for none, and for every other wait)."""

    cells: Floats
    waits: Ints32


def ron_cells(
    posteriors: Sequence[Posterior],
    shown: Shown,
    kinds: Sequence[int],
    samples: Ints32,
    chances: Floats,
    waits_from: float = math.inf,
) -> RonCells:
    """The rons of m opponents on n kinds: those of hands drawn exactly given that they can win on
    the kind, times ``chances`` (m, n). Of chances of at least ``waits_from`` the waits are named.

    ``samples`` (m, n) hands are drawn, none for a chance of 0, so that a share p has standard error
    at most (p (1 - p) / samples) ** .5. Red fives and ura are summed out. Where no hand drawn has a
    yaku, the ron is one of 1 han and 30 fu, and no wait is named. Raises ValueError.
    """
    return RonCells(
        *_core.ron_cells(
            [each._core for each in posteriors], shown.observations, shown.seats, shown.core_rules,
            np.array(kinds, np.uint8), samples, chances, waits_from,
        )
    )  # fmt: skip


def ron_outcomes(
    cells: Floats, points: Ints, places: Sequence[int], red: Sequence[bool]
) -> tuple[Floats, list[int], list[float], list[float]]:
    """Of m opponents and t tiles: the cells of their distributions that are not zero, one
    distribution after the other, as rows (han, fu, points, probability), not to be written to; how
    many rows come before each distribution, and the end; the sum of its probabilities, and that of
    points times probability.

    ``cells`` (m, n, 14, 12) of n kinds, plain tiles; ``points`` (m, 14, 12); ``places`` (t,) of the
    tiles' kinds among the n; ``red`` (t,) which are red fives: those bring a han more. Raises
    ValueError."""
    return _core.ron_outcomes(cells, points, places, red)


class RonChances(NamedTuple):
    """Of m opponents: ``tenpai`` (m,) P(tenpai), 1 of one in riichi or with four melds;
    ``by_hands`` (m, 34) P(tenpai) times the posterior's P(ron | tenpai); ``ron`` (m, 34) P(ron)."""

    tenpai: Floats
    by_hands: Floats
    ron: Floats


def ron_chances(
    shown: Shown,
    tenpai: Singles,
    by_network: Singles,
    answers: RonAnswer,
    weights: Singles | None,
    floor: float,
) -> RonChances:
    """What network and posterior say together of m opponents.

    ``tenpai`` (m,) and ``by_network`` (m, 34): the network's log odds of tenpai and of a ron on
    each kind; ``answers``: the posterior's. The log odds of both are added by the ``weights``
    (5, 7) of the opponent's class, with what else ``dealin.combination`` names; None: P(ron) is
    that by hands. It is zero by the rules, where the opponent is furiten or no tenpai hand waits on
    the kind; else at least ``floor``. Raises ValueError.
    """
    return RonChances(
        *_core.ron_chances(
            shown.observations, shown.seats, shown.chankan, tenpai, by_network, answers.ron,
            answers.wait, weights, floor,
        )
    )  # fmt: skip


def likelihood_gradients(
    concealed: Bytes,
    count: Floats,
    tiles: Floats,
    wait: Floats,
    shape: Floats,
    irregular: Floats,
    truth: Counts,
) -> tuple[Floats, Floats]:
    """For fits: (n, 2) the sum of all weights and the true hand's weight; (n, 379) the gradient
    of log P(true hand) by every log factor, in the layout of ``split_marginals``.

    The arrays are those of ``Factors`` with a row for each of n opponents, ``irregular`` (n, 2)
    pairs and orphans; ``truth`` (n, 34) the hands held. Raises ValueError.
    """
    return _core.posterior_batch(concealed, count, tiles, wait, shape, irregular, truth)
