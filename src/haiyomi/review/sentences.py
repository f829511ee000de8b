"""Why a decision gave something up, in one sentence: causes from a closed list, each with facts.

A ``Reason`` names its cause and holds its facts, all of which stand in the decision's analysis. A
cause is only given where its facts show it. ``sentence`` writes a reason in a language of the
catalogue.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from haiyomi.review.catalogue import flat, listed
from haiyomi.review.categories import KANS, no_tile_left, same_tile, shanten_left
from haiyomi.review.decisions import ReviewedDecision
from haiyomi.review.gains import gains_of, lost, won
from haiyomi.review.verdicts import Verdict
from haiyomi.review.words import Words
from haiyomi.tiles import Tile, parse_tiles

if TYPE_CHECKING:
    from haiyomi.outcomes.answer import Outcome, OwnWait
    from haiyomi.outcomes.option import Option

Cause: TypeAlias = Literal[
    "to riichi",
    "to melds",
    "to silence",
    "to several",
    "later",
    "price",
    "fold",
    "rate",
    "step back",
    "worth",
    "draw",
    "risk",
    "riichi",
    "damaten",
    "win",
    "first",
    "second",
    "last",
    "points",
]
"""What the numbers show. ``to riichi``, ``to melds``, ``to silence``: the tile deals in now, to an
opponent in riichi, with open melds, or with neither; ``to several``: to more than one opponent;
``later``: the hand deals in more often, now or later; ``price``: for more points; ``fold``: wins
that a fold gives up; ``rate``: fewer wins; ``step back``: fewer wins by a hand further from tenpai;
``worth``: wins and what they are worth; ``draw``: draws in tenpai; ``risk``: how often the hand
deals in, after what the other causes say; ``riichi``, ``damaten``: the one against the other;
``win``: a win that was on offer; ``first``, ``second``, ``last``: the places; ``points``: the
expected change of score alone."""
LEAST: Final = 0.02
"""The least difference of two probabilities that is given as a cause."""
TELLING: Final = 0.04
"""The least difference of wins, deal-in rates or places that is added to another cause."""
FEWER_WINS: Final[tuple[Cause, ...]] = ("fold", "rate", "step back", "worth")
"""The causes to which draws in tenpai are added, where they make a third of the difference."""
HARDLY: Final = 0.03
"""A hand short of tenpai that is won less often is not praised for the shanten it keeps."""
LEAST_PRICE: Final = 300
"""The least difference of what a deal-in costs that is given as a cause, where it is at least half
of what dealing in costs more."""
LEAST_POINTS: Final = 10
"""The least difference of expected points that a sentence mentions."""


@dataclass(frozen=True, slots=True)
class Share:
    """A probability, written in whole percents."""

    p: float

    def __str__(self) -> str:
        if 0 < self.p < 0.005:
            return "<1%"
        return ">99%" if 0.995 <= self.p < 1 else f"{100 * self.p:.0f}%"


@dataclass(frozen=True, slots=True)
class Points:
    """Points, written in hundreds from 1,000 on, else, or where ``tens``, in tens."""

    n: float
    tens: bool = False

    def __str__(self) -> str:
        step = 100 if abs(self.n) >= 1000 and not self.tens else 10
        return f"{step * round(self.n / step):,}"


Waits: TypeAlias = "tuple[tuple[Tile, OwnWait], ...]"
Facts: TypeAlias = Mapping[str, "Share | Points"]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why ``taken`` gave something up against ``better``. ``facts`` by their names in the
    catalogue's text; ``who``: the relative seat that is named; ``shanten`` that ``better`` keeps,
    None where the sentence names none. ``then``: a second reason, which follows. ``behind``: the
    points by which ``taken`` is expected to be better, where it is. ``waits``: the tiles of
    ``better`` and of ``taken`` and what the hand waits on, where they leave it tenpai.
    ``no_yaku``: whether ``taken`` is the first call of a hand, after which the nearest wins have
    no yaku. ``claimed``: the tile on offer."""

    cause: Cause
    better: Option
    taken: Option
    facts: Facts
    who: int | None = None
    shanten: int | None = None
    then: Reason | None = None
    behind: Points | None = None
    waits: Waits = ()
    no_yaku: bool = False
    claimed: Tile | None = None


