"""``haiyomi evaluate policy``: a policy on a split of packed games, by table, year and player.

Every figure of two models is of the same decisions; intervals are bootstraps by game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bools, Ints32, Singles
from haiyomi.corpus.splits import Split
from haiyomi.engines.shards import Jobs, map_in_order
from haiyomi.errors import DamageError, DatasetError
from haiyomi.evaluation.imitation.policy_scores import (
    Judged,
    choice_gains,
    choice_scores,
    discard_gains,
    discard_scores,
    judge,
)
from haiyomi.evaluation.metrics import by_game, finite, mean_estimate
from haiyomi.evaluation.networks_used import networks_of
from haiyomi.evaluation.report import Cell, Figure, Report, Scope
from haiyomi.game.decision_labels import is_known
from haiyomi.game.decision_record import without_tedashi
from haiyomi.rows import Rows
from haiyomi.seeds import generator
from haiyomi.storage.arrays_file import read_arrays
from haiyomi.storage.resume import Progress
from haiyomi.styles.policy import SHIPPED as POLICY
from haiyomi.styles.policy import policy_of
from haiyomi.training.decision_stream import DecisionStream
from haiyomi.training.packed_reader import OTHER_TABLES, TABLES
from haiyomi.training.packed_source import VECTOR_GAMES, Players

SEED: Final = 17
STYLE_GAMES: Final = 100
"""A player with so many games in train is one of those whose own style is measured."""
LEAST_GAMES: Final = 30
"""A year with fewer games has no row."""


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What is asked of each shard: ``model`` and ``against`` are files of policies, None for the
    shipped one and for no comparison; ``styles`` vectors by player; ``fraction`` of the decisions,
    drawn by a hash."""

    packed: Path
    split: Split
    model: Path | None = None
    against: Path | None = None
    styles: Mapping[str, Singles] | None = None
    fraction: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Facts(Rows):
    """Of n decisions: a code of the ``game``, its kind of ``table`` and ``year``, the ``player``,
    whether another is in riichi, whether the own hand is ``opened``, the ``turn`` from 0, and
    whether the tile ``drawn`` was discarded."""

    game: Ints32
    table: NDArray[np.str_]
    year: NDArray[np.int16]
    player: NDArray[np.str_]
    riichi: Bools
    opened: Bools
    turn: NDArray[np.int16]
    drawn: Bools


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Decisions and each model's answers: ``policy``, and of those that were asked for ``against``,
    ``forgets`` (without the memory of tedashi), and ``styled``, which is that of the pooled policy
    where the player has no vector of their own (``own`` False)."""

    facts: Facts
    judged: Mapping[str, Judged]
    own: Bools

    def __len__(self) -> int:
        return len(self.own)


def answer(question: Question, jobs: Jobs = None, progress: Progress | None = None) -> Answers:
    """The answers to all decisions of a split. Raises DatasetError, ModelError."""
    policy_of(question.model)
    shards = DecisionStream(question.packed, question.split).segments
    work = [(question, index) for index in range(shards)]
    parts = map_in_order(answer_shard, work, jobs, progress)
    if not any((part.judged["policy"].place >= 0).any() for part in parts):
        raise DatasetError("no discard was drawn: raise --share")
    return Answers(
        Facts.join([part.facts for part in parts]),
        {name: Judged.join([part.judged[name] for part in parts]) for name in parts[0].judged},
        np.concatenate([part.own for part in parts]),
    )


def answer_shard(work: tuple[Question, int]) -> Answers:
    """The answers to the decisions of one shard of which the choice is known."""
    question, index = work
    stream = DecisionStream(question.packed, question.split, SEED, question.fraction)
    segment = stream.segment(0, index)
    segment = segment.take(np.flatnonzero(is_known(segment.labels)))
    rows, labels = segment.records, segment.labels["choice"]
    policy = policy_of(question.model)
    judged = {
        "policy": judge(rows, labels, policy.logits(rows)),
        "forgets": judge(rows, labels, policy.logits(without_tedashi(rows))),
    }
    if question.against is not None:
        judged["against"] = judge(rows, labels, policy_of(question.against).logits(rows))
    vectors = question.styles or {}
    player = segment.player
    own = np.isin(player, list(vectors))
    if vectors:
        mine = np.flatnonzero(own)
        styles = np.array([vectors[name] for name in player[mine].tolist()], np.float32)
        styled = judge(rows[mine], labels[mine], policy.logits(rows[mine], styles))
        judged["styled"] = _put(judged["policy"], mine, styled)
    players = rows["observation"]["players"]
    facts = Facts(
        (segment.labels["game"] + index * 65_536).astype(np.int32),
        segment.of_game("table").astype(np.str_),
        segment.of_game("year").astype(np.int16),
        player,
        np.asarray((players["riichi"][:, 1:] >= 0).any(axis=1), dtype=bool),
        np.asarray((players["melds"][:, 0, :, 0] < 4).any(axis=1), dtype=bool),
        players["n"][:, 0].astype(np.int16),
        np.asarray(rows["drawn"] == labels["discard"], dtype=bool),
    )
    return Answers(facts, judged, own)


def learned_styles(checkpoint: Path, packed: Path) -> dict[str, Singles]:
    """The vectors that a fit learned of the players with at least ``STYLE_GAMES`` games. Raises
    DatasetError."""
    try:
        data = read_arrays(checkpoint)
    except (DamageError, OSError):
        data = {}
    name = "average module.styles.weight"
    if name not in data:
        raise DatasetError(f"{checkpoint} is not a checkpoint of a fit with styles")
    players = Players.of(packed, VECTOR_GAMES)
    if len(data[name]) != len(players.names) + 1:
        raise DatasetError(
            f"{checkpoint} has styles of {len(data[name]) - 1} players, but {packed} has "
            f"{len(players.names)} with {VECTOR_GAMES} games"
        )
    every = zip(players.names, players.games, data[name][1:], strict=True)
    return {name: vector for name, games, vector in every if games >= STYLE_GAMES}


def results_json(
    answers: Answers, question: Question, programs: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The results; ``programs`` are labels by the names of players to report of one by one."""
    facts, policy = answers.facts, answers.judged["policy"]
    rng = generator(SEED, "policy scores")
    groups = _groups(facts)
    thrown = policy.place >= 0
    of_table = {name: facts.table == name for name in (*TABLES.values(), OTHER_TABLES)}
    found: dict[str, Any] = {
        "schema": "haiyomi-policy-results",
        "version": 2,
        "what": question.split,
        "split": question.split,
        "games": len(np.unique(facts.game)),
        "rows": len(answers),
        "fraction": question.fraction,
        "discard_just_drawn": float(facts.drawn[thrown].mean()),
        "discards": {
            name: discard_scores(policy, facts.game, m, rng) for name, m in groups.items()
        },
        "choices": choice_scores(policy, facts.game, rng),
        "choices_by_table": {
            name: choice_scores(policy.take(np.flatnonzero(m)), facts.game[m], rng)
            for name, m in of_table.items()
            if m.any()
        },
        "forgets": discard_gains(
            policy, answers.judged["forgets"], facts.game, np.ones(len(answers), bool), rng
        ),
        "policy": policy_of(question.model).manifest,
        "networks": networks_of(question.model or POLICY, question.against),
        "skipped": 0,
    }
    if "against" in answers.judged:
        other = answers.judged["against"]
        found["against"] = {
            "discards": {
                n: discard_gains(policy, other, facts.game, m, rng)
                for n, m in groups.items()
                if m.any()
            },
            "choices": choice_gains(policy, other, facts.game, rng),
        }
    if "styled" in answers.judged:
        found["styles"] = _style_gain(answers, rng)
    found["programs"] = {
        label: _program(answers, facts.player == name, rng)
        for name, label in (programs or {}).items()
    }
    return dict(finite(found))


