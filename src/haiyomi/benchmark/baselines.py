"""The baselines of the benchmark: a constant, a random deal, the papers' models, and haiyomi's.

On the benchmark's own games the policy that plays them answers the discards: what it does not
know is each player's style.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Floats, Ints
from haiyomi.benchmark.folder import DRAW, Benchmark
from haiyomi.benchmark.predictions import Predictions
from haiyomi.benchmark.tasks import Questions, bits_of, threat_of, wins_of
from haiyomi.corpus.splits import Split
from haiyomi.dealin.network_model import NetworkModel
from haiyomi.evaluation.outcomes.outcome_forecast import state_forecasts
from haiyomi.events import Game, Hand, Header
from haiyomi.game.decision_labels import Labels
from haiyomi.game.decision_record import Decisions
from haiyomi.game.labelled import LabelledDiscard, labelled
from haiyomi.game.packed_games import decode_games
from haiyomi.kernels.decode import decode
from haiyomi.kernels.hand_counts import hand_marginals
from haiyomi.networks.opponents import shipped_opponents
from haiyomi.networks.softmax import softmax
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.placement import shipped as shipped_placement
from haiyomi.outcomes.starts import Starts
from haiyomi.reading.counts import CountModel, log_weights
from haiyomi.reading.opponent_class import totals_of
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.styles.discard_network import Discards, discards_of, inputs
from haiyomi.styles.policy import shipped_policy
from haiyomi.tiles import N_CODES, N_KINDS, RED_KINDS
from haiyomi.training.fit_discard_network import SgdSettings, fit_network
from haiyomi.training.packed_reader import PackedGames, every_shard, read_shard

BLOCK: Final = 48
"""Decisions that a model is asked about together."""
EPOCHS: Final = 60
"""Epochs of the network that is fitted here."""
_RULES: Final = (
    "red_fives", "kuitan", "multiple_yakuman", "double_yakuman", "kiriage", "wind_pair_fu",
    "triple_ron", "immediate_kan_dora", "pao_whole", "rob_ankan", "rounds",
)  # fmt: skip
"""The numbers of a packed game's rules, by the names of Ruleset."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The questions of a split as models are asked: ``records`` and ``labels`` (n,), the ``parts``
    they are from and the ``part`` (n,) of each; ``train``: the questions that a constant is taken
    from."""

    benchmark: Benchmark
    asked: Questions
    train: Questions
    records: Decisions
    labels: Labels
    parts: tuple[PackedGames, ...]
    part: Ints

    @classmethod
    def of(cls, benchmark: Benchmark, split: Split) -> Sample:
        """Of a split of a benchmark. Raises DatasetError."""
        asked = benchmark.questions(split)
        parts, records, labels = [], [], []
        for shard in every_shard(benchmark.games)[split]:
            parts.append(read_shard(shard))
            found = decode_games(parts[-1].words, DRAW.discards, DRAW.share, DRAW.seed)
            records.append(found[0])
            labels.append(found[1])
        joined = np.concatenate(labels)
        assert np.array_equal(joined["discards"], asked.columns["discards"])
        part = np.repeat(np.arange(len(parts)), [len(each) for each in labels])
        train = asked if split == "train" else benchmark.questions("train")
        return cls(benchmark, asked, train, np.concatenate(records), joined, tuple(parts), part)

    def hands(self) -> Iterator[tuple[Game, Ints]]:
        """Each hand that has questions as a game, and which of its discards are questions."""
        labels = self.labels
        hands = np.stack([self.part, labels["game"], labels["hand"]], axis=1)
        begins = np.flatnonzero(np.r_[True, (hands[1:] != hands[:-1]).any(axis=1)])
        for begin, end in zip(begins, [*begins[1:], len(hands)], strict=True):
            part, game, hand = hands[begin].tolist()
            discards = labels["discards"][begin:end].astype(np.int64)
            yield _game_of_hand(self.parts[part], game, hand), discards

    def blocks(self) -> Iterator[Decisions]:
        """The records, some at a time."""
        for at in range(0, len(self.records), BLOCK):
            yield self.records[at : at + BLOCK]

    @property
    def opponents(self) -> tuple[NDArray[np.void], Ints]:
        """(3n,) observations and relative seats 1, 2, 3 of the opponents, record after record."""
        observations = np.repeat(np.ascontiguousarray(self.records["observation"]), 3)
        return observations, np.tile(np.array([1, 2, 3]), len(self.records))


def constant(sample: Sample) -> Predictions:
    """The shares among the train questions."""
    n, train = len(sample.asked), sample.train.columns
    threat = threat_of(sample.train)
    held = np.repeat(train["concealed"][threat][:, None] > 0, 3, axis=1)
    rons = bits_of(train["ron"][threat])
    counts = np.bincount(train["hands"].reshape(-1), minlength=5) / train["hands"].size
    choice = train["choice_discard"]
    chosen = np.bincount(choice[choice < 34], minlength=34).astype(np.float64)
    legal = bits_of(train["legal_discards"]).sum(axis=0)
    kinds = chosen / np.maximum(legal, 1)
    return {
        "tenpai": np.full((n, 3), train["tenpai"][train["riichi"][:, 1:] < 0].mean()),
        "deal-in": np.full((n, 3, 34), rons[held].mean()),
        "counts": np.broadcast_to(counts, (n, 3, 34, 5)),
        "discard": np.broadcast_to(kinds / kinds.sum(), (n, 34)),
        "win": np.full(n, wins_of(sample.train).mean()),
        "placement": np.full((n, 4), 0.25),
    }


def random_deal(sample: Sample) -> Predictions:
    """Opponents' tiles drawn from those that the seat does not see; any legal discard."""
    observations, opponent = sample.opponents
    n = len(observations)
    logs = log_weights(observations["unseen"], np.zeros((n, 34, 4)))
    marginals = hand_marginals(logs, totals_of(observations, opponent))[1]
    legal = bits_of(sample.records["discards"]).astype(np.float64)
    return {
        "counts": marginals.reshape(-1, 3, 34, 5),
        "discard": legal / legal.sum(axis=1, keepdims=True),
    }


