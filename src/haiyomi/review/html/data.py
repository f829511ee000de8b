"""What a page is drawn from: a Review or an Analysis as compact JSON values, for the page alone.

Keys are short since a game has some two hundred decisions; programs take ``json_out``. Seats are
relative to the viewer (0 = the viewer) except where a key says otherwise.

==========  =======================================================================================
review      ``i`` hand's index, ``k h s`` kyoku, honba, sticks, ``sc`` scores and ``en`` endings
            (absolute), ``d`` decisions; ``sum`` the totals; ``worst`` and ``mistakes`` as
            [place of the hand, place of the decision], costliest first
decision    ``e n u`` event, discard of the hand, turn; ``a t g r f`` action, tile, tsumogiri,
            riichi, forced; ``o`` what came; ``m`` [better tile, points saved], ``mb`` 1 if judged
            by balance; ``x`` 1 if it was a mistake; ``z`` for seats 1, 2, 3 the truth: [waits, of
            these by ron, concealed tiles]; ``bs`` another program's [name, [[action, tile or
            None, value, share]]], best first
analysis    ``b`` the table; ``p`` P(tenpai); ``c`` choices: ``t p l n no`` tile, risk, expected
            loss, shanten, 1 if not allowed, ``r`` for seats 1, 2, 3 [p, mean points, reason or 0,
            thousandths in each class of points]; ``s w`` safest, safest forward
            ``win`` [[tile, P(win by own draws) or None, their points or None, P(win), gain,
            balance]] best first; ``hands`` for seats 1, 2, 3 [34 expected counts in hundredths,
            a hand]; ``styles`` [[name, [[tile, share]], P(riichi) or None]]; ``waits`` {tile:
            for seats 1, 2, 3 [[shape, kinds, thousandths of the risk]]}
table       ``k h s d`` kyoku, honba, sticks, dealer; ``i`` indicators; ``hand``, ``drawn``;
            ``left`` draws; ``seen`` 34 digits; ``p`` players: ``sc n r f fr v m`` score, concealed
            tiles, riichi, kinds let pass since the own last discard and since the riichi, river
            (``*`` as drawn, ``!`` riichi, ``^2`` called by seat 2), melds
==========  =======================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from haiyomi.analysis.value import Analysis, DiscardRisk
from haiyomi.dealin.answer import TileRisk
from haiyomi.game.player_view import Meld, PlayerView, RiverTile
from haiyomi.game.position import Position
from haiyomi.review.columns import without_common_word
from haiyomi.review.decisions import HandReview, Review, ReviewedDecision
from haiyomi.review.json_out import Json, ending_json, outcome_json
from haiyomi.review.mistakes import (
    BALANCE_MARGIN,
    CLEAR,
    RISK_MARGIN,
    better_tile,
    judged_by_balance,
)
from haiyomi.review.summary import summary_of
from haiyomi.tiles import format_counts, kind_name

VERSION = 1
POINT_STEPS = (2000, 3900, 7700, 12000, 16000, 32000)
"""The points distribution is shown in these classes: below 2,000, 2,000-3,899, ..."""
WORTH_SHOWING = 5e-4
"""A distribution of points is left out below this probability."""
WORTH_LISTING = 0.01
"""The risk from which a discard stands among the most dangerous."""
MOST_DANGEROUS = 15
WAITS_FROM = 0.03
"""The risk of a tile from which the page names its waits."""
MOST_WAITS = 4
LEAST_WAIT = 0.02
"""Waits named of a tile and opponent, and the share from which one is."""
MOST_TILES = 3
LEAST_SHARE = 0.05
"""Tiles shown of a style, and the share from which one is."""


def review_data(review: Review) -> Json:
    """The data of a whole review."""
    summary = summary_of(review)
    places = {
        (hand.index, decision.event): [i, j]
        for i, hand in enumerate(review.hands)
        for j, decision in enumerate(hand.discards)
    }
    totals = summary.totals
    return {
        "kind": "review",
        "v": VERSION,
        "model": _models(review),
        "names": list(without_common_word(review.names)),
        "seat": int(review.seat),
        "steps": list(POINT_STEPS),
        "margin": RISK_MARGIN,
        "balance_margin": BALANCE_MARGIN,
        "clear": CLEAR,
        "hands": [_hand(hand) for hand in review.hands],
        "sum": {
            "n": totals.decisions,
            "exp": round(totals.expected_loss),
            "least": round(totals.least_loss),
            "times": totals.dealt_in,
            "lost": totals.points_lost,
        },
        "mistakes": [places[m.hand.index, m.decision.event] for m in summary.mistakes],
        "worst": [
            places[hand.index, d.event]
            for hand, d in summary.most_dangerous[:MOST_DANGEROUS]
            if d.chosen.risk >= WORTH_LISTING
        ],
    }


def _models(review: Review) -> str:
    """The deal-in model, and the one of hidden hands where it is the paper's CRF."""
    readings = (
        reading
        for hand in review.hands
        for decision in hand.discards
        for reading in decision.analysis.hidden_hands or ()
    )
    first = next(readings, None)
    if first is None or not first.model.startswith("nemoto"):
        return review.model
    return f"{review.model}, {first.model}"


