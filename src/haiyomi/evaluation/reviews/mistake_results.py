"""What playing on says of mistakes: whether they keep their sign, and how much of a forecast comes.

Of flagged decisions also how many of their tiles dealt in, in the records themselves; of choices
that need not be flagged the fit that ``review.confirmed_part`` reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import erf, sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Floats
from haiyomi.evaluation.metrics import mean_estimate
from haiyomi.evaluation.networks_used import head_of
from haiyomi.evaluation.report import Figure, Report, Scope
from haiyomi.evaluation.reviews.played_mistakes import WAYS, Played, Settings
from haiyomi.review.confirmed_part import GROUPS, SLOPES, terms
from haiyomi.review.verdicts import SEVERITIES
from haiyomi.seeds import generator
from haiyomi.styles.policy import ROLLOUT

FEWEST: Final = 5.0
"""Where fewer deal-ins are expected of a group, no share is stated: its interval by bootstrap would
be too narrow."""
STEPS: Final = 200
RESAMPLES: Final = 200
"""Of games, for the intervals of a fit."""
SPREAD: Final = (105.0, 0.51)
"""The standard deviation of a gain by which a fit weighs it, beside the gain's own error: in
points, and as a part of the forecast difference. What an earlier fit found."""


def sign_results(rows: Sequence[Played], settings: Settings, what: str) -> dict[str, Any]:
    """The results JSON: of each way, over all, by severity and by group, how many keep their
    sign; 95% intervals by bootstrap of games. ``all ways`` counts those that keep it in all three.
    ``deal_ins`` is what ``deal_in_rows`` returns. Where the rows need not be flagged, with the
    ``fit`` of ``parts_fit`` and without severities, costs and deal-ins, which follow from it."""
    flagged = settings.least is None
    groups = {"all": list(rows)}
    if flagged:
        groups |= {name: [row for row in rows if row.severity == name] for name in SEVERITIES}
    groups |= {name: [row for row in rows if row.choice.group == name] for name in GROUPS}
    more: dict[str, Any] = {"deal_ins": deal_in_rows(rows)} if flagged else {"fit": parts_fit(rows)}
    games = len({row.game for row in rows})
    return {
        **head_of("haiyomi-played-mistakes", what, games, ROLLOUT),
        "settings": asdict(settings),
        "groups": [
            {"group": name, "way": way, **_signs(part, number, flagged)}
            for name, part in groups.items()
            if part
            for number, way in enumerate(_ways(part))
        ],
        **more,
    }


def _ways(rows: Sequence[Played]) -> tuple[str, ...]:
    """Those in which all of the rows were played."""
    return (*WAYS, "all ways") if min(len(row.gain) for row in rows) == len(WAYS) else WAYS[:1]


def _signs(rows: Sequence[Played], way: int, flagged: bool) -> dict[str, Any]:
    game = np.array([row.game for row in rows])
    if way == len(WAYS):
        return {"n": len(rows), "kept": _mean(np.array([min(row.gain) > 0 for row in rows]), game)}
    gain, error, points = (
        np.array([getattr(row, key)[way] for row in rows]) for key in ("gain", "error", "points")
    )
    forecast = np.array([row.choice.difference for row in rows])
    return {
        "n": len(rows),
        "worlds": float(np.mean([row.worlds[way] for row in rows])),
        "kept": _mean(gain > 0, game),
        "better": _mean(gain > 2 * error, game),
        "worse": _mean(gain < -2 * error, game),
        "without_luck": without_luck(gain / forecast, error / forecast),
        "forecast": _mean(forecast, game),
        **({"cost": _mean(np.array([row.cost for row in rows]), game)} if flagged else {}),
        "gain": _mean(gain, game),
        "points": _mean(points, game),
    }


def deal_in_rows(rows: Sequence[Played]) -> list[dict[str, Any]]:
    """By group the share of tiles of flagged decisions that dealt in at once, with its interval:
    ``expected`` by the reading of the opponents, as it ``came`` in the records, and expected of the
    ``better`` option. Decisions that gave no tile, and groups of fewer than FEWEST expected
    deal-ins, are left out."""
    found = []
    for name in ("all", *GROUPS):
        part = [row for row in rows if row.risks and name in ("all", row.choice.group)]
        risks = np.array([row.risks for row in part]).reshape(-1, 2)
        if risks[:, 0].sum() < FEWEST:
            continue
        game = np.array([row.game for row in part])
        came = np.array([row.dealt_in for row in part])
        columns = {"expected": risks[:, 0], "came": came, "better": risks[:, 1]}
        shares = {key: _mean(values, game) for key, values in columns.items()}
        found.append({"group": name, "n": len(part), **shares})
    return found


def parts_fit(rows: Sequence[Played]) -> dict[str, Any]:
    """What ``review.confirmed_part`` reads: the part of the forecast difference that comes, for
    each of its groups and by its slopes. Least squares over the gains, each a mean over the ways
    that it was played in, with weights of one by their expected variance; 95% intervals by
    bootstrap of games."""
    forecast = np.array([row.choice.difference for row in rows])
    # The mean of the errors is that of ways that share all of their luck: never too small.
    gain, error = (
        np.array([np.mean(getattr(row, key)) for row in rows]) for key in ("gain", "error")
    )
    group = np.array([row.choice.group for row in rows])
    counts = {name: int((group == name).sum()) for name in GROUPS if name in group}
    of_group = group[:, None] == list(counts)
    x = forecast[:, None] * np.hstack([of_group, [terms(row.choice) for row in rows]])
    weight = 1 / (error**2 + SPREAD[0] ** 2 + (SPREAD[1] * forecast) ** 2)

    def fit(times: Floats) -> Floats:
        weighed = x.T * (weight * times)
        out: Floats = np.linalg.lstsq(weighed @ x, weighed @ gain, rcond=None)[0]
        return out

    _, game = np.unique([row.game for row in rows], return_inverse=True)
    fitted = fit(np.ones(len(rows)))
    rng, games = generator(0, "parts"), int(game.max()) + 1
    even = np.full(games, 1 / games)
    again = [fit(rng.multinomial(games, even)[game].astype(float)) for _ in range(RESAMPLES)]
    low, high = np.quantile(again, (0.025, 0.975), axis=0)
    # What the gains vary by besides their errors, about what is expected.
    rest = (gain - x @ fitted) ** 2 - error**2
    squares = np.column_stack([np.ones(len(rows)), forecast**2]) * weight[:, None]
    spread = np.linalg.lstsq(squares, rest * weight, rcond=None)[0]
    numbers = zip(fitted.tolist(), low.tolist(), high.tolist(), strict=True)
    values = [dict(zip(("value", "low", "high"), each, strict=True)) for each in numbers]
    constant, growing = np.sqrt(np.maximum(spread, 0)).tolist()
    return {
        "choices": len(rows),
        "parts": {
            name: {"n": n, **value}
            for (name, n), value in zip(counts.items(), values, strict=False)
        },
        **dict(zip(SLOPES, values[len(counts) :], strict=True)),
        "error": constant,
        "growing_error": growing,
    }


def without_luck(gain: Floats, error: Floats) -> float | None:
    """The share of true gains above 0, if they are normal about one mean and each is seen with its
    own standard error: by maximum likelihood. None where luck explains their whole spread."""
    mean, spread = float(gain.mean()), float(gain.var())
    for _ in range(STEPS):
        weight = 1 / (spread + error**2)
        mean = float((weight * gain).sum() / weight.sum())
        squares = weight**2 * ((gain - mean) ** 2 - error**2)
        spread = float(squares.sum() / (weight**2).sum())
        if spread <= 0:
            return None
    return 0.5 * (1 + erf(mean / sqrt(2 * spread)))


def _mean(values: NDArray[Any], game: NDArray[Any]) -> dict[str, float | None]:
    return mean_estimate(values, game, generator(0, "played mistakes")).to_json()


def report(results: Mapping[str, Any]) -> Report:
    """The table of results JSON."""
    rows = []
    for g in results["groups"]:
        last = [Figure.of(g[key], ".1%") if key in g else "-" for key in ("better", "worse")]
        luck = Figure(g["without_luck"], ".1%") if g.get("without_luck") is not None else "-"
        sums = [
            Figure.of(g[key], "+,.0f") if key in g else "-" for key in ("forecast", "cost", "gain")
        ]
        name = f"{g['group']}, {g['way']}"
        rows.append((name, Figure(g["n"]), Figure.of(g["kept"], ".1%"), luck, *last, *sums))
    return Report(
        "Flagged decisions played on; the last three columns in points at the start of a game",
        ("decisions, who goes on", "n", "sign kept", "luck taken out", "clearly better",
         "clearly worse", "forecast", "expected", "played on"),
        tuple(rows),
        Scope.of(results),
    )  # fmt: skip


def deal_in_report(results: Mapping[str, Any]) -> Report:
    """The table of ``deal_in_rows`` in results JSON."""
    keys = ("expected", "came", "better")
    return Report(
        "Tiles of flagged decisions that dealt in, in the records themselves",
        ("decisions", "n", "expected", "dealt in", "expected of the better option"),
        tuple(
            (row["group"], Figure(row["n"]), *(Figure.of(row[key], ".1%") for key in keys))
            for row in results["deal_ins"]
        ),
        Scope.of(results),
    )