def nemoto(sample: Sample) -> Predictions:
    """The CRF of Nemoto, Komiya and Kotani, with the dummies that its page calls d."""
    from haiyomi.reading.nemoto import shipped

    return {"counts": shipped().marginals(*sample.opponents).reshape(-1, 3, 34, 5)}


def kurita_hoki(sample: Sample) -> Predictions:
    """The model of Kurita and Hoki with haiyomi's corrections."""
    from haiyomi.dealin.kurita_hoki import shipped
    from haiyomi.dealin.variant import Variant

    model = shipped(Variant.parse("kurita-hoki"))
    tenpai, chances = [], []
    asked = _discards(sample)
    while block := list(islice(asked, BLOCK)):
        for each in model.read([one.position for one in block]):
            tenpai.append(each.tenpai)
            chances.append(each.chances())
    return {"tenpai": np.array(tenpai), "deal-in": np.array(chances)}


def tomohxx(sample: Sample) -> Predictions:
    """P(win by own draws) after tomohxx, of the discard where it is highest; the train questions'
    rate of wins where it is not computed."""
    from haiyomi.winning.own import own_values_of

    rate = float(wins_of(sample.train).mean())
    win: list[float] = []
    asked = _discards(sample)
    while block := list(islice(asked, BLOCK)):
        for each in own_values_of([one.position for one in block], tenpai=False):
            win.append(max((own.win for own in each), default=rate))
    return {"win": np.array(win)}


