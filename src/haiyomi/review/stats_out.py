"""A player's figures as JSON, as CSV (a row a game), as lines, and as a page's data."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from math import floor
from typing import Any

from haiyomi.game.rounds import parse_round
from haiyomi.json_types import KnownJson
from haiyomi.review.career import places_of, rates_of
from haiyomi.review.catalogue import flat, listed, section
from haiyomi.review.columns import Line, clean, fit, right
from haiyomi.review.sentences import option_name
from haiyomi.review.stats import THREATS, Costly, GameStats, GivenUpSums, PlayerStats, Tally, Threat
from haiyomi.review.verdicts import MARGIN, Margins
from haiyomi.review.words import words_of

SCHEMA = "haiyomi-stats"
VERSION = 5
CAREER = ("place", "points", "riichi", "called", "wins")
"""The columns of a game that its career fills; what it has beside them stands in the tally."""


def stats_json(stats: PlayerStats) -> KnownJson:
    """The value that ``haiyomi stats --json`` prints, and that the page is drawn from."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "player": stats.name,
        "model": stats.model,
        "margin": MARGIN,
        "games": [_game(game) for game in stats.games],
        "career": _career(stats),
        "total": tally_json(stats.total),
        "by_threat": {threat: tally_json(stats.by_threat[threat]) for threat in THREATS},
        "given_up": given_up_json(stats.given_up),
        "costliest": [_costly(c) for c in stats.costly],
    }


def _game(game: GameStats) -> KnownJson:
    career = game.career
    return (
        {"game": game.game, "seat": game.seat, "hands": game.hands}
        | {name: None if career is None else getattr(career, name) for name in CAREER}
        | tally_json(game.total)
    )


def _career(stats: PlayerStats) -> KnownJson:
    """The rates over all games beside those of Houou players, and the places."""
    rates = [
        {
            "rate": rate.name,
            "value": round(rate.value, 6),
            "error": None if rate.error is None else round(rate.error, 6),
            "houou": rate.houou,
            "half": None if rate.half is None else round(rate.half, 6),
        }
        for rate in rates_of(stats.careers)
    ]
    return {"rates": rates, "places": list(places_of(stats.careers))}


def tally_json(tally: Tally) -> KnownJson:
    """The sums over some discards, as every JSON has them."""
    return {
        "discards": tally.discards,
        "expected_deal_ins": round(tally.expected, 6),
        "deal_ins": tally.dealt_in,
        "luck": round(tally.luck, 6),
        "spread": round(tally.spread, 6),
        "expected_loss": round(tally.expected_loss, 3),
        "points_lost": tally.lost,
        "luck_points": round(tally.luck_points, 3),
        "spread_points": round(tally.spread_points, 3),
        "mistakes": tally.mistakes,
        "mistake_cost": round(tally.mistake_cost, 3),
    }


def _costly(c: Costly) -> KnownJson:
    return {
        "game": c.game,
        "hand": c.hand,
        "turn": c.turn,
        "option": c.done,
        "better": c.better,
        "cost": round(c.cost, 3),
        "severity": c.severity,
        "category": c.category,
        "risk": round(c.risk, 6),
        "outcome": c.outcome,
        "points": c.points,
    }


def given_up_json(given: GivenUpSums) -> KnownJson:
    """What was given up over some games, and by category of the mistakes, costliest first."""
    return {
        "decisions": given.decisions,
        "cost": round(given.cost, 3),
        "agreed": given.agreed,
        "categories": [
            {"category": category, "mistakes": n, "cost": round(cost, 3)}
            for category, n, cost in given.worst
        ],
    }


def scores_json(stats: PlayerStats, margins: Margins) -> KnownJson:
    """What ``haiyomi review FOLDER --player --json`` prints: what ``score_lines`` and
    ``work_on_lines`` say."""
    return {
        "schema": "haiyomi-scores",
        "version": 1,
        "player": stats.name,
        "model": stats.model,
        "margin": margins.points,
        "games": [
            {
                "game": game.game,
                "seat": game.seat,
                "place": None if game.career is None else game.career.place,
                "given_up": given_up_json(game.given_up),
            }
            for game in stats.games
        ],
        "given_up": given_up_json(stats.given_up),
    }


def score_lines(stats: PlayerStats, lang: str) -> Iterator[Line]:
    """A line a game: its place, what was given up per decision, the agreement and the mistakes."""
    words = words_of(lang)
    for game in stats.games:
        given, career = game.given_up, game.career
        n = max(given.decisions, 1)
        place = "" if career is None or career.place is None else words.places[career.place - 1]
        score = words.score.format(
            cost=f"{given.cost / n:.0f}",
            interval="",
            decisions=given.decisions,
            agreement=f"{100 * given.agreed / n:.0f}%",
        )
        yield ((fit(clean(game.game), 34) + " " + fit(place, 11), "bold"),)
        yield (("  " + score, ""),)
    if len(stats.games) > 1:
        yield ((flat(lang, "stats")["all_games"], "bold"),)


