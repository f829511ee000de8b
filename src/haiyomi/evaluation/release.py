"""The shipped networks on a test split, for a release: measured once, and kept.

A split that is looked at again and again is no test any more. So one command measures all parts, in
a work folder that a second run completes, and adds one line to a file: the date, the commit, the
model files' SHA-256 and the figures.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import haiyomi
from haiyomi.analysis.models import shipped_digests
from haiyomi.counted import counted
from haiyomi.engines.shards import Jobs
from haiyomi.errors import DatasetError, HaiyomiError
from haiyomi.evaluation.imitation import packed_policy
from haiyomi.evaluation.opponents import opponent_experiment
from haiyomi.evaluation.opponents.opponent_rows import model_of_opponents, opponent_rows
from haiyomi.evaluation.outcomes import discard_wins, outcome_forecast
from haiyomi.evaluation.report import Report
from haiyomi.json_types import KnownJson
from haiyomi.storage.resume import PlannedFolder, Progress
from haiyomi.storage.whole_file import write_json, write_text
from haiyomi.styles.policy import SHIPPED as POLICY
from haiyomi.styles.policy import shipped_policy
from haiyomi.training.outcome_rows import outcome_rows


@dataclass(frozen=True, slots=True)
class ReleaseQuestion:
    """``packed`` games with a test split, the ``records`` of the same games, and what they are
    called; ``share`` of the decisions."""

    packed: Path
    records: tuple[Path, ...]
    what: str
    share: float


def measured(
    asked: ReleaseQuestion, work: Path, jobs: Jobs, progress: Progress | None
) -> KnownJson:
    """The results of each part by name; those that ``work`` has are read.

    Raises DatasetError, also where ``work`` belongs to another measurement.
    """
    plan = {"models": shipped_digests(), "what": asked.what, "share": asked.share}
    found: KnownJson = {}
    with PlannedFolder(work, plan, "figures of a release").claimed():
        for name, measure in _PARTS.items():
            file = work / f"{name}.json"
            if not file.exists():
                write_json(file, measure(asked, jobs, progress))
            found[name] = json.loads(file.read_text(encoding="utf-8"))
    return found


def lines_of(file: Path) -> list[KnownJson]:
    """What earlier releases were measured to be; none where there is no file. Raises HaiyomiError
    for a file of something else."""
    if not file.exists():
        return []
    found = []
    for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            line = json.loads(text)
            line["models"], line["results"]["deal-in"]["games"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise HaiyomiError(f"{file}: line {number} is not a line of release figures") from None
        found.append(line)
    return found


def add_line(file: Path, results: KnownJson, date: str, commit: str) -> None:
    """Append the results to a file of JSON lines. Raises HaiyomiError where it has figures of the
    same models on as many games, and for a file of something else."""
    lines = lines_of(file)
    games, models = results["deal-in"]["games"], shipped_digests()
    if any((x["models"], x["results"]["deal-in"]["games"]) == (models, games) for x in lines):
        raise HaiyomiError(
            f"{file} has figures of these models on {counted(games, 'game')} already"
        )
    head = {"date": date, "commit": commit, "haiyomi": haiyomi.__version__, "models": models}
    lines.append({**head, "results": results})
    write_text(file, "".join(json.dumps(x, ensure_ascii=False) + "\n" for x in lines))


def reports(results: KnownJson) -> list[Report]:
    """The tables of all parts."""
    return [
        *opponent_experiment.reports(results["deal-in"]),
        *packed_policy.reports(results["policy"]),
        *outcome_forecast.reports(results["forecast"]),
        *discard_wins.reports(results["wins"]),
    ]


def _deal_in(asked: ReleaseQuestion, jobs: Jobs, progress: Progress | None) -> KnownJson:
    model = model_of_opponents("posterior")
    rows = opponent_rows(asked.packed, "test", asked.share, model, False, progress, jobs)
    return opponent_experiment.opponent_results(rows, "posterior", "test", asked.share)


def _policy(asked: ReleaseQuestion, jobs: Jobs, progress: Progress | None) -> KnownJson:
    question = packed_policy.Question(asked.packed, "test", None, None, None, asked.share)
    return packed_policy.results_json(packed_policy.answer(question, jobs, progress), question)


def _forecast(asked: ReleaseQuestion, jobs: Jobs, progress: Progress | None) -> KnownJson:
    rows, skipped = outcome_rows(
        list(asked.records), asked.share, outcome_forecast.SEED, None, jobs, progress
    )
    _all_read(skipped)
    found = outcome_forecast.state_forecasts(shipped_policy().network, rows.decisions)
    return outcome_forecast.forecast_results(rows, found, asked.what, POLICY.name)


def _wins(asked: ReleaseQuestion, jobs: Jobs, progress: Progress | None) -> KnownJson:
    found, skipped = discard_wins.win_forecasts(list(asked.records), jobs, progress)
    _all_read(skipped)
    return discard_wins.win_results(found, asked.what)


_PARTS: Final[dict[str, Callable[[ReleaseQuestion, Jobs, Progress | None], KnownJson]]] = {
    "deal-in": _deal_in,
    "policy": _policy,
    "forecast": _forecast,
    "wins": _wins,
}


def _all_read(skipped: Sequence[tuple[str, str]]) -> None:
    if skipped:
        name, reason = skipped[0]
        raise DatasetError(
            f"{counted(len(skipped), 'record')} not read; the first, {name}: {reason}"
        )