def maekawa_takeuchi(sample: Sample) -> Predictions:
    """The imitating network of Maekawa and Takeuchi, fitted by cross-entropy to the train questions
    of all players; the valid questions choose its epoch."""
    train, valid = (_rows_of(Sample.of(sample.benchmark, split)) for split in ("train", "valid"))
    network = fit_network(train, "cross-entropy", SgdSettings(epochs=EPOCHS), valid).best
    rows = _rows_of(sample)
    scores = network.scores(inputs(rows))[:, :N_CODES].astype(np.float64)
    scores = np.where(rows.held > 0, scores, -np.inf)
    codes = np.exp(scores - scores.max(axis=1, keepdims=True))
    kinds = codes[:, :N_KINDS]
    kinds[:, RED_KINDS] += codes[:, N_KINDS:]
    return {"discard": kinds / kinds.sum(axis=1, keepdims=True)}


def haiyomi(sample: Sample) -> Predictions:
    """The shipped networks: of opponents, the policy, its forecast of the hand, the placement."""
    network = shipped_opponents()
    risk, hands = NetworkModel(network), CountModel(network)
    policy = shipped_policy()
    tenpai, ron, counts, discard = [], [], [], []
    for records in sample.blocks():
        seen = network.read(records)
        found = risk.rons(seen, TENHOU)
        tenpai.append(found.tenpai.reshape(-1, 3))
        ron.append(found.ron.reshape(-1, 3, 34))
        counts.append(hands.of(seen).marginals.reshape(-1, 3, 34, 5))
        legal = bits_of(records["discards"])
        scores = np.where(legal, policy.logits(records).discards.astype(np.float64), -np.inf)
        discard.append(softmax(scores))
    forecast = state_forecasts(policy.network, sample.records)
    return {
        "tenpai": np.concatenate(tenpai),
        "deal-in": np.concatenate(ron),
        "counts": np.concatenate(counts),
        "discard": np.concatenate(discard),
        "win": forecast.p[:, [Ending.TSUMO, Ending.RON]].sum(axis=1),
        "placement": _placements(sample),
    }


BASELINES: Final[dict[str, Callable[[Sample], Predictions]]] = {
    "constant": constant,
    "random deal": random_deal,
    "kurita-hoki": kurita_hoki,
    "nemoto": nemoto,
    "maekawa-takeuchi": maekawa_takeuchi,
    "tomohxx": tomohxx,
    "haiyomi": haiyomi,
}
"""By name, in the order of the table."""


def _placements(sample: Sample) -> Floats:
    """(n, 4) of the seat that decides: as if the next hand began with the scores as they stand."""
    seen = sample.records["observation"]
    seat = seen["seat"].astype(np.int64)
    absolute = (np.arange(4) - seat[:, None]) % 4
    scores = np.take_along_axis(seen["players"]["score"], absolute, axis=1)
    rounds, kyoku, honba, sticks = (
        seen[name].astype(np.int32) for name in ("rounds", "kyoku", "honba", "sticks")
    )
    starts = Starts(np.clip(rounds, 1, 2), kyoku, honba, sticks, scores)
    places: Floats = shipped_placement().starts(starts).places[np.arange(len(seat)), seat]
    out: Floats = places / places.sum(axis=1, keepdims=True)
    return out


def _discards(sample: Sample) -> Iterator[LabelledDiscard]:
    """The questions as positions, in their order."""
    for game, discards in sample.hands():
        chosen = set(discards.tolist())
        yield from (each for each in labelled(game) if each.decision in chosen)


def _rows_of(sample: Sample) -> Discards:
    """The questions as the imitating network sees them, in their order."""
    seats = {seat: seat for seat in range(4)}
    return Discards.join([discards_of(game, seats, 0).take(at) for game, at in sample.hands()])


def _game_of_hand(part: PackedGames, game: int, hand: int) -> Game:
    """One hand of a game as a game."""
    words = part.words
    at = int(words.games[game]) + hand
    events = decode(words.words[words.hands[at] : words.hands[at + 1]].tolist())
    return Game(Header(rules=_ruleset(words.rules[game].tolist())), (Hand(events),))


def _ruleset(numbers: list[int]) -> Ruleset:
    given = {
        name: type(getattr(TENHOU, name))(number)
        for name, number in zip(_RULES, numbers, strict=True)
    }
    return replace(TENHOU, **given)