def reason_of(decision: ReviewedDecision, verdict: Verdict) -> Reason:
    """The cause that the numbers show best; ``points`` where none of the others does."""
    reason = replace(
        _followed(next(_causes(decision, verdict)), verdict),
        waits=_waits(verdict),
        no_yaku=_opened_without_a_yaku(decision, verdict),
        claimed=decision.claimed,
    )
    if verdict.points > -LEAST_POINTS or reason.cause == "points":
        return reason
    return replace(reason, behind=Points(-verdict.points))


def _followed(reason: Reason, verdict: Verdict) -> Reason:
    """The reason with what else tells: wins, how often the hand deals in, draws in tenpai, and the
    place."""
    best, taken = verdict.best, verdict.taken
    also: list[Reason] = []
    winless = reason.who is not None or reason.cause in ("draw", "price")  # say nothing of wins
    if winless and abs(best.win - taken.win) >= TELLING:
        also.append(_reason("rate", verdict, _rates(verdict)))
    untold = reason.cause in ("worth", "rate", "step back", "draw")
    if untold and abs(best.deal_in - taken.deal_in) >= TELLING:
        also.append(_reason("risk", verdict, _deals(verdict)))
    draws = gains_of(best, taken).draws
    drawn = best.tenpai_draw - taken.tenpai_draw
    if reason.cause in FEWER_WINS and drawn >= TELLING and 0 < verdict.points <= 3 * draws:
        also.append(_reason("draw", verdict, _draws(verdict)))
    if reason.then is not None:
        also.append(reason.then)
    elif reason.cause not in ("first", "second", "last", "win"):
        also += _places(verdict, TELLING)
    then = None
    for each in reversed(also):
        then = replace(each, then=then)
    return replace(reason, then=then)


def _opened_without_a_yaku(decision: ReviewedDecision, verdict: Verdict) -> bool:
    closed = not decision.position.players[0].open_melds
    return verdict.category == "call" and closed and verdict.taken.no_yaku


def _waits(verdict: Verdict) -> Waits:
    """Of the two options, those that leave the hand tenpai; once where both discard one tile, and
    none where one makes a kan of it, which may leave another wait."""
    both = (verdict.best, verdict.taken)
    waits = {o.option.tiles[0]: o.wait for o in both if o.wait is not None}
    kan = any(o.option.act in KANS for o in both)
    if kan and len({o.wait for o in both if o.wait is not None}) > len(waits):
        return ()
    return tuple(waits.items())


def _causes(decision: ReviewedDecision, verdict: Verdict) -> Iterator[Reason]:
    """The causes that hold, the most telling first."""
    best, taken, category = verdict.best, verdict.taken, verdict.category
    if best.option.act in ("tsumo", "ron"):
        yield _reason("win", verdict, {"worth": Points(won(best)), "rate": Share(taken.win)})
    wins, worth, deals, draws = gains_of(best, taken)
    if "nine terminals" in (best.option.act, taken.option.act):
        yield _points(verdict)
    if category == "placement":
        for place in _places(verdict):
            if deals > max(wins, worth, draws, 0):
                for dealt in _dealt_in(decision, verdict):
                    yield replace(dealt, then=place)
            elif wins >= max(worth, draws) and best.win - taken.win >= LEAST:
                yield replace(_more_wins(verdict, wins, worth), then=place)
            yield place
    if draws > max(wins, worth, deals) and best.tenpai_draw - taken.tenpai_draw >= LEAST:
        yield _reason("draw", verdict, _draws(verdict))
    if category == "folded" and taken.option.act == "discard":
        yield _reason("fold", verdict, {**_wins(verdict), **_deals(verdict)})
    if category == "riichi" and same_tile(best, taken):
        cause: Cause = "riichi" if best.option.act == "riichi" else "damaten"
        yield _reason(cause, verdict, {**_wins(verdict), **_deals(verdict)})
    if deals > 0 and deals >= max(wins, worth):
        yield from _dealt_in(decision, verdict)
    if category in ("call", "missed call", "kan") and max(wins, worth) > 0:
        by_place = verdict.points < verdict.forecast / 2
        then = next(_places(verdict), None) if by_place else None
        yield replace(_reason("worth", verdict, _wins(verdict)), then=then)
    if worth > max(wins, 0) and won(best) - won(taken) >= 100:
        yield _reason("worth", verdict, _wins(verdict))
    if best.win - taken.win >= LEAST:
        mine, left = shanten_left(decision, taken), shanten_left(decision, best)
        steps = mine is not None and left is not None and mine > left
        if steps and not (left == 0 and no_tile_left(best)):
            yield _reason("step back", verdict, _rates(verdict), shanten=left)
        yield _more_wins(verdict, wins, worth)
    if taken.deal_in - best.deal_in >= LEAST:
        yield _reason("later", verdict, {**_rates(verdict), **_deals(verdict)})
    if verdict.points <= 0:
        yield from _places(verdict)
    yield _points(verdict)