def position_data(analysis: Analysis, names: Sequence[str] = ("", "", "", "")) -> Json:
    """The data of one position; ``names`` by absolute seat."""
    return {
        "kind": "position",
        "v": VERSION,
        "model": analysis.risks.model,
        "names": list(names),
        "seat": int(analysis.position.seat),
        "steps": list(POINT_STEPS),
        "margin": RISK_MARGIN,
        "clear": CLEAR,
        "decision": _analysis(analysis, analysis.risks.choices),
    }


def _hand(hand: HandReview) -> Json:
    return {
        "i": hand.index,
        "k": hand.kyoku,
        "h": hand.honba,
        "s": hand.sticks,
        "sc": list(hand.scores),
        "en": [ending_json(event) for event in hand.endings],
        "d": [_decision(d) for d in hand.discards],
    }


def _decision(decision: ReviewedDecision) -> Json:
    out: Json = {
        "e": decision.event,
        "n": decision.number,
        "u": decision.turn,
        "a": decision.action,
        "t": str(decision.tile),
        "g": int(decision.tsumogiri),
        "r": int(decision.riichi),
        "f": int(decision.forced),
        "o": outcome_json(decision.outcome, decision.position),
    }
    out |= _analysis(decision.analysis, decision.choices)
    if judged_by_balance(decision):
        out["mb"] = 1
    better = better_tile(decision)
    if better is not None:
        out["m"] = [str(better.tile), round(better.saved)]
        if better.mistake:
            out["x"] = 1
    if decision.beside is not None:
        out["bs"] = [
            decision.beside.name,
            [
                [
                    o.action,
                    None if o.tile is None else str(o.tile),
                    round(o.value, 3),
                    _shown(o.share),
                ]
                for o in decision.beside.options
            ],
        ]
    if decision.revealed is not None:
        hidden = decision.revealed
        out["z"] = [
            [[kind_name(k) for k in kinds] for kinds in three]
            for three in zip(hidden.waits, hidden.ron, hidden.held, strict=True)
        ]
    return out


def _analysis(analysis: Analysis, choices: Sequence[DiscardRisk]) -> Json:
    position, risks = analysis.position, analysis.risks
    out: Json = {
        "b": table_data(position),
        "p": [_shown(p) for p in risks.tenpai],
        "c": _choices(choices),
    }
    if choices:
        out |= {"s": str(risks.safest.tile), "w": str(risks.forward.tile)}
    # Once in riichi there is nothing to choose, and the page shows less.
    free = len(position.discards) > 1
    more = {
        "win": _wins(analysis),
        "hands": _hidden_hands(analysis) if free else None,
        "styles": _styles(analysis),
        "waits": _waits(analysis),
    }
    return out | {name: value for name, value in more.items() if value}


def _wins(analysis: Analysis) -> list[Any]:
    rows = []
    owns = {own.tile: own for own in analysis.own_wins or ()}
    for b in analysis.balance or ():
        own = owns.get(b.tile)
        rows.append([
            str(b.tile),
            None if own is None else _shown(own.win),
            None if own is None or own.points is None else round(own.points),
            _shown(b.win),
            round(b.gain),
            round(b.value),
        ])  # fmt: skip
    return rows


def _hidden_hands(analysis: Analysis) -> list[Any]:
    return [
        [
            np.rint(100 * reading.expected).astype(int).tolist(),
            format_counts(reading.best.tolist()),
        ]
        for reading in analysis.hidden_hands or ()
    ]


def _styles(analysis: Analysis) -> list[Any]:
    return [
        [
            each.style,
            [
                [kind_name(kind), round(share, 3)]
                for kind, share in each.shares[:MOST_TILES]
                if share >= LEAST_SHARE
            ],
            None if each.riichi is None else round(each.riichi, 3),
        ]
        for each in analysis.styles or ()
    ]


