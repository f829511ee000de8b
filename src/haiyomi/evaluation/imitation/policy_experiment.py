"""The policy on records it was not fitted on, by shards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.corpus import Corpus
from haiyomi.evaluation.imitation.policy_scores import (
    Judged,
    choice_scores,
    discard_scores,
    finite_json,
    judge,
)
from haiyomi.seeds import generator
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress
from haiyomi.styles.policy import Policy, shipped_policy
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
    return PolicyAnswers(
        rows, judge(rows.decisions, rows.labels, load(model).logits(rows.decisions))
    )


def answer(
    records: Corpus, model: str | None, jobs: Jobs = None, progress: Progress | None = None
) -> PolicyAnswers:
    """The pooled policy on some records; ``model`` a file, None for the shipped policy."""
    asking = partial(answer_piece, model=model)
    parts = records.map_pieces(asking, GAMES_A_PIECE, jobs, progress)
    rows = PolicyRows.concat([p.rows for p in parts])
    skipped = (*records.skipped, *rows.skipped)
    return PolicyAnswers(replace(rows, skipped=skipped), Judged.concat([p.judged for p in parts]))


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