def _more_wins(verdict: Verdict, wins: float, worth: float) -> Reason:
    """The better option wins more often, with what the wins are worth where that adds half as much
    or takes away half of it; ``wins`` and ``worth`` as in ``Gains``."""
    apart = abs(won(verdict.best) - won(verdict.taken)) >= 100
    if apart and 2 * abs(worth) > wins:
        return _reason("worth", verdict, _wins(verdict))
    return _reason("rate", verdict, _rates(verdict))


def _points(verdict: Verdict) -> Reason:
    a, b = verdict.best.points, verdict.taken.points
    alike = str(Points(a)) == str(Points(b))
    points = {"a": Points(a, alike), "b": Points(b, alike)}
    return _reason("points", verdict, points)


def _reason(
    cause: Cause,
    verdict: Verdict,
    facts: Facts,
    who: int | None = None,
    shanten: int | None = None,
) -> Reason:
    return Reason(cause, verdict.best.option, verdict.taken.option, facts, who, shanten)


def _rates(verdict: Verdict) -> Facts:
    return {"win": Share(verdict.best.win), "win_taken": Share(verdict.taken.win)}


def _wins(verdict: Verdict) -> Facts:
    worth = {"worth": Points(won(verdict.best)), "worth_taken": Points(won(verdict.taken))}
    return {**_rates(verdict), **worth}


def _deals(verdict: Verdict) -> Facts:
    best, taken = verdict.best, verdict.taken
    return {"deal_in": Share(best.deal_in), "deal_in_taken": Share(taken.deal_in)}


def _draws(verdict: Verdict) -> Facts:
    best, taken = verdict.best, verdict.taken
    return {"drawn": Share(best.tenpai_draw), "drawn_taken": Share(taken.tenpai_draw)}


def _dealt_in(decision: ReviewedDecision, verdict: Verdict) -> Iterator[Reason]:
    """The hand deals in more often, now or at any time, or for more points."""
    best, taken = verdict.best, verdict.taken
    yield from _deal_in_now(decision, verdict)
    if taken.deal_in - best.deal_in >= LEAST:
        yield _reason("later", verdict, {**_rates(verdict), **_deals(verdict)})
    dearer = lost(taken) - lost(best)
    if dearer >= LEAST_PRICE and 2 * best.deal_in * dearer >= gains_of(best, taken).deals:
        prices = {"price": Points(lost(best)), "price_taken": Points(lost(taken))}
        yield _reason("price", verdict, prices)