def work_on_lines(given: GivenUpSums, lang: str) -> Iterator[Line]:
    """What to work on: the categories of mistakes by what they cost over all games."""
    w, words = flat(lang, "stats"), words_of(lang)
    if not given.decisions:
        return
    mean, agreed = given.cost / given.decisions, given.agreed / given.decisions
    head = w["given_up"].format(n=f"{given.decisions:,}", c=f"{mean:.0f}", a=f"{100 * agreed:.0f}")
    yield ((head, ""),)
    if given.by_category:
        yield ((w["work_on"], "bold"),)
    for category, n, cost in given.worst:
        name = fit(words.categories[category], 24)
        yield ((name + right(f"{n}", 6) + right(f"-{points(cost):,}", 12), ""),)


def stats_csv(stats: PlayerStats) -> str:
    """One row a game. A text that a spreadsheet would take for a formula gets a ``'`` before."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    rows = [_game(game) for game in stats.games]
    names = list(rows[0]) if rows else ["game"]
    writer.writerow(names)
    for row in rows:
        writer.writerow([_cell(row[name]) for name in names])
    return out.getvalue()


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" else value


def points(value: float) -> int:
    """Whole points, rounded from the three decimals of the JSON as the page rounds them: half a
    point upwards."""
    return floor(round(value, 3) + 0.5)


def stats_lines(stats: PlayerStats, lang: str = "en") -> Iterator[Line]:
    """What ``haiyomi stats`` prints."""
    w, words = flat(lang, "stats"), words_of(lang)
    t = tally_json(stats.total)
    title = w["titleOne" if len(stats.games) == 1 else "title"].format(
        name=clean(stats.name), games=len(stats.games), discards=f"{t['discards']:,}"
    )
    lost, cost = t["points_lost"], points(t["mistake_cost"])
    expected = {"e": points(t["expected_loss"]), "s": points(t["spread_points"])}
    yield ((title, "title"),)
    deal = w["deal"].format(n=t["deal_ins"], e=t["expected_deal_ins"], s=t["spread"])
    yield ((deal, ""),)
    yield ((w["lost"].format(n=lost, **expected), ""),)
    counted = w["mistakes"].format(n=t["mistakes"], m=round(MARGIN), c=cost)
    yield ((counted if stats.given_up.decisions else words.not_judged, ""),)
    yield ()
    if stats.careers:
        yield from _career_lines(stats, lang)
        yield ()
    head, *rest = listed(lang, "stats", "columns")
    yield ((fit(head, 18) + "".join(right(name, 12) for name in rest), "dim"),)
    for threat in THREATS:
        yield _threat_line(w, threat, stats.by_threat[threat])
    yield ()
    yield from work_on_lines(stats.given_up, lang)
    if stats.costly:
        yield ()
        yield ((w["costliest"], "bold"),)
        widths = (35, 12, 5, 36, 8)
        *names, last = listed(lang, "stats", "of")
        yield (
            ("".join(fit(n, size) for n, size in zip(names, widths, strict=True)) + last, "dim"),
        )
        for c in stats.costly[:10]:
            done, better = option_name(c.done, words), option_name(c.better, words)
            kyoku, honba = parse_round(c.hand)
            hand = fit(words.short_hand(kyoku, honba or 0), 12)
            yield (
                (fit(clean(c.game), 34) + " ", "dim"),
                (hand + fit(f"{c.turn:>3}", 5) + fit(f"{done} -> {better}", 36), ""),
                (fit(f"-{points(c.cost):,}", 8) + words.categories[c.category], ""),
            )


def _career_lines(stats: PlayerStats, lang: str) -> Iterator[Line]:
    """How the player plays, beside Houou players."""
    w, names = flat(lang, "stats"), section(lang, "stats")["rate"]
    assert isinstance(names, Mapping)
    yield ((w["rates"], "dim"),)
    for rate in rates_of(stats.careers):
        scale, form = _RATE_FORMS.get(rate.name, (100, "{:.1f}%"))
        shown = form.format(scale * rate.value)
        if rate.half is not None:
            shown += f" ± {form.format(scale * rate.half)}"
        cells = fit(str(names[rate.name]), 24) + fit(shown, 22) + form.format(scale * rate.houou)
        yield ((cells, ""),)
    places = places_of(stats.careers)
    if any(places):
        yield ((w["places"].format(n=" ".join(map(str, places))), ""),)


_RATE_FORMS = {"points": (1, "{:,.0f}"), "place": (1, "{:.2f}")}


def _threat_line(w: Mapping[str, str], threat: Threat, t: Tally) -> Line:
    cells = (
        f"{t.discards:,}",
        f"{t.dealt_in}",
        f"{t.expected:.1f}",
        f"{t.lost:,}",
        f"{points(t.expected_loss):,}",
    )
    return ((fit(w[threat], 18) + "".join(right(cell, 12) for cell in cells), ""),)