def _groups(facts: Facts) -> dict[str, Bools]:
    found = {"all": np.ones(len(facts.game), bool)}
    found |= {name: facts.table == name for name in (*TABLES.values(), OTHER_TABLES)}
    for year in np.unique(facts.year[facts.year > 0]).tolist():
        in_year = facts.year == year
        if len(np.unique(facts.game[in_year])) >= LEAST_GAMES:
            found[str(year)] = in_year
    return found | {
        "nobody else in riichi": ~facts.riichi,
        "another in riichi": facts.riichi,
        "own hand closed": ~facts.opened,
        "own hand open": facts.opened,
        "turns 1 to 6": facts.turn < 6,
        "turns 7 to 12": (facts.turn >= 6) & (facts.turn < 12),
        "turn 13 on": facts.turn >= 12,
    }


def _style_gain(answers: Answers, rng: np.random.Generator) -> dict[str, Any]:
    """What their own vectors save of the players who have one, in nats a decision."""
    facts, own = answers.facts, answers.own
    gain = answers.judged["policy"].nats - answers.judged["styled"].nats
    by_player = [gain[facts.player == name].mean() for name in np.unique(facts.player[own])]
    thrown = own & (answers.judged["policy"].place >= 0)
    top1 = (answers.judged["styled"].place == 0).astype(float)
    top1 -= answers.judged["policy"].place == 0
    return {
        "players": len(by_player),
        "better": int((np.array(by_player) > 0).sum()),
        "n": int(own.sum()),
        "games": len(np.unique(facts.game[own])),
        "least_games": STYLE_GAMES,
        "nats": mean_estimate(gain[own], facts.game[own], rng).to_json(),
        "top1": mean_estimate(top1[thrown], facts.game[thrown], rng).to_json(),
    }