def _waits(analysis: Analysis) -> dict[str, Any]:
    out = {}
    risky = {c.tile for c in analysis.risks.choices if c.risk >= WAITS_FROM}
    for found in analysis.waits or ():
        rows = [
            [
                [w.shape, [kind_name(k) for k in w.wins], round(1000 * w.share)]
                for w in waits[:MOST_WAITS]
                if w.share >= LEAST_WAIT
            ]
            for waits in found.by_opponent
        ]
        if found.tile in risky and any(rows):
            out[str(found.tile)] = rows
    return out


def _choices(choices: Sequence[DiscardRisk]) -> list[Json]:
    risks = [risk for choice in choices for risk in choice.by_opponent]
    shown = iter(_classes([risk for risk in risks if risk.probability >= WORTH_SHOWING]))
    out = []
    for choice in choices:
        row: Json = {
            "t": str(choice.tile),
            "p": _shown(choice.risk),
            "l": round(choice.expected_loss),
            "r": [_risk(risk, shown) for risk in choice.by_opponent],
        }
        if choice.shanten is not None:
            row["n"] = choice.shanten
        if not choice.allowed:
            row["no"] = 1
        out.append(row)
    return out


def _risk(risk: TileRisk, shown: Iterator[list[int]]) -> list[Any]:
    """[p, mean points, reason or 0, thousandths of p in each class of points]."""
    out: list[Any] = [_shown(risk.probability), round(risk.mean_points), risk.reason or 0]
    if risk.probability >= WORTH_SHOWING:
        out.append(next(shown))
    return out


def _classes(risks: Sequence[TileRisk]) -> list[list[int]]:
    """Thousandths of each risk in each class of points."""
    if not risks:
        return []
    classes = len(POINT_STEPS) + 1
    cells = np.concatenate([risk.rows.cells for risk in risks])
    of = np.repeat(np.arange(len(risks)), [len(risk.rows) for risk in risks])
    which = classes * of + np.searchsorted(POINT_STEPS, cells[:, 2], side="right")
    sums = np.bincount(which, cells[:, 3], classes * len(risks)).reshape(-1, classes)
    total = np.array([risk.probability for risk in risks])
    thousandths: list[list[int]] = np.rint(1000 * (sums / total[:, None])).astype(int).tolist()
    return thousandths


def _shown(p: float) -> float:
    """A probability to the tenth of a percent that every output prints, rounded once; one that is
    neither nil nor a twentieth of a percent is .0004."""
    if p < 0.0005:
        return 0.0004 if p > 0.0 else 0.0
    return round(round(100 * p, 1) / 100, 3)


# -- the table -------------------------------------------------------------------------------


def table_data(position: Position) -> Json:
    """What lies on the table, and the viewer's hand."""
    hand = list(position.hand)
    if position.drawn is not None:
        hand.remove(position.drawn)
    return {
        "k": position.kyoku,
        "h": position.honba,
        "s": position.sticks,
        "d": int(position.dealer),
        "i": [str(t) for t in position.indicators],
        "hand": [str(t) for t in hand],
        "drawn": None if position.drawn is None else str(position.drawn),
        "left": position.draws_left,
        "p": [_player(p) for p in position.players],
        "seen": "".join(map(str, position.seen)),
    }


def _player(player: PlayerView) -> Json:
    out: Json = {"sc": player.score, "n": player.concealed}
    if player.river:
        out["v"] = " ".join(_river_tile(t) for t in player.river)
    if player.melds:
        out["m"] = [_meld(m) for m in player.melds]
    if player.riichi:
        out["r"] = 1
    # The rivers do not show all tiles that a player let pass, and the models use them.
    out["f"] = _kinds(player.passed_mask)
    if player.riichi:
        out["fr"] = _kinds(player.riichi_mask)
    return out


def _kinds(mask: int) -> str:
    return "".join(kind_name(k) for k in range(34) if mask >> k & 1)


def _river_tile(tile: RiverTile) -> str:
    """``5m``, then ``*`` tsumogiri, ``!`` riichi, ``^2`` called by relative seat 2."""
    called = "" if tile.called_by is None else f"^{tile.called_by}"
    return f"{tile.tile}{'*' * tile.tsumogiri}{'!' * tile.riichi}{called}"


def _meld(meld: Meld) -> list[Any]:
    """[kind, tiles, the called tile or None, from which relative seat or None]."""
    return [
        meld.kind,
        [str(t) for t in meld.tiles],
        None if meld.called is None else str(meld.called),
        None if meld.target is None else int(meld.target),
    ]