def _deal_in_now(decision: ReviewedDecision, verdict: Verdict) -> Iterator[Reason]:
    """The tile that was given deals in at once, to whom, and what the better one risks: against
    the same opponent, or both against all. A tile that is safe from that one risks what it risks
    against the others."""
    best, taken = verdict.best, verdict.taken
    if not decision.gives or taken.deal_in_now - best.deal_in_now < LEAST:
        return
    chosen = decision.chosen
    most = max(chosen.by_opponent, key=lambda each: each.probability)
    player = decision.position.players[most.opponent]
    cause: Cause = (
        "to riichi" if player.riichi else "to melds" if player.open_melds else "to silence"
    )
    who, risk, loss = int(most.opponent), most.probability, most.mean_points
    now = there = best.deal_in_now
    if now > 0:
        to_all = decision.analysis.risks[best.option.tiles[0]].by_opponent
        there = to_all[most.opponent - 1].probability or now
    if max(chosen.risk - risk, now - there) >= LEAST or risk < chosen.risk / 2:
        cause, risk, loss = "to several", chosen.risk, chosen.expected_loss / chosen.risk
        there = now
    facts: dict[str, Share | Points] = {
        "risk": Share(risk),
        "loss": Points(loss),
        "deal_in_now": Share(now),
    }
    if str(Share(there)) != str(Share(now)):
        facts["deal_in_there"] = Share(there)
    yield _reason(cause, verdict, facts, who=who, shanten=_kept(decision, best, taken))


def _kept(decision: ReviewedDecision, best: Outcome, taken: Outcome) -> int | None:
    """The shanten of the hand, where the better discard alone keeps it, and the hand is tenpai or
    may get there by the own draws that are left and is won now and then."""
    left, other = shanten_left(decision, best), shanten_left(decision, taken)
    if left is None or other in (None, left) or left != decision.analysis.risks.shanten:
        return None
    if left > 0 and best.win < HARDLY:
        return None
    return left if left <= decision.position.draws_left // 4 else None


def _places(verdict: Verdict, least: float = 0.005) -> Iterator[Reason]:
    """The place, or better, in which the two options differ most, where it is by more than
    ``least``."""
    best, taken = verdict.best.placement, verdict.taken.placement
    if best is None or taken is None:
        return
    a, b, _, d = best.places
    e, f, _, h = taken.places
    gains: list[tuple[float, Cause, float, float]] = [
        (a - e, "first", a, e),
        (a + b - e - f, "second", a + b, e + f),
        (h - d, "last", d, h),
    ]
    gain, cause, mine, other = max(gains)
    if gain > least:
        yield _reason(cause, verdict, {"place": Share(mine), "place_taken": Share(other)})


# -- writing ---------------------------------------------------------------------------------


def sentence(reason: Reason, dealer: int, words: Words) -> str:
    """The reason in words; ``dealer`` is the relative seat of East."""
    texts = flat(words.language, "why")
    fields: dict[str, object] = dict(reason.facts)
    fields["better"] = option_said(reason.better, words, reason.taken, reason.claimed)
    fields["taken"] = option_said(reason.taken, words, reason.better, reason.claimed)
    for name in ("drawn_taken", "place_taken"):
        if fields.get(name) == Share(0.0):
            fields[name] = texts["never"]
    if reason.who is not None:
        fields["who"] = words.hands.winds[(reason.who - dealer) % 4]
        safe = fields["deal_in_now"] == Share(0.0)
        deals = "deals-never" if safe else "deals-there" if "deal_in_there" in fields else "deals"
        fields["deals"] = texts[deals].format(**fields)
        kept = "safe" if reason.shanten is None else "tenpai" if not reason.shanten else "shanten"
        fields["keeps"] = texts[f"keeps-{kept}"].format(n=reason.shanten, **fields)
    fields["n"] = reason.shanten
    key = reason.cause.replace(" ", "-")
    if key == "step-back" and reason.shanten == 0:
        key = "step-back-from-tenpai"
    text = texts[key].format(**fields)
    if reason.then is not None:
        then = replace(reason.then, claimed=reason.claimed)
        text = texts["then"].format(first=text, then=sentence(then, dealer, words))
    if reason.behind is not None:
        text += texts["behind"].format(taken=fields["taken"], behind=reason.behind)
    if reason.no_yaku:
        text = texts["then"].format(first=text, then=texts["no-yaku"].format(**fields))
    if reason.waits:
        alike = len(reason.waits) == 2 and reason.waits[0][1] == reason.waits[1][1]
        said = reason.waits[:1] if alike else reason.waits
        each = (_wait_said(tile, wait, alike, words) for tile, wait in said)
        named = texts["between-waits"].join(each)
        text = texts["then"].format(first=text, then=texts["waits"].format(waits=named))
    return text[:1].upper() + text[1:]