def _program(answers: Answers, mine: Bools, rng: np.random.Generator) -> dict[str, Any]:
    """How often the policy's first discard is one player's: pooled, with the player's own vector,
    and that of the others in the same games."""
    game = answers.facts.game
    pooled = answers.judged["policy"].place
    thrown = mine & (pooled >= 0)
    others = ~mine & (pooled >= 0) & np.isin(game, np.unique(game[mine]))
    out: dict[str, Any] = {"n": int(thrown.sum()), "games": len(np.unique(game[thrown]))}
    if not out["n"]:
        return out
    out["top1"] = mean_estimate(pooled[thrown] == 0, game[thrown], rng).to_json()
    if answers.own[thrown].any():
        styled = answers.judged["styled"].place[thrown]
        out["own"] = mean_estimate(styled == 0, game[thrown], rng).to_json()
    out["others"] = mean_estimate(pooled[others] == 0, game[others], rng).to_json()
    return out


def _put(into: Judged, at: NDArray[Any], values: Judged) -> Judged:
    """The judgements with some rows replaced."""
    arrays = []
    for name in Judged.__slots__:
        array = getattr(into, name).copy()
        array[at] = getattr(values, name)
        arrays.append(array)
    return Judged(*arrays)


def reports(results: dict[str, Any]) -> Iterator[Report]:
    """The tables of ``results_json``, in reading order."""
    scope = Scope(results["games"], results["what"], by_game(results["games"]))
    rows: list[tuple[Cell, ...]] = [
        (name, s["n"], *(Figure.of(s[of], ".4f") for of in ("top1", "top3", "nats")))
        for name, s in results["discards"].items()
        if s["n"]
    ]
    if results["discard_just_drawn"] is not None:
        drawn = Figure(results["discard_just_drawn"], ".4f")
        n = results["discards"]["all"]["n"]
        rows.append(("always the tile just drawn, without a model", n, drawn, "", ""))
    columns = ("discards", "n", "top-1", "top-3", "cross-entropy, nats")
    yield Report(f"Discards, of {results['rows']:,} decisions", columns, tuple(rows), scope)
    yield Report(
        "Other choices",
        ("choice", "n", "chosen", "accuracy", "accuracy of the commoner answer", "AUC", "log loss",
         "log loss of the constant"),
        tuple(
            (
                name, s["n"], Figure(s["rate"], ".1%"), Figure.of(s["accuracy"], ".4f"),
                Figure(s["base_accuracy"], ".3f"), Figure.of(s["auc"], ".4f"),
                Figure(s["log_loss"]["value"], ".4f"), Figure(s["constant"], ".4f"),
            )
            for name, s in results["choices"].items()
        ),
        scope,
    )  # fmt: skip
    if "choices_by_table" in results:
        yield _choices_by_table(results["choices_by_table"], scope)
    if "against" in results:
        yield from _against(results["against"], scope)
    if "forgets" in results:
        yield Report(
            "What remembering which discards were tedashi is worth",
            ("discards", "n", "top-1", "top-3", "nats saved"),
            (("all", results["forgets"]["n"], *_gains(results["forgets"])),),
            scope,
        )
    if "styles" in results:
        yield _styles(results["styles"], scope)
    if results.get("programs"):
        yield _programs(results["programs"], scope)


def _choices_by_table(tables: dict[str, Any], scope: Scope) -> Report:
    rows: list[tuple[Cell, ...]] = [
        (f"{table}: {name}", s["n"], Figure(s["rate"], ".1%"), Figure.of(s["auc"], ".4f"))
        for table, choices in tables.items()
        for name, s in choices.items()
        if name in BY_TABLE
    ]
    return Report("Choices by table", ("choice", "n", "chosen", "AUC"), tuple(rows), scope)


BY_TABLE: Final = ("riichi", "chi", "pon")


def _against(found: dict[str, Any], scope: Scope) -> Iterator[Report]:
    rows: list[tuple[Cell, ...]] = [
        (name, s["n"], *_gains(s)) for name, s in found["discards"].items() if s["n"]
    ]
    columns = ("discards", "n", "top-1", "top-3", "nats saved")
    yield Report("Gains over the other policy", columns, tuple(rows), scope)
    auc = ((name, Figure.of(e, "+.4f")) for name, e in found["choices"].items())
    yield Report("Gains in AUC over the other policy", ("choice", "AUC"), tuple(auc), scope)


def _gains(found: dict[str, Any]) -> tuple[Figure, ...]:
    return tuple(Figure.of(found[of], "+.4f") for of in ("top1", "top3", "nats"))


def _styles(found: dict[str, Any], scope: Scope) -> Report:
    return Report(
        f"Gain of the own style vector, of players with {found['least_games']} games in train",
        ("players", "with a gain", "decisions", "nats saved", "top-1"),
        (
            (
                str(found["players"]), found["better"], found["n"],
                Figure.of(found["nats"], "+.4f"), Figure.of(found["top1"], "+.4f"),
            ),
        ),
        scope,
    )  # fmt: skip


def _programs(found: dict[str, Any], scope: Scope) -> Report:
    missing = {"value": None}
    rows: list[tuple[Cell, ...]] = [
        (
            label, s["games"], s["n"],
            *(Figure.of(s.get(of, missing), ".4f") for of in ("top1", "own", "others")),
        )
        for label, s in found.items()
    ]  # fmt: skip
    columns = ("player", "games", "discards", "top-1", "with the own vector", "others there")
    return Report("Agreement with single players", columns, tuple(rows), scope)
