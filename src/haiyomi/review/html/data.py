"""What a page is drawn from: a Review or an Analysis as compact JSON values, for the page alone.

Keys are short since a game has about two hundred decisions; programs take ``json_out``. Seats are
relative to the viewer (0 = the viewer) except where a key says otherwise.

==========  =======================================================================================
review      ``i`` hand's index, ``k h s`` kyoku, honba, sticks, ``sc`` scores and ``en`` endings
            (absolute), ``need`` what the last hand asks, lines in each language; ``d`` decisions;
            ``sum`` the totals; ``worst`` and ``mistakes`` as
            [place of the hand, place of the decision], costliest first; ``listed`` the filters of
            the mistakes at first: ``severity``, ``categories``, ``worst``, where there are any;
            ``score`` [points a decision, interval or None, agreement, better than, decisions];
            ``luck`` of deal-ins and wins: [came, expected, standard deviation]; ``final`` scores,
            absolute
decision    ``e n u`` event, discard of the hand, turn; ``a dn`` act and option that was taken; ``g
            f`` tsumogiri, forced; of a tile given: ``t o`` the tile and what came; ``of`` on
            another's tile: [tile, relative seat, 1 if added to a pon]; ``v`` the verdict:
            [severity or 0, category, cost in points, error, value given up or None, place of the
            best option in ``op``, event of the plan or None]; ``x`` 1 if it was a mistake of its
            own; ``why`` of a flagged one, a sentence in each language; ``cf`` what playing on
            says of it: [finding, a sentence in each language]; ``z`` for seats 1, 2, 3
            the truth: [waits, of these by ron, concealed tiles];
            ``bs`` another program's [name, [[action, tile or None, value, share]]], best first
analysis    ``b`` the table; ``p`` P(tenpai); ``c`` choices: ``t p l n no`` tile, risk, expected
            loss, shanten, 1 if not allowed, ``r`` for seats 1, 2, 3 [p, mean points, reason or 0,
            thousandths in each class of points]; ``s w`` safest, safest forward
            ``op`` options, best first: [option, points, value or None, P(win), P(deal-in),
            P(other's tsumo), P(other's ron), P(draw), P(places) or 0, share of strong players or
            None]; ``hands`` for seats 1, 2, 3 [34 expected counts in hundredths, the best hand], of
            the paper's CRF [counts, its roulette hand, its name]; ``styles`` [[name, [[option,
            share]]]]; ``waits`` {tile: for seats 1, 2, 3 [[shape, kinds, thousandths of the
            risk]]}
table       ``k h s d`` kyoku, honba, sticks, dealer; ``i`` indicators; ``hand``, ``drawn``;
            ``left`` draws; ``seen`` 34 digits; ``p`` players: ``sc n r f fr v m`` score, concealed
            tiles, riichi, kinds let pass since the own last discard and since the riichi, river
            (``*`` as drawn, ``!`` riichi, ``^2`` called by seat 2), melds
==========  =======================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from haiyomi.analysis.value import PAYOFF, Analysis, DiscardRisk
from haiyomi.events import Discard, Offer
from haiyomi.json_types import Json
from haiyomi.review.catalogue import LANGUAGES
from haiyomi.review.categories import CATEGORIES
from haiyomi.review.columns import without_common_word
from haiyomi.review.confirmed import Confirmed
from haiyomi.review.confirmed_text import confirmed_text
from haiyomi.review.decisions import Beside, HandReview, Review, ReviewedDecision
from haiyomi.review.html.analysis_data import (
    POINT_STEPS,
    WAITS_FROM,
    analysis_data,
    options_data,
    shown,
    styles_data,
)
from haiyomi.review.html.table_data import table_data
from haiyomi.review.json_out import ending_json, outcome_json
from haiyomi.review.luck import Count
from haiyomi.review.needs_lines import needs_said
from haiyomi.review.score import ReviewScore
from haiyomi.review.sentences import reason_of, sentence
from haiyomi.review.summary import EVERY, Shown, summary_of
from haiyomi.review.verdicts import FORECAST_ERROR, SEVERITIES, USUAL, Margins, Verdict
from haiyomi.review.words import words_of
from haiyomi.tiles import Tile, kind_name

if TYPE_CHECKING:
    from haiyomi.game.needs import Need
    from haiyomi.outcomes.option import Option

__all__ = ["POINT_STEPS", "WAITS_FROM", "confirmed_data", "position_data", "review_data"]

VERSION: Final = 2
WORTH_LISTING: Final = 0.01
"""The risk from which a discard stands among the most dangerous."""
MOST_DANGEROUS: Final = 15
CLEAR: Final = {"risk": 0.01, "loss": 150, "win": 0.03, "points": FORECAST_ERROR}
"""The least difference of two options, in each quantity, that the page marks as better: smaller
ones are within the models' errors."""
VerdictByPlace = dict[tuple[int, int], Verdict]


