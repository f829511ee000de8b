"""The policy on records it was not fitted on, by shards; and what a style is worth there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.corpus import Corpus
from haiyomi.evaluation.metrics import ratio_estimate
from haiyomi.evaluation.policy_scores import (
    Judged,
    choice_scores,
    discard_scores,
    finite_json,
    judge,
)
from haiyomi.seeds import generator
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress
from haiyomi.styles.estimate import style_vector
from haiyomi.styles.policy import Policy, shipped_policy
from haiyomi.styles.policy_network import Floats
from haiyomi.training.policy_rows import PolicyRows, read_rows

SEED: Final = 17
GAMES_A_PIECE: Final = 24


@dataclass(frozen=True, slots=True, eq=False)
class PolicyAnswers:
    """Rows and the policy's predictions on them, in the records' order."""

    rows: PolicyRows
    judged: Judged


def load(model: str | None) -> Policy:
    """The policy of a file, or the shipped one. Raises ModelError."""
    return shipped_policy() if model is None else Policy.load(Path(model))


def answer_piece(piece: Corpus, model: str | None) -> PolicyAnswers:
    """Judge the pooled policy on a piece of a corpus."""
    rows = read_rows(piece)
    return PolicyAnswers(rows, judge(rows, load(model).logits(rows.decisions)))


def answer(
    records: Corpus, model: str | None, jobs: Jobs = None, progress: Progress | None = None
) -> PolicyAnswers:
    """The pooled policy on some records; ``model`` a file, None for the shipped policy."""
    asking = partial(answer_piece, model=model)
    parts = records.map_pieces(asking, GAMES_A_PIECE, jobs, progress)
    rows = PolicyRows.concat([p.rows for p in parts])
    fields = (np.concatenate([getattr(p.judged, f) for p in parts]) for f in Judged.__slots__)
    return PolicyAnswers(replace(rows, skipped=(*records.skipped, *rows.skipped)), Judged(*fields))


def results_json(
    answers: PolicyAnswers, policy: Policy, what: str, split: str | None
) -> dict[str, Any]:
    """The results of the pooled policy."""
    rows, judged = answers.rows, answers.judged
    rng = generator(SEED, "policy scores")
    players = rows.decisions["observation"]["players"]
    riichi = np.asarray((players["riichi"][:, 1:] >= 0).any(axis=1), dtype=bool)
    open_hand = np.asarray((players["melds"][:, 0, :, 0] < 4).any(axis=1), dtype=bool)
    tsumogiri = rows.decisions["drawn"] == rows.labels["discard"]
    every = np.ones(len(rows), bool)
    groups: dict[str, NDArray[np.bool_]] = {
        "all": every,
        "nobody else in riichi": ~riichi,
        "another in riichi": riichi,
        "own hand closed": ~open_hand,
        "own hand open": open_hand,
        "turns 1 to 6": players["n"][:, 0] < 6,
        "turns 7 to 12": (players["n"][:, 0] >= 6) & (players["n"][:, 0] < 12),
        "turn 13 on": players["n"][:, 0] >= 12,
    }
    drawn = every & (judged.place >= 0)
    found: dict[str, Any] = {
        "schema": "haiyomi-policy-results",
        "version": 1,
        "what": what,
        "split": split,
        "games": len(rows.games),
        "rows": len(rows),
        "absent_left_out": rows.absent,
        "discard_just_drawn": float(tsumogiri[drawn].mean()) if drawn.any() else None,
        "discards": {name: discard_scores(judged, rows.game, m, rng) for name, m in groups.items()},
        "choices": choice_scores(judged, rows.game, rng),
        "policy": policy.manifest,
        "skipped": len(rows.skipped),
    }
    for part in ("discards", "choices"):
        found[part] = finite_json(found[part], len(rows.games) > 1)
    return found


def style_gains(
    answers: PolicyAnswers,
    policy: Policy,
    history: PolicyRows,
    players: int = 32,
    games: int = 10,
    most: int = 1200,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """What conditioning on a player's style gains on games held out of their history.

    The ``players`` with the most rows in ``answers``, of those with at least ``games`` games in
    ``history`` (earlier records, disjoint); each one's vector by at most ``most`` of their
    choices there, evenly taken; ``few`` by 1, 3 or 10 of those games, ``class`` the style of
    the policy under which those choices are likeliest. A gain is pooled minus styled log loss,
    nats a row.
    """
    rows = answers.rows
    names, counts = np.unique(rows.player, return_counts=True)
    known, played = np.unique(history.names[np.unique(history.game)], return_counts=True)
    number = dict(zip(known.tolist(), played.tolist(), strict=True))
    order = sorted(
        (-int(c), str(n)) for n, c in zip(names, counts, strict=True) if number.get(n, 0) >= games
    )
    past = history.player
    found: list[dict[str, Any]] = []
    gains: dict[str, list[NDArray[np.float64]]] = {}
    codes: list[NDArray[np.int32]] = []
    is_discard: list[NDArray[np.bool_]] = []
    rng = generator(SEED, "style gains")
    for done, (_, name) in enumerate(order[:players]):
        mine = history.take(np.flatnonzero(past == name))
        lots = generator(SEED, "few games", done).permutation(np.unique(mine.game))
        vectors = {"all": _vector(policy, mine, most)}
        for n in FEW:
            vectors[f"{n} games"] = _vector(
                policy, mine.take(np.flatnonzero(np.isin(mine.game, lots[:n]))), most
            )
        if policy.styles:
            vectors["class"] = policy.style(_likeliest(policy, mine, most))
        own = np.flatnonzero(rows.player == name)
        some = rows.take(own)
        pooled = answers.judged.nats[own]
        for key, vector in vectors.items():
            styled = judge(some, policy.logits(some.decisions, vector))
            gains.setdefault(key, []).append(pooled - styled.nats)
        codes.append(some.game)
        is_discard.append(some.labels["discard"] < 34)
        estimate = ratio_estimate(gains["all"][-1], np.ones(len(own)), some.game, rng)
        found.append(
            {
                "games_before": number[name],
                "games": len(np.unique(some.game)),
                "n": len(own),
                "pooled": float(pooled.mean()),
                "gain": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
                "size": float(np.sqrt((vectors["all"] ** 2).mean())),
            }
        )
        if progress:
            progress(done + 1, min(players, len(order)))
    if not found:
        return {"players": []}
    game, thrown = np.concatenate(codes), np.concatenate(is_discard)
    total: dict[str, Any] = {}
    for key, parts in gains.items():
        gain = np.concatenate(parts)
        e = ratio_estimate(gain, np.ones(len(gain)), game, rng)
        total[key] = {"value": e.value, "low": e.low, "high": e.high}
        if key == "all":
            e = ratio_estimate(gain[thrown], np.ones(int(thrown.sum())), game[thrown], rng)
            total["discards"] = {"value": e.value, "low": e.low, "high": e.high}
    return {
        "players": found,
        "n": len(game),
        "pooled": float(sum(p["pooled"] * p["n"] for p in found) / len(game)),
        "gain": total.pop("all"),
        "discard_gain": total.pop("discards"),
        "by": total,
        "better": sum(p["gain"] > 0 for p in found),
        "rows_looked_at": most,
    }


FEW: Final = (1, 3, 10)


def _evenly(rows: PolicyRows, most: int) -> PolicyRows:
    if len(rows) <= most:
        return rows
    return rows.take(np.linspace(0, len(rows) - 1, most).astype(np.int64))


def _vector(policy: Policy, rows: PolicyRows, most: int) -> Floats:
    few = _evenly(rows, most)
    return style_vector(policy, few.decisions, few.labels)


def _likeliest(policy: Policy, rows: PolicyRows, most: int) -> str:
    """The style of the policy under which some choices are likeliest."""
    few = _evenly(rows, most)
    nats = {
        name: float(judge(few, policy.logits(few.decisions, vector, both=False)).nats.sum())
        for name, vector in policy.styles.items()
    }
    return min(nats, key=lambda name: nats[name])