def _wait_said(thrown: Tile, wait: OwnWait, alike: bool, words: Words) -> str:
    """``after 4m: 6p 9p, 5 left``, and what it may not win on by ron; ``alike`` after either
    tile."""
    texts = flat(words.language, "why")

    def named(tiles: Sequence[Tile]) -> str:
        return " ".join(tile_name(tile, words.language) for tile in tiles)

    text = texts["wait-either" if alike else "wait"].format(
        tile=tile_name(thrown, words.language), waits=named(wait.on), n=wait.left
    )
    if not wait.ron:
        return text + texts["wait-furiten" if wait.furiten else "wait-no-yaku"]
    if wait.ron != wait.on:
        text += texts["wait-ron"].format(waits=named(wait.ron), n=wait.ron_left)
    return text


def option_said(option: Option, words: Words, other: Option, claimed: Tile | None = None) -> str:
    """An option in running text beside another one: ``discarding the East tile``, because a wind
    alone reads as a player, and damaten beside riichi with the same tile. ``claimed``: as in
    ``option_name``."""
    if option.act not in ("discard", "riichi"):
        return option_name(option, words, claimed)
    silent = (option.act, other.act) == ("discard", "riichi") and option.tiles == other.tiles
    texts, tile = flat(words.language, "why"), tile_name(option.tiles[0], words.language)
    if 27 <= option.tiles[0].kind < 31:
        tile = texts["wind"].format(tile=tile)
    act = "damaten" if silent else option.act
    return texts[f"{act}-said"].format(tile=tile)


def verdict_said(verdict: Verdict, words: Words, claimed: Tile | None = None) -> str:
    """What a mistake gave up, in a line: points, or a placement where points do not show it;
    ``claimed``: as in ``option_name``."""
    place = verdict.category == "placement" or verdict.points < 0
    return (words.verdict_place if place else words.verdict).format(
        severity=words.severities[verdict.severity or "inaccuracy"],
        category=words.categories[verdict.category],
        better=option_said(verdict.best.option, words, verdict.taken.option, claimed),
        taken=option_said(verdict.taken.option, words, verdict.best.option, claimed),
        n=words.points.format(n=round(verdict.cost)),
        error=words.points.format(n=round(verdict.error)),
    )


def option_name(option: Option | str, words: Words, claimed: Tile | None = None) -> str:
    """An option, or its text, in words: ``5p``, ``riichi red 5p``, ``pon White``, ``passing``. Of a
    chi the tile ``claimed`` is named where it is known: ``chi 2m with 34m``."""
    names, written = flat(words.language, "option"), str(option)
    if "{tile}" not in names.get(written.replace(" ", "-"), "{tile}"):
        return names[written.replace(" ", "-")]
    act, _, tiles = written.rpartition(" ")
    shown = parse_tiles(tiles)
    one = len({tile.kind for tile in shown}) == 1
    tile = tile_name(max(shown, key=lambda each: each.red), words.language) if one else tiles
    if act == "chi" and claimed is not None:
        claim = tile_name(claimed, words.language)
        return names["chi-claimed"].format(tile=tile, claimed=claim)
    return names[act].format(tile=tile)


def tile_name(tile: Tile, language: str) -> str:
    """A tile in running text, as the pages name it: ``5m``, ``red 5m``, ``White``."""
    if tile.kind >= 27:
        return listed(language, "tile", "honours")[tile.kind - 27]
    return flat(language, "tile")["short_red"].format(suit=str(tile)[1]) if tile.red else str(tile)