def review_data(review: Review, margins: Margins = USUAL, listed: Shown = EVERY) -> Json:
    """The data of a whole review; ``listed``: the mistakes that the page lists at first."""
    summary = summary_of(review, margins)
    luck = summary.luck
    judged = {(hand.index, d.event): verdict for hand, d, verdict in summary.judged}
    places = {
        (hand.index, decision.event): [i, j]
        for i, hand in enumerate(review.hands)
        for j, decision in enumerate(hand.decisions)
    }
    totals = summary.totals
    return {
        "kind": "review",
        "v": VERSION,
        "model": review.model,
        "names": list(without_common_word(review.names)),
        "seat": int(review.seat),
        "final": None if review.final is None else list(review.final),
        "steps": list(POINT_STEPS),
        "margin": round(margins.points),
        "listed": _listed(listed),
        "clear": CLEAR,
        "payoff": PAYOFF,
        "categories": list(CATEGORIES),
        "hands": [_hand(hand, judged) for hand in review.hands],
        "sum": {
            "n": totals.decisions,
            "exp": round(totals.expected_loss),
            "least": round(totals.least_loss),
            "times": totals.dealt_in,
            "lost": totals.points_lost,
        },
        "score": None if summary.score is None else _score(summary.score),
        "luck": [_count(luck.deal_ins), None if luck.wins is None else _count(luck.wins)],
        "mistakes": [places[m.hand.index, m.decision.event] for m in summary.mistakes],
        "worst": [
            places[hand.index, d.event]
            for hand, d in summary.most_dangerous[:MOST_DANGEROUS]
            if d.chosen.risk >= WORTH_LISTING
        ],
    }


def _listed(shown: Shown) -> Json:
    """The filters of the list of mistakes: none where everything is shown."""
    found: Json = {}
    if shown.severity != EVERY.severity:
        found["severity"] = 1 + SEVERITIES.index(shown.severity)
    if shown.categories:
        found["categories"] = list(shown.categories)
    if shown.worst is not None:
        found["worst"] = shown.worst
    return found


def _score(score: ReviewScore) -> list[Any]:
    """[points given up per decision, its 95% interval, share of decisions in which the best
    option was taken, share of strong players' games that gave up more or None, decisions]."""
    return [
        round(score.cost, 1),
        [round(end, 1) for end in score.interval],
        round(score.agreement, 3),
        None if score.better_than is None else _whole(score.better_than),
        score.decisions,
    ]


def _whole(share: float) -> float:
    """In whole percents, and 0 or 1 only where it is that."""
    return min(max(round(share, 2), 0.01), 0.99) if 0 < share < 1 else share


def _count(count: Count) -> list[float]:
    return [count.came, round(count.expected, 1), round(count.spread, 1)]


def position_data(analysis: Analysis, names: Sequence[str] = ("", "", "", "")) -> Json:
    """The data of one position; ``names`` by absolute seat."""
    return {
        "kind": "position",
        "v": VERSION,
        "model": analysis.risks.model,
        "names": list(names),
        "seat": int(analysis.position.seat),
        "steps": list(POINT_STEPS),
        "clear": CLEAR,
        "payoff": PAYOFF,
        "decision": analysis_data(analysis, analysis.risks.choices),
    }


