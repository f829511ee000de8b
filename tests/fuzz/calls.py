"""Draws the arguments of a call for each function of the compiled core.

One method a function, most of what it draws sound and some of it just or far outside.
"""

from __future__ import annotations

import math
import random
from functools import lru_cache
from typing import Any

import numpy as np
from fuzz.mutate import mutate
from play.at_random import play_at_random

from haiyomi import _core
from haiyomi.game.decision_record import DECISION
from haiyomi.game.observation import NONE, OBSERVATION

FACTORS = 34 * 8 + 28 + 15 + 2
"""Of an opponent's hands, as ``Posterior.read`` takes them."""


class Calls:
    """Draws calls; ``rng`` for arrays, ``dice`` for choices (quicker for single numbers).

    A method is named as the core's function; ``Posterior_x`` draws a call of the method x of a
    posterior that an earlier call made (``kept``, by class).
    """

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.dice = random.Random(seed)
        self.deal()
        self.noise = self.rng.integers(0, 256, size=(256, 34), dtype=np.uint8)
        self.words = real_words()
        self.kept: dict[str, Any] = {}
        self.held = 13
        self.scores: dict[int, np.ndarray[Any, Any]] = {}

    def deal(self) -> None:
        """New hands to choose from."""
        every = self._hands(12_000)
        tiles = every.sum(axis=1)
        sound = (every <= 4).all(axis=1) & (tiles <= 14) & (tiles > 0)
        self.counts = {rest: every[sound & (tiles % 3 == rest)] for rest in (1, 2)}
        self.unsound = every[~sound | (tiles % 3 == 0)]

    def _hands(self, n: int) -> np.ndarray[Any, Any]:
        """Hands of 0 to 14 tiles, close to complete ones, a fourth of them as dealt."""
        out = np.zeros((n, 34), dtype=np.uint8)
        wall = np.repeat(np.arange(34), 4)
        for row in out[: n // 4]:
            dealt = self.rng.choice(wall, int(self.rng.choice([8, 11, 13, 14])), replace=False)
            np.add.at(row, dealt, 1)
        for row in out[n // 4 :]:
            for _ in range(int(self.rng.integers(0, 5))):
                kind = int(self.rng.integers(0, 34))
                run = self.rng.random() < 0.6 and kind < 27 and kind % 9 <= 6
                row[kind : kind + 3] += 1 if run else 0
                row[kind] += 0 if run else 3
            pair = int(self.rng.integers(0, 34))
            row[pair] += int(self.rng.choice([0, 1, 2, 2]))
            for kind in self.rng.integers(0, 34, size=int(self.rng.choice([0, 0, 0, 2, 3]))):
                row[kind] += 1
        return out

    def hands(self, rest: int | None = None) -> np.ndarray[Any, Any]:
        """One to five hands of 3k + ``rest`` tiles (None: whichever); now and then no hands."""
        if self.dice.random() < 0.03:
            at = self.dice.randrange(200)
            return self.dice.choice((self.noise, self.unsound))[at : at + self.dice.randrange(4)]
        pool = self.counts[self.dice.choice((1, 2)) if rest is None else rest]
        at = self.dice.randrange(len(pool) - 5)
        return pool[at : at + self.dice.choice((1, 1, 1, 2, 5))]

    def small(self, low: int, high: int) -> int:
        """A number most often in [low, high), now and then just or far outside."""
        if self.dice.random() < 0.03:
            return self.dice.choice((low - 1, high, -(2**31), 2**31 - 1, 2**63, 255, -128))
        return self.dice.randrange(low, high)

    def flag(self) -> bool:
        return self.dice.random() < 0.5

    def mask(self) -> int:
        """Some of the kinds, now and then bits beyond them."""
        kinds = self.dice.getrandbits(34) & self.dice.getrandbits(34) & self.dice.getrandbits(34)
        return kinds if self.dice.random() < 0.95 else self.dice.choice((0, 2**64 - 1, 2**34))

    def melds(self, n: int) -> list[tuple[int, int]]:
        """So many melds (type, kind), most of them such as there can be."""
        if self.dice.random() < 0.05:
            return [(self.small(0, 5), self.small(0, 34)) for _ in range(self.dice.randrange(6))]
        sound = [(0, self.dice.choice((0, 3, 6, 9, 15, 20, 24))), (1, self.dice.randrange(34)),
                 (2, self.dice.randrange(34)), (3, self.dice.randrange(34)), (4, 33)]  # fmt: skip
        return [self.dice.choice(sound) for _ in range(n)]

    def unseen(self, rows: int | None = None) -> np.ndarray[Any, Any]:
        """0 to 4 left of each kind; now and then any byte."""
        top = 5 if self.dice.random() < 0.97 else 256
        return self.rng.integers(0, top, size=34 if rows is None else (rows, 34), dtype=np.uint8)

    def some(self, array: np.ndarray[Any, Any], n: int) -> np.ndarray[Any, Any]:
        return array[self.rng.integers(0, len(array), size=n)].copy()

    def spoil(self, rows: np.ndarray[Any, Any]) -> None:
        """Now and then other bytes in rows of bytes."""
        if rows.size and self.dice.random() < 0.3:
            for _ in range(self.dice.choice((1, 1, 2, 30))):
                rows[self.dice.randrange(len(rows)), self.dice.randrange(rows.shape[1])] = (
                    self.dice.choice((0, 1, 4, 5, 28, 29, 33, 34, 127, 128, 254, 255))
                )

    # -- one method a kernel ---------------------------------------------------------------

    def shanten(self) -> list[Any]:
        return [self.hands()]

    shanten_forms = shanten

    def waits(self) -> list[Any]:
        return [self.hands(1)]

    useful_tiles = waits

    def wait_forms(self) -> list[Any]:
        hands = self.hands(1)
        return [hands, self.rng.integers(-2, 35, size=len(hands)).astype(np.int8)]

    def pay(self) -> list[Any]:
        return [self.small(0, 40), self.small(0, 130), self.small(0, 5), self.flag(), self.flag()]

    def score(self) -> list[Any]:
        hands = self.hands(2)[:3]
        n = len(hands)
        if n and self.dice.random() < 0.9:
            hands = hands[(hands.sum(axis=1) == hands[0].sum())]  # the melds are of the first
            n = len(hands)
        melds = np.full((n, 4, 2), 255, dtype=np.uint8)
        context = self.rng.integers(0, 2, size=(n, 13)).astype(np.uint8)
        context[:, 3] = self.dice.randrange(3)
        if n:
            room = 4 - int(hands[0].sum()) // 3
            for j in range(max(0, room) if self.dice.random() < 0.95 else self.dice.randrange(5)):
                kind = self.dice.choice((0, 9, 18, 6, 24, 15, 3))
                melds[:, j] = self.small(0, 5) & 255, kind
            context[:, 0] = self.dice.choice(np.flatnonzero(hands[0]).tolist() or [0])
        context[:, 1:3] = self.rng.integers(27, 31, size=(n, 2))
        if self.dice.random() < 0.03:
            context = self.rng.integers(0, 256, size=(n, 13)).astype(np.uint8)
        flags = [self.flag() for _ in range(4)]
        return [hands, melds, context, *flags, self.small(0, 10)]

    def score_one(self) -> list[Any]:
        hands, melds, context, *rules = self.score()
        if not len(hands):
            return [[], 0, [], tuple(range(12)), tuple(range(55)), *rules]
        kinds = np.repeat(np.arange(34), hands[0])
        rows = [(int(t), int(k)) for t, k in melds[0] if t != 255]
        if self.dice.random() < 0.1:
            kinds = self.dice.choice((kinds.tolist() * 2, [*kinds, -1], [2**70], iter(kinds)))
        win, *columns = context[0].tolist()
        return [kinds, win, rows, tuple(columns), tuple(range(55)), *rules]

    def shanten_of(self) -> list[Any]:
        hands = self.hands()
        counts = hands[0] if len(hands) else self.noise[0]
        return [self.dice.choice((counts, counts.tolist(), counts.tobytes(), counts[1:]))]

    def shanten_of_ids(self) -> list[Any]:
        ids = self.rng.integers(-1, 137, size=self.dice.randrange(16))
        return [self.dice.choice((ids, ids.tolist(), [*ids, 2**70], iter(ids)))]

    def hand_words(self) -> list[int]:
        """The words of a hand, most with a damage or cut short."""
        words = self.dice.choice(self.words).copy()
        for _ in range(self.dice.choice((0, 1, 1, 2, 5))):
            at = self.dice.randrange(len(words))
            new = self.dice.choice((-1, 0, 1, 3, 4, 33, 34, 36, 37, 135, 2**31 - 1, -(2**31)))
            words[at] = self.dice.choice((new, int(self.dice.choice(words))))
        if self.dice.random() < 0.3:
            words = words[: self.dice.randrange(len(words))]
        return words

    def rules(self) -> tuple[int, ...]:
        flags = [self.flag() for _ in range(9)]
        return (*flags[:5], self.small(0, 10), *flags[5:])

    def replay(self) -> list[Any]:
        return [self.hand_words(), self.rules(), self.flag()]

    def replay_options(self) -> list[Any]:
        return [self.hand_words(), self.rules()]

    def read_mjlog(self) -> list[Any]:
        """A record of a few hands, most often with a piece changed."""
        data = self.dice.choice(real_records())
        return [mutate(self.dice, [data]) if self.dice.random() < 0.9 else data]

    def tally(self) -> list[Any]:
        hands = [self.hand_words() for _ in range(self.dice.randrange(4))]
        words = np.concatenate([np.zeros(0, np.int32), *hands])
        starts = np.cumsum([0, *map(len, hands)]).astype(np.int64)
        if self.dice.random() < 0.05:
            starts[self.dice.randrange(len(starts))] = self.small(-1, 5) % 2**63
        return [words, starts, self.rng.integers(0, 20, size=len(hands), dtype=np.uint8)]

    def score_open(self) -> list[Any]:
        tiles = 10 if self.dice.random() < 0.01 else self.dice.choice((1, 1, 4, 4, 7, 13, 2))
        dora = self.rng.integers(0, 3, size=34).astype(np.uint8)
        return [
            tiles, self.melds(self.dice.choice((1, 2, 3, 4))), self.small(27, 31),
            self.small(27, 31), dora, self.small(0, 4), *[self.flag() for _ in range(4)],
            self.small(0, 10),
        ]  # fmt: skip

    def log_counts(self) -> list[Any]:
        n = self.dice.choice((1, 2))
        logs = np.log(self.rng.random((n, 34, 5)))
        logs[self.rng.random((n, 34, 5)) < 0.2] = -np.inf
        logs[:, :, 0] = 0.0
        totals = self.rng.integers(0, 16 if self.flag() else 14, size=n).astype(np.uint8)
        if self.dice.random() < 0.1:
            odd = (np.nan, np.inf, -np.inf, -1.0, 1e308)
            logs.reshape(-1)[self.dice.randrange(logs.size)] = self.dice.choice(odd)
        return [logs, totals]

    hand_best = hand_marginals = log_counts

    def hand_samples(self) -> list[Any]:
        given = self.log_counts()
        seeds = self.rng.integers(0, 2**64, size=len(given[0]), dtype=np.uint64)
        return [*given, seeds, self.small(0, 4)]

    def Posterior(self) -> list[Any]:
        return [
            self.dice.choice((1, 4, 7, 10, 13, 13, 0, 2, 255)), self.factors(34, 5),
            self.factors(4, 14), self.factors(34, 4), self.factors(15),
            self.dice.choice((0.0, 1.0, 1.0, 1.0, 1e300, -1.0, float("nan"))), 1.0,
        ]  # fmt: skip

    def factors(self, *shape: int) -> np.ndarray[Any, Any]:
        """Factors of a posterior, some of them nothing, now and then none at all."""
        out = self.rng.random(shape) * self.dice.choice((1.0, 1.0, 1.0, 1e29, 1e-300))
        out[self.rng.random(shape) < self.dice.choice((0.0, 0.0, 0.3, 1.0))] = 0.0
        if self.dice.random() < 0.02:
            odd = (np.nan, np.inf, -1.0, 1e31)
            out.reshape(-1)[self.dice.randrange(out.size)] = self.dice.choice(odd)
        return out

    def keep(self, made: Any, given: list[Any]) -> None:
        """What a class made of some arguments, for the calls of its methods."""
        self.kept[type(made).__name__] = made
        if isinstance(made, _core.Posterior):
            self.held = given[0]

    def seeds(self, n: int) -> np.ndarray[Any, Any]:
        return self.rng.integers(0, self.dice.choice((2, 2**64)), size=n, dtype=np.uint64)

    def game(self) -> tuple[int, ...]:
        """The rules of a game's course."""
        points = self.dice.choice((25000, 25000, 30000, 0, 1000, -(2**31), 2**31 - 1))
        return self.small(1, 5), points, self.dice.choice((30000, 0, 50000)), self.flag()

    def wall(self) -> list[Any]:
        return [self.dice.randrange(2**64), self.small(0, 2**40), self.small(0, 20)]

    def Tables(self) -> list[Any]:
        n = self.dice.choice((0, 1, 1, 2, 5))
        return [
            self.rules(), self.game(), self.seeds(n), self.seeds(n), self.small(0, 4), self.flag(),
        ]  # fmt: skip

    def Tables_resume(self) -> list[Any]:
        rules, game, seeds, numbers, hands, keep = self.Tables()
        own = self.seeds(1), self.seeds(1)
        table = _core.Tables((1, 1, 1, 0, 0, 4, 0, 0, 1, 0), (2, 25000, 30000, 1), *own, 1, True)
        play_at_random(table, *(int(number[0]) for number in own))
        words, _, walls = table.recorded(0)
        words = words[: self.dice.randrange(len(words))]
        if self.dice.random() < 0.5:
            words[self.dice.randrange(len(words) or 1) :][:1] = self.dice.choice(self.words)[:1]
        if self.dice.random() < 0.1:
            walls[0, self.dice.randrange(136)] = self.dice.choice((0, 135, 136, 255))
        n = len(seeds)
        begins = np.arange(n + 1, dtype=np.uint64) * np.uint64(len(words))
        return [
            self.dice.choice((rules, (1, 1, 1, 0, 0, 4, 0, 0, 1, 0))), game, seeds, numbers, hands,
            keep, np.tile(words, n), begins, walls.repeat(n, axis=0),
        ]  # fmt: skip

    def Tables_from_views(self) -> list[Any]:
        """Views of hands, whose hidden tiles are the true ones or noise."""
        rules, game, seeds, numbers, hands, keep, words, _, _ = self.Tables_resume()
        n = len(seeds)
        words = words[: len(words) // max(n, 1)]
        hidden = words.copy()
        if len(words) > 60:
            hidden[13 + 13 * self.dice.randrange(4) :][:13] = -1
            draws = np.flatnonzero(hidden[65:] & 15 == 2) + 65
            hidden[draws[self.rng.random(len(draws)) < 0.7]] |= 63 << 4
        held = self.rng.integers(0, 37, (n, 4, 14)).astype(np.uint8)
        if len(words) > 65:
            held[:, :, :13] = words[12:64].reshape(4, 13)
        held[:, :, 13 - self.dice.choice((0, 0, 0, 3)) :] = 255
        rest = self.rng.integers(0, 37, (n, self.dice.choice((0, 0, 0, 70)))).astype(np.uint8)
        begins = np.array([0, len(hidden)], dtype=np.uint64)
        views = np.full(n, self.dice.choice((0, 0, 0, 1, -1, 4, 2**31 - 1)), dtype=np.int32)
        return [
            rules, game, seeds, numbers, hands, keep, hidden, begins, views, held, rest,
            self.small(1, 3),
        ]  # fmt: skip

    def Tables_records(self) -> list[Any]:
        return [self.small(1, 3)]

    def logits(self, n: int) -> list[Any]:
        """Those of n decisions, now and then one that is not finite."""
        shapes = ((n, 34), (n, 34), (n, 9))
        logits = [self.rng.normal(0, 3, shape).astype(np.float32) for shape in shapes]
        if n and self.dice.random() < 0.1:
            logits[0][0, 0] = self.dice.choice((np.nan, np.inf, -np.inf))
        return logits

    def temperature(self) -> float:
        return self.dice.choice((0.0, 1.0, 1.0, 1e-300, np.inf, np.nan))

    def points(self, n: int) -> np.ndarray[Any, Any]:
        """Random numbers of n decisions, now and then of others or outside [0, 1)."""
        # Two rows too many: a broken call that lacks one of them is still wrong.
        points = self.rng.random((n + 2 * (self.dice.random() < 0.05), 5))
        if len(points) and self.dice.random() < 0.1:
            points[0, 0] = self.dice.choice((np.nan, np.inf, -0.5, 1.0))
        return points

    def policy_choices(self) -> list[Any]:
        n = self.dice.choice((0, 1, 1, 5))
        legal = (self.rng.random((n, 207)) < self.dice.choice((0.0, 0.02, 0.3, 1.0))).astype("u1")
        offered = self.rng.integers(0, 34, size=n).astype(np.uint8)
        offered[self.rng.random(n) < 0.5] = 255
        if self.dice.random() < 0.7:
            legal[:, 206] = offered != 255
            legal[offered == 255, self.dice.randrange(74)] = self.dice.choice((1, 255))
        if n and self.dice.random() < 0.05:
            offered[0] = self.dice.choice((34, 128, 254))
        return [
            offered, legal, *self.logits(n), self.points(n), self.temperature(), self.flag(),
        ]  # fmt: skip

    def Tables_choose(self) -> list[Any]:
        n = len(self.kept["Tables"].pending()[0]) + (self.dice.random() < 0.05)
        return [
            *self.logits(n),
            self.temperature(),
            self.dice.random() < 0.5,
            self.small(1, 3),
        ]

    def Tables_choose_with(self) -> list[Any]:
        discards, kans, acts, temperature, _, threads = self.Tables_choose()
        return [discards, kans, acts, self.points(len(discards)), temperature, threads]

    def Tables_copy(self) -> list[Any]:
        n = self.dice.choice((0, 1, 2))
        at = self.rng.integers(0, max(len(self.kept["Tables"]), 1), n).astype(np.int32)
        if n and self.dice.random() < 0.1:
            at[0] = max(-1, min(self.small(-1, 5), 99))
        return [at]

    def Tables_renew(self) -> list[Any]:
        (at,) = self.Tables_copy()
        return [at, self.seeds(len(at)), self.seeds(len(at))]

    def Tables_pending(self) -> list[Any]:
        return []

    Tables_legal = Tables_standings = Tables_pending

    def Tables_answer(self) -> list[Any]:
        legal = self.kept["Tables"].legal()
        actions = (self.rng.random(legal.shape) * legal).argmax(axis=1).astype(np.uint8)
        if len(actions) and self.dice.random() < 0.1:
            actions[self.dice.randrange(len(actions))] = self.dice.randrange(256)
        return [actions, self.small(1, 4)]

    def Tables_recorded(self) -> list[Any]:
        return [self.small(0, 5)]

    def Posterior_total(self) -> list[Any]:
        return []

    def Posterior_answer(self) -> list[Any]:
        winds = [self.small(27, 31), self.small(27, 31)]
        return [self.mask(), self.flag(), self.melds(4 - self.held // 3), *winds, self.flag()]

    Posterior_marginals = Posterior_total

    def Posterior_sample(self) -> list[Any]:
        return [self.small(0, 4), self.dice.randrange(2**63), self.small(-1, 34), self.mask()]

    def Posterior_weight(self) -> list[Any]:
        return [self.hands()]

    def ron_rules(self) -> list[Any]:
        """What is seen of some opponents."""
        records, _ = self._records()
        seats = [self.dice.choice((1, 2, 3) * 40 + (0, 4)) for _ in records]
        return [
            np.ascontiguousarray(records[:, : OBSERVATION.itemsize]), np.array(seats, np.uint8),
            (self.flag(), self.flag(), self.small(2, 5), self.flag()),
        ]  # fmt: skip

    def ron_masks(self) -> list[Any]:
        observations, seats, (_, _, _, chankan) = self.ron_rules()
        return [observations, seats, chankan]

    def ron_odds(self) -> list[Any]:
        shown = self.ron_masks()
        n = len(shown[0])
        return [*shown, self.rng.normal(size=(n, 34)).astype(np.float32), self.rng.random((n, 34))]

    def ron_cells(self) -> list[Any]:
        shown = self.ron_rules()
        n, k = len(shown[0]), self.dice.randrange(5)
        samples = self.rng.choice([0, 0, 0, 1, 20], (n, k)).astype(np.int32)
        if samples.size and self.dice.random() < 0.05:
            samples[0, 0] = self.dice.choice((-1, 2**31 - 1))
        posterior = self.kept.get("Posterior") if self.dice.random() < 0.98 else None
        kinds = [self.dice.choice((*range(34), 34)) for _ in range(k)]
        return [
            [posterior] * n,
            *shown,
            np.array(kinds, np.uint8),
            samples,
            self.rng.random((n, k)),
            self.dice.choice((0.0, 0.5, math.inf, math.nan)),
        ]

    def ron_outcomes(self) -> list[Any]:
        n, k = self.dice.randrange(4), self.dice.randrange(4)
        cells = self.rng.random((n, k, 14, 12))
        cells[self.rng.random(cells.shape) < 0.9] = 0
        places = [self.dice.randrange(k + (self.dice.random() < 0.02)) for _ in range(k)]
        red = [self.flag() for _ in range(k + (self.dice.random() < 0.02))]
        return [cells, self.rng.integers(0, 2**62, (n, 14, 12)), places, red]

    def read_posteriors(self) -> list[Any]:
        shown = self.ron_rules()
        n = len(shown[0]) if self.dice.random() < 0.95 else 3
        return [*shown, self.rng.random((n, FACTORS)), self.flag()]

    def ron_chances(self) -> list[Any]:
        observations, seats, _ = self.ron_rules()
        n = len(observations) if self.dice.random() < 0.95 else 3
        logits = self.rng.standard_normal((n, 35), dtype=np.float32)
        weights = self.rng.standard_normal((5, 7), dtype=np.float32) if self.flag() else None
        return [
            observations, seats, self.flag(), logits[:, 34].copy(), logits[:, :34].copy(),
            *self.rng.random((2, n, 34)), weights, self.dice.random(),
        ]  # fmt: skip

    def win(self) -> list[Any]:
        hands = self.dice.choice(self.counts[self.dice.choice((1, 2, 2))])[None]
        if self.dice.random() < 0.1:
            hands = self.hands()[:2]
        n = len(hands)
        live = np.maximum(4 - hands.astype(np.int64), 0).astype(np.uint8)
        live[:, self.dice.randrange(34)] = self.small(0, 2) & 255
        reds = np.zeros((n, 6), bool)
        if self.flag():
            reds[:, 3:] = live[:, [4, 13, 22]] > 0
        if self.dice.random() < 0.1:
            reds = self.rng.random((n, 6)) < 0.2
        melds = np.full((n, 4, 2), 255, dtype=np.uint8)
        room = 4 - int(hands[0].sum()) // 3 if n else 0
        for j, meld in enumerate(self.melds(max(0, room))[:4]):
            melds[:, j] = [number & 255 for number in meld]
        context = np.zeros((n, 9), dtype=np.uint8)
        context[:, 0], context[:, 1] = self.small(27, 31) & 255, self.small(27, 31) & 255
        context[:, 2] = self.small(0, 4) & 255
        context[:, 3] = self.small(0, 6) & 255
        context[:, 4:] = self.rng.integers(0, 34, size=5)
        wall = np.tile(np.arange(120.0, 102.0, -1.0) - self.dice.choice((0, 100, 50)), (n, 1))
        if self.dice.random() < 0.05:
            wall[:] = self.dice.choice((0.0, -1.0, 1e308, float("nan"), float("inf")))
        first = self.small(1, 19)
        last = 18 if self.dice.random() < 0.7 else self.small(0, 19)
        # Graphs of hands far from tenpai that may swap tiles take seconds: mostly without.
        wide = self.dice.random() < 0.1
        return [
            hands, live, reds, melds, context, wall, first, last,
            self.small(1, 8), self.flag() and wide, self.flag() and wide, self.flag() and wide,
            self.flag() and wide, self.small(0, 2) if wide else 0,
            *[self.flag() for _ in range(13)], self.small(0, 10), self.dice.choice((1, 2, 0, -1)),
        ]  # fmt: skip

    def posterior_batch(self) -> list[Any]:
        n = self.dice.randrange(10)
        held = self.rng.choice(np.array([1, 4, 7, 10, 13, 13], np.uint8), size=n)
        truth = self.some(self.counts[1], n)
        if n and self.dice.random() < 0.7:
            held = truth.sum(axis=1).astype(np.uint8)
        if n and self.dice.random() < 0.1:
            held[0] = self.dice.choice((0, 2, 14, 255))
            truth[-1] = self.noise[self.dice.randrange(256)]
        return [
            held, self.rng.random((n, 34, 5)), self.rng.random((n, 4, 14)),
            self.rng.random((n, 34, 4)), self.rng.random((n, 15)), self.rng.random((n, 2)), truth,
        ]  # fmt: skip

    def nothing(self) -> list[Any]:
        return []

    replay_faults = yaku_han = nothing

    def tenpai_hands(self) -> list[Any]:
        # Ten tiles are 3.4 million hands: one call in many.
        return [10 if self.dice.random() < 0.01 else self.dice.choice((1, 4, 4, 7, 13, -1, 2**40))]

    tenpai_wait_index = tenpai_hands

    def ron_distribution(self) -> list[Any]:
        tiles = 10 if self.dice.random() < 0.001 else self.dice.choice((1, 1, 1, 4, 4, 4, 7))
        if self.dice.random() < 0.02 or tiles not in self.scores:
            dora = np.zeros(34, np.uint8)
            made = [(1, 33), (1, 31), (0, 3), (0, 12)][: 4 - tiles // 3]
            self.scores[tiles] = _core.score_open(
                tiles, made, 27, 28, dora, 0, False, False, True, False, 4
            )
        scores = self.scores[tiles]
        if self.dice.random() < 0.1:
            scores = scores[: self.dice.randrange(3) - 1].copy()
            at = self.dice.randrange(max(1, len(scores)))
            scores[at : at + 1] = self.dice.randrange(256), self.dice.randrange(256)
        elif self.dice.random() < 0.3:
            scores = scores.copy()
            at = self.dice.randrange(len(scores))
            scores[at] = self.dice.randrange(256), self.dice.choice((0, 25, 70, 110, 119, 120, 255))
        factors = [self.dice.choice((0.0, 0.2, 1.0, -1.0, 1e308, float("nan"))) for _ in range(3)]
        return [
            tiles, scores, self.unseen(), self.small(0, 8), self.mask(), self.small(0, 8),
            self.rng.random(4).tolist(), factors[0], factors[1], self.mask(), factors[2],
            self.flag(),
        ]  # fmt: skip

    def tile_efficiency(self) -> list[Any]:
        hands = self.hands(2)[:2]
        return [hands, self.unseen(len(hands))]

    def decode_games(self) -> list[Any]:
        games, n_hands = self.dice.randrange(3), 0
        words: list[np.ndarray[Any, Any]] = []
        starts = [0]
        for _ in range(games):
            for _ in range(self.dice.randrange(3)):
                words.append(self.dice.choice(self.words).copy())
                if self.dice.random() < 0.2:
                    at = self.dice.randrange(len(words[-1]))
                    words[-1][at] = self.small(-3, 1 << 16) % 2**31
            n_hands = len(words)
            starts.append(n_hands)
        hands = np.cumsum([0, *map(len, words)]).astype(np.int64)
        if self.dice.random() < 0.05:
            hands[self.dice.randrange(len(hands))] = self.small(-1, 5) % 2**63
        joined = np.concatenate([np.zeros(0, np.int32), *words])
        rules = np.tile(np.array([1, 1, 1, 0, 0, 4, 0, 0, 1, 0, 2], np.int32), (games, 1))
        if games and self.dice.random() < 0.3:
            rules[0, self.dice.randrange(11)] = self.small(-1, 5) % 2**31
        changes = self.rng.integers(0, 4, size=(self.dice.choice((0, 0, 3)), 5)).astype(np.int32)
        return [
            joined, hands, np.array(starts, np.int64), np.arange(games, dtype=np.uint64), rules,
            np.ones(games, np.uint8), self.rng.integers(-9, 9, size=(games, 4)).astype(np.int32),
            changes, self.flag(), self.dice.choice((2**64 - 1, 2**63, 0)), self.small(0, 9),
            self.dice.choice((None, self.rng.integers(-1, 9, size=(games, 2)).astype(np.int32))),
        ]  # fmt: skip

    def pair_net(self) -> list[Any]:
        return self._pair_net(self.dice.randrange(10))

    def _pair_net(self, inputs: int) -> list[Any]:
        n = self.dice.randrange(20)
        pair, seat = self.dice.choice((16, 32)), self.dice.choice((16, 17, 48))
        size = (inputs + 1) * pair + (2 * pair + 1) * seat + (seat + 1) * 5 + pair + 1
        if self.dice.random() < 0.05:
            size = max(0, size + self.dice.choice((-1, 2)))
        weights = self.rng.random(size, dtype=np.float32) - 0.5
        return [pair, seat, weights, self.rng.random((n, 12, inputs), dtype=np.float32)]

    def pair_inputs(self) -> list[Any]:
        starts = self.rng.integers(-3, 14, size=(self.dice.randrange(20), 8)).astype(np.int32)
        starts[:, 4:] *= self.dice.choice((1, 100, 20000))
        if len(starts) and self.dice.random() < 0.2:
            starts[0, self.dice.randrange(8)] = self.dice.choice((-(2**31), 2**31 - 1))
        return [starts]

    def placements(self) -> list[Any]:
        pair, seat, weights, _ = self._pair_net(29)
        return [pair, seat, weights, *self.pair_inputs()]

    def network_parts(self) -> list[Any]:
        if self.dice.random() < 0.9:
            return list(self.dice.choice(SIZES))
        return [tuple(self.small(0, 65) * self.dice.choice((1, 16)) for _ in range(5))
                for _ in range(2)]  # fmt: skip

    def Network(self) -> list[Any]:
        sizes = self.dice.choice(SIZES)
        weights = (self.rng.random(weights_of(sizes), dtype=np.float32) - 0.5) / 16
        if self.dice.random() < 0.05:
            weights = weights[: self.dice.randrange(len(weights))]
        return [*sizes, weights, self.flag()]

    def Network_forward(self) -> list[Any]:
        taken, mirror = self._records()
        return [taken, mirror, self.rng.standard_normal((len(taken), 8), dtype=np.float32)]

    Network_channels = Network_forward

    def Network_both(self) -> list[Any]:
        taken, _, style = self.Network_forward()
        return [taken, style]

    def decision_features(self) -> list[Any]:
        return [*self._records(), self.dice.choice((1, 1, 2, 4, 0, 2**63, -1))]

    def opponent_features(self) -> list[Any]:
        return [*self._records()]

    def _options(self) -> list[Any]:
        """Decision records, and the decision, sort, tile and red five of each option."""
        taken, _ = self._records()
        b = self.dice.randrange(40) if len(taken) else 0
        row = np.sort(self.rng.integers(0, max(len(taken), 1), size=b))
        held = [np.flatnonzero(hand) for hand in taken.view(DECISION)["hand"][:, 0]]
        kind = [self.dice.choice([*held[i].tolist(), NONE]) for i in row.tolist()]
        options = [
            row,
            self.rng.choice([0, 0, 1, 4, 5, 8, 10, 11], b),
            kind,
            self.rng.random(b) < 0.1,
        ]
        if b and self.dice.random() < 0.1:
            at = self.dice.choice(options[:3])
            at[self.dice.randrange(b)] = self.dice.choice((34, 12, 200, 1))
        row, *rest = options
        return [taken, row, *(np.array(part, np.uint8) for part in rest)]

    def option_shares(self) -> list[Any]:
        options = self._options()
        shapes = [(len(options[0]), width) for width in (34, 34, 9)]
        return [*options, *(self.rng.standard_normal(shape, dtype=np.float32) for shape in shapes)]

    def option_win_tiles(self) -> list[Any]:
        return [*self._options(), self.flag()]

    def option_steps(self) -> list[Any]:
        return [*self._options(), self.flag()]

    def option_inputs(self) -> list[Any]:
        options = self._options()
        n = len(options[0])
        found = (self.rng.standard_normal((n, 3, *rest), dtype=np.float32)
                 for rest in ((34,), (), (34, 8)))  # fmt: skip
        return [*options, self.rng.random(len(options[1])), *found]

    def option_net(self) -> list[Any]:
        members, h = self.dice.randrange(3), self.dice.choice((16, 16, 32, 17))
        channels, pooled, exact, out = (self.dice.randrange(20) for _ in range(4))
        n, b = self.dice.randrange(1, 6), self.dice.randrange(12)
        rows = ((channels, h), (pooled, h), (exact, h), (1, h), (h, h), (1, h), (h, out))
        layers = [self.rng.standard_normal((members, *each), dtype=np.float32) for each in rows]
        row = np.sort(self.rng.integers(0, n, size=b))
        kind = self.rng.integers(0, 34, size=b, dtype=np.uint8)
        if b and self.dice.random() < 0.05:
            self.dice.choice((row, kind))[self.dice.randrange(b)] = self.dice.choice((34, 200, 7))
        shapes = ((n, 34, channels), (n, pooled), (b, exact))
        return [
            *layers, row, kind,
            *(self.rng.standard_normal(shape, dtype=np.float32) for shape in shapes),
        ]  # fmt: skip

    def option_weights(self) -> list[Any]:
        n, e = self.dice.randrange(5), self.dice.randrange(3)
        b = n + self.dice.randrange(8) if n else 0
        begins = np.sort(self.rng.permutation(np.arange(1, b))[: n - 1]) if n else []
        shapes = ((33, e, b), (b,), (2, e, b, 9), (n, 12, 9), (e, b), (b, 3), (b, 3, 9), (b,))
        return [
            np.array([0, *begins][:n], np.int64), *map(self.rng.random, shapes),
            self.rng.integers(0, 2, size=b, dtype=np.uint8),
        ]  # fmt: skip

    def option_tables(self) -> list[Any]:
        n, k = self.dice.randrange(4), self.dice.randrange(1, 50)
        row = self.rng.integers(-1, k, size=(n, 322))
        if n and self.dice.random() < 0.1:
            row[self.dice.randrange(n), self.dice.randrange(322)] = self.dice.choice((k, 2**62, -9))
        return [self.rng.random((k, 6)), row, self.rng.random((n, 12, 9))]

    def option_changes(self) -> list[Any]:
        begins, later, *_ = self.option_weights()
        (_, e, b), n = later.shape, len(begins)
        shapes = ((n, 161), (2, e, b, 9), (n, 12, 9), (4, e, b))
        return [begins, *map(self.rng.random, shapes), self.small(0, 4)]

    def deposit_odds(self) -> list[Any]:
        return []

    def option_deposits(self) -> list[Any]:
        e, b = self.dice.randrange(3), self.dice.randrange(8)
        return [self.rng.random((4, b)), self.rng.random((33, e, b))]

    def wins_at_once(self) -> list[Any]:
        m = self.dice.randrange(6)
        at = np.flatnonzero(self.rng.random(3 * m) < 0.6)
        rows = self.rng.integers(0, 5, size=len(at))
        cells = self.rng.random((int(rows.sum()), 4)) * 1e4
        if len(at) and self.dice.random() < 0.1:
            self.dice.choice((at, rows))[self.dice.randrange(len(at))] = self.dice.choice(
                (99, -1, 2**62)
            )
        honba, dealer = self.rng.integers(0, 900, size=m), self.rng.integers(0, 4, size=m)
        chances = self.rng.random((2, len(at)))
        return [at, *chances, rows, cells, honba, dealer, self.flag()]

    def with_tile_facts(self) -> list[Any]:
        return [self._records()[0]]

    def seat_records(self) -> list[Any]:
        taken, _ = self._records()
        return [taken, self.rng.integers(0, 1 << 34, size=len(taken), dtype=np.uint64)]

    def _records(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        rows, _ = real_decisions()
        n = self.dice.randrange(1, 12) if self.dice.random() < 0.95 else 0
        taken = rows[self.rng.integers(0, len(rows), size=n)].copy()
        self.spoil(taken)
        return taken, self.rng.integers(0, self.dice.choice((2, 2, 256)), size=n, dtype=np.uint8)


Sizes = tuple[tuple[int, ...], tuple[int, ...]]
SIZES: tuple[Sizes, ...] = (
    ((16, 0, 16, 2, 9), (0, 0, 0, 0, 0)),
    ((16, 1, 16, 2, 9), (16, 1, 16, 21, 46)),
    ((32, 2, 0, 0, 0), (16, 0, 16, 1, 1)),
)
"""Small networks: width, blocks, hidden channels and outputs of both towers."""


@lru_cache
def weights_of(sizes: Sizes) -> int:
    """How many weights such a network has."""
    return sum(rows * columns for _, rows, columns in _core.network_parts(*sizes))


def real_words() -> list[np.ndarray[Any, Any]]:
    """The words of played hands, as the replay kernel takes them."""
    from fuzz.targets import sample_games

    from haiyomi.kernels.replay import encode

    hands = [hand for game in sample_games() for hand in game.hands]
    return [np.array(encode(hand), dtype=np.int32) for hand in hands]


@lru_cache
def real_records() -> list[bytes]:
    """Records in mjlog of a hand each."""
    from fuzz.targets import short_games

    from haiyomi.logs.load import write

    return [write(game, "mjlog").encode() for game in short_games()]


@lru_cache
def real_decisions() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Decisions of played hands and what was chosen, as rows of bytes."""
    from fuzz.targets import short_games
    from training.policy_rows import PolicyRows, game_rows

    from haiyomi.game.decision_record import as_bytes
    from haiyomi.kernels.record_facts import with_tile_facts

    rows = PolicyRows.join([game_rows("", game) for game in short_games()])
    labels = np.ascontiguousarray(rows.labels).view(np.uint8).reshape(len(rows), -1)
    return with_tile_facts(as_bytes(rows.decisions)), labels
