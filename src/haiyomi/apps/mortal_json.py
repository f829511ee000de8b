"""A review as the JSON of mjai-reviewer, which killer_mortal_gui shows.

``prob`` is how often strong players choose the option, ``q_value`` its expected change of score in
points, ``expected`` the option that the review holds to be best. There the declaration of riichi is
an option of its own; its value is that of the best discard it may be made with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import haiyomi
from haiyomi.analysis.value import Analysis, Part
from haiyomi.events import ENDINGS, Discard, Game, Hand
from haiyomi.game.position import Position
from haiyomi.json_types import Json
from haiyomi.logs.mjai_write import HandMessages, messages
from haiyomi.logs.tenhou6_write import write_tenhou6
from haiyomi.outcomes.option import Option
from haiyomi.review.decisions import HandReview, Review, ReviewedDecision
from haiyomi.review.verdicts import verdict_of
from haiyomi.tiles import Tile

PARTS: tuple[Part, ...] = ("deal_in", "outcomes")
"""What is worked out for this JSON."""
_MJAI = {"riichi": "reach", "tsumo": "hora", "nine terminals": "ryukyoku"}


def option_values(analysis: Analysis) -> Mapping[Tile, float]:
    """The expected change of score of each discard without riichi, in points."""
    return {
        each.option.tiles[0]: each.points
        for each in analysis.outcomes or ()
        if each.option.act == "discard"
    }


def mortal_json(game: Game, review: Review) -> Json:
    """The JSON of a review of the whole game; all analyses have the parts PARTS."""
    seat = int(review.seat)
    kyokus = [_kyoku(hand, game.hands[hand.index], seat) for hand in review.hands]
    entries = [entry for _, entries in kyokus for entry in entries]
    whole = json.loads(write_tenhou6(game))
    matches = sum(entry["is_equal"] is True for entry in entries)
    return {
        "engine": "haiyomi",
        "game_length": "Tonpuu" if game.header.rules.rounds == 1 else "Hanchan",
        "loading_time": "0s",
        "review_time": "0s",
        "show_rating": True,
        "version": haiyomi.__version__,
        "review": {
            "total_reviewed": len(entries),
            "total_matches": matches,
            "rating": _rating(entries),
            "temperature": 1.0,
            "kyokus": [kyoku for kyoku, _ in kyokus],
            "model_tag": f"haiyomi {haiyomi.__version__}, {review.model}",
        },
        "player_id": int(review.seat),
        "split_logs": [whole | {"log": [hand]} for hand in whole["log"]],
        "mjai_log": list(messages(game)),
        "lang": "en",
    }


def _rating(entries: Sequence[Json]) -> float:
    """The square of the mean place of the chosen value between the worst (0) and the best (1)."""
    places = []
    for entry in entries:
        values = [detail["q_value"] for detail in _details_of(entry)]
        worst, best = min(values), max(values)
        chosen = values[int(str(entry["actual_index"]))]
        places.append(1.0 if entry["is_equal"] else (chosen - worst) / max(best - worst, 1e-6))
    return (sum(places) / len(places)) ** 2 if places else 0.0


def _details_of(entry: Json) -> list[dict[str, float]]:
    details = entry["details"]
    assert isinstance(details, list)
    return details


def _kyoku(hand: HandReview, played: Hand, seat: int) -> tuple[Json, list[Json]]:
    written = HandMessages()
    said = [(event, written.of(event)) for event in played.events]
    entries = []
    for decision in hand.discards:
        entry = _entry(decision, played, seat)
        if entry is not None:
            entries.append(entry)
    kyoku: Json = {
        "kyoku": hand.kyoku,
        "honba": hand.honba,
        "end_status": [message for event, message in said if isinstance(event, ENDINGS)],
        "relative_scores": [hand.scores[(seat + r) % 4] for r in range(4)],
        "entries": entries,
    }
    return kyoku, entries


def _entry(decision: ReviewedDecision, played: Hand, seat: int) -> Json | None:
    """One own turn; None without a choice, and for a kan, whose tile may still be discarded."""
    analysis, position = decision.analysis, decision.position
    values = option_values(analysis)
    if decision.forced or decision.action != "discard" or decision.tile not in values:
        return None
    details = _options(analysis, seat)
    actual = _action(decision.done, seat, position)
    verdict = verdict_of(decision)
    expected = actual if verdict is None else _action(verdict.best.option, seat, position)
    place = next((i for i, d in enumerate(details) if _same(d["action"], actual)), None)
    if place is None:
        return None
    return {
        "junme": decision.turn,
        "tiles_left": position.draws_left,
        "last_actor": seat,
        "tile": _last_tile(decision, played).mjai,
        "at_self_chi_pon": position.drawn is None,
        "at_self_riichi": False,
        "at_opponent_kakan": False,
        "expected": expected,
        "actual": actual,
        "is_equal": _same(expected, actual),
        "details": details,
        "shanten": 0 if analysis.risks.shanten is None else analysis.risks.shanten,
        "actual_index": place,
    }


def _options(analysis: Analysis, seat: int) -> list[Json]:
    """The options, best value first, with the shares of strong players among them."""
    position = analysis.position
    outcomes = analysis.outcomes or ()
    found = []
    for each in outcomes:
        if each.option.act == "discard":
            action = _discard(each.option.tiles[0], seat, position)
            found.append((each.points, each.share or 0.0, action))
    riichi = [each for each in outcomes if each.option.act == "riichi"]
    if riichi:
        share = sum(each.share or 0.0 for each in riichi)
        found.append((max(each.points for each in riichi), share, _act("reach", seat)))
    total = sum(share for _, share, _ in found) or 1.0
    found.sort(key=lambda each: (-each[0], -each[1]))
    return [{"action": act, "q_value": value, "prob": share / total} for value, share, act in found]


def _act(kind: str, seat: int) -> Json:
    return {"type": kind, "actor": seat}


def _action(option: Option, seat: int, position: Position) -> Json:
    """A discard; of riichi the declaration alone, and a kan or win by its name in mjai."""
    if option.act == "discard":
        return _discard(option.tiles[0], seat, position)
    return _act(_MJAI.get(option.act, option.act), seat)


def _discard(tile: Tile, seat: int, position: Position) -> Json:
    drawn = position.drawn is not None and tile == position.drawn
    return _act("dahai", seat) | {"pai": tile.mjai, "tsumogiri": drawn}


def _same(one: object, other: Json) -> bool:
    """Whether two actions are one: the viewer does not tell a drawn tile from its equal."""
    assert isinstance(one, dict)
    return one["type"] == other["type"] and one.get("pai") == other.get("pai")


def _last_tile(decision: ReviewedDecision, played: Hand) -> Tile:
    """The tile that was drawn, or called, before the decision."""
    if decision.position.drawn is not None:
        return decision.position.drawn
    thrown = [e for e in played.events[: decision.event] if isinstance(e, Discard)]
    return thrown[-1].tile