def _hand(hand: HandReview, judged: VerdictByPlace) -> Json:
    return {
        "i": hand.index,
        "k": hand.kyoku,
        "h": hand.honba,
        "s": hand.sticks,
        "sc": list(hand.scores),
        **({"need": _needs(hand.needs, hand)} if hand.needs else {}),
        "en": [ending_json(event) for event in hand.endings],
        "d": [_decision(d, hand, judged.get((hand.index, d.event))) for d in hand.decisions],
    }


def _needs(found: Sequence[Need], hand: HandReview) -> Json:
    """What the player needs, in each language."""
    said = {lang: needs_said(found, hand.kyoku % 4, words_of(lang)) for lang in LANGUAGES}
    return {lang: list(lines) for lang, lines in said.items()}


def _decision(decision: ReviewedDecision, hand: HandReview, verdict: Verdict | None) -> Json:
    out: Json = {
        "e": decision.event,
        "n": decision.number,
        "u": decision.turn,
        "a": decision.done.act,
        "dn": str(decision.done),
        "g": int(decision.tsumogiri),
        "f": int(decision.forced),
    }
    if decision.gives:
        out |= {
            "t": str(decision.tile),
            "o": outcome_json(decision.outcome, decision.position),
        }
    if decision.offer is None:
        out |= analysis_data(decision.analysis, _choices_of(decision))
    else:
        out |= _offered(decision, decision.offer)
    if verdict is not None:
        out["v"] = _verdict(decision, verdict)
        if verdict.mistake:
            out["x"] = 1
        if verdict.severity is not None:
            out["why"] = _why(decision, verdict)
    if decision.needs != hand.needs:
        out["need"] = _needs(decision.needs, hand)
    if decision.confirmed is not None:
        out["cf"] = confirmed_data(decision.confirmed, decision.done, decision.claimed)
    if decision.beside is not None:
        out["bs"] = _beside(decision.beside)
    if decision.revealed is not None:
        hidden = decision.revealed
        out["z"] = [
            [[kind_name(k) for k in kinds] for kinds in three]
            for three in zip(hidden.waits, hidden.ron, hidden.held, strict=True)
        ]
    return out


def _choices_of(decision: ReviewedDecision) -> tuple[DiscardRisk, ...]:
    return decision.choices if decision.gives else decision.analysis.risks.choices


def _offered(decision: ReviewedDecision, offer: Offer) -> Json:
    """A decision on another's tile: what lies on the table, the tile, and the options."""
    out = {
        "b": table_data(decision.position),
        "of": [
            str(offer.tile),
            (offer.seat - decision.position.seat) % 4,
            int(not isinstance(offer, Discard)),
        ],
        "op": options_data(decision.options),
    }
    styles = styles_data(decision.analysis.styles or ())
    return out | ({"styles": styles} if styles else {})


def _verdict(decision: ReviewedDecision, verdict: Verdict) -> list[Any]:
    """[severity, category, cost, error, value given up or None, best, plan or None]."""
    severity = verdict.severity
    return [
        0 if severity is None else 1 + SEVERITIES.index(severity),
        verdict.category,
        round(verdict.cost),
        round(verdict.error),
        None if verdict.value is None else round(verdict.part * verdict.value, 2),
        decision.options.index(verdict.best),
        verdict.plan,
    ]


def _why(decision: ReviewedDecision, verdict: Verdict) -> Json:
    """The sentence in each language."""
    reason, dealer = reason_of(decision, verdict), int(decision.position.dealer)
    return {lang: sentence(reason, dealer, words_of(lang)) for lang in LANGUAGES}


def confirmed_data(confirmed: Confirmed, taken: Option, claimed: Tile | None = None) -> list[Any]:
    """[finding, a sentence in each language]; ``claimed``: the tile on offer."""
    said = {lang: confirmed_text(confirmed, taken, words_of(lang), claimed) for lang in LANGUAGES}
    return [confirmed.finding, said]


def _beside(beside: Beside) -> list[Any]:
    return [
        beside.name,
        [
            [o.action, None if o.tile is None else str(o.tile), round(o.value, 3), shown(o.share)]
            for o in beside.options
        ],
    ]
