"""Sentences: every number and tile in them is worked out anew from the decision's analysis."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import pytest
from review.made_decisions import decided, with_shanten

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.logs.load import parse
from haiyomi.outcomes.answer import Endings, EndingShare, Outcome, OwnWait, Placement
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.option import Option
from haiyomi.review.catalogue import LANGUAGES, flat
from haiyomi.review.decisions import ReviewedDecision
from haiyomi.review.gains import lost
from haiyomi.review.reviewer import review_game
from haiyomi.review.sentences import (
    HARDLY,
    LEAST,
    Reason,
    Share,
    _kept,
    option_name,
    option_said,
    reason_of,
    sentence,
    verdict_said,
)
from haiyomi.review.verdicts import Verdict, verdict_of, verdicts
from haiyomi.review.words import words_of
from haiyomi.tiles import Tile, parse_tiles

SAMPLES = pathlib.Path(__file__).parents[1] / "samples"
GAMES = ("haiyomi-7-00000.mjlog", "haiyomi-7-00001.mjlog")
ENGLISH = words_of("en")
WHY = flat("en", "why")
Said = tuple[ReviewedDecision, Verdict, Reason, str]


@lru_cache(maxsize=1)
def said() -> tuple[Said, ...]:
    """The sentence of every decision of two self-played games that was not the best, without the
    waits that follow it."""
    analyzer = Analyzer(parts=["deal_in", "outcomes"], details=())
    found = []
    for name in GAMES:
        game = parse((SAMPLES / name).read_bytes(), name)
        for seat in range(4):
            for _, decision, verdict in verdicts(review_game(game, seat, analyzer)):
                if not verdict.agrees:
                    reason = replace(reason_of(decision, verdict), waits=(), no_yaku=False)
                    text = sentence(reason, int(decision.position.dealer), ENGLISH)
                    found.append((decision, verdict, reason, text))
    return tuple(found)


def read(template: str, text: str) -> Mapping[str, str]:
    """The fields of a text by its template."""
    pattern = re.escape(template)
    for name in re.findall(r"\{(\w+)\}", template):
        named = name in ("better", "taken", "who", "keeps")
        shape = ".+" if named else r"[<>]?-?[\d,]+%?|never"
        shape = (
            "cannot deal in now|deals in (to that player )?.+ of the time"
            if name == "deals"
            else shape
        )
        pattern = pattern.replace(rf"\{{{name}\}}", f"(?P<{name}>{shape})")
    found = re.fullmatch(pattern, text, re.IGNORECASE)
    assert found, (template, text)
    return found.groupdict()


def endings(win: float) -> Endings:
    """A chance to win 4,000 points, and a draw else."""
    drawn = EndingShare(Ending.DRAW_NOTEN, 1 - win, 0)
    return Endings([EndingShare(Ending.RON, win, 4000), drawn])


def percent(p: float) -> str:
    if 0.995 <= p < 1:
        return ">99%"
    return "<1%" if 0 < p < 0.005 else f"{100 * p:.0f}%"


def points(n: float) -> str:
    step = 100 if abs(n) >= 1000 else 10
    return f"{step * round(n / step):,}"


def numbers(decision: ReviewedDecision, better: Outcome, taken: Outcome) -> dict[str, str]:
    """Every number that a sentence may hold, from the endings, the places and the risks."""
    due = {}
    for outcome, tail in ((better, ""), (taken, "_taken")):
        p = {share.ending: share.probability for share in outcome.endings}
        paid = {share.ending: share.points for share in outcome.endings}
        win = p.get(Ending.TSUMO, 0) + p.get(Ending.RON, 0)
        total = sum(p.get(e, 0) * paid.get(e, 0) for e in (Ending.TSUMO, Ending.RON))
        due["win" + tail] = percent(win)
        due["worth" + tail] = points(total / win if win else 0)
        deal_ins = [Ending(Ending.DEAL_IN_RIGHT + i) for i in range(3)]
        deal_in = sum(p.get(e, 0) for e in deal_ins)
        lost = -sum(p.get(e, 0) * paid.get(e, 0) for e in deal_ins)
        due["deal_in" + tail] = percent(deal_in)
        due["price" + tail] = points(lost / deal_in if deal_in else 0)
        due["drawn" + tail] = percent(p.get(Ending.DRAW_TENPAI, 0))
        due["ab"[tail != ""]] = points(sum(p[e] * paid[e] for e in p))
    due["rate"] = due["win_taken"]
    due["deal_in_now"] = percent(better.deal_in_now)
    if decision.gives:
        risk = max(decision.chosen.by_opponent, key=lambda each: each.probability)
        due["risk"], due["loss"] = percent(risk.probability), points(risk.mean_points)
        wind = (int(risk.opponent) - int(decision.position.dealer)) % 4
        if better.deal_in_now > 0:
            there = decision.analysis.risks[better.option.tiles[0]].by_opponent
            due["deal_in_there"] = percent(there[risk.opponent - 1].probability)
        due["who"] = ("East", "South", "West", "North")[wind]
        player = decision.position.players[risk.opponent]
        due["cause"] = "riichi" if player.riichi else "melds" if player.open_melds else "silence"
        chosen, now, other = decision.chosen, better.deal_in_now, 0.0
        if now > 0:
            to_all = decision.analysis.risks[better.option.tiles[0]].by_opponent
            other = to_all[risk.opponent - 1].probability or now
        several = max(chosen.risk - risk.probability, now - other) >= LEAST
        several |= risk.probability < chosen.risk / 2
        if chosen.risk > 0 and several:
            due["risk"], due["cause"] = percent(chosen.risk), "several"
            due["loss"] = points(chosen.expected_loss / chosen.risk)
        elif now > 0:
            due["deal_in_now"] = percent(other)
    return due


def places(cause: str, outcome: Outcome) -> str:
    assert outcome.placement is not None
    first, second, _, last = outcome.placement.places
    return percent({"first": first, "second": first + second, "last": last}[cause])


def shanten(decision: ReviewedDecision, outcome: Outcome) -> int | None:
    return decision.analysis.risks[outcome.option.tiles[0]].shanten


def test_two_hundred_sentences_state_what_the_analysis_holds() -> None:
    sentences = said()
    assert len(sentences) >= 200
    for decision, verdict, reason, text in sentences:
        options = {
            option_said(o.option, ENGLISH, other.option, decision.claimed).lower(): o
            for o in decision.options
            for other in decision.options
        }
        behind = WHY["behind"].format(taken=r"(.+)", behind=r"([\d,]+)").replace(" (", r" \(", 1)
        text, *told = re.split(behind[:-1] + r"\)$", text)
        if told:
            assert options[told[0].lower()] == verdict.taken
            assert told[1] == points(verdict.taken.points - verdict.best.points)
        assert bool(told) == (verdict.points <= -10 and reason.cause != "points"), text
        text, *after = text.split(". ")
        then, due = reason.then, numbers(decision, verdict.best, verdict.taken)
        for each in after:
            assert then is not None
            assert then.cause in ("rate", "risk", "first", "second", "last")
            for name, value in read(WHY[then.cause], each).items():
                meant = verdict.taken if "taken" in name else verdict.best
                if name in ("better", "taken"):
                    assert options[value.lower()] == meant
                elif name.startswith("place"):
                    assert value in (places(then.cause, meant), WHY["never"])
                else:
                    assert value == due[name]
            then = then.then
        assert then is None
        key = reason.cause.replace(" ", "-")
        if key == "step-back" and "keeps tenpai" in text:
            key = "step-back-from-tenpai"
        fields = dict(read(WHY[key], text))
        better = (
            options[fields.pop("better", str(reason.better)).lower()]
            if "{better}" in WHY[key]
            else verdict.best
        )
        taken = options[fields.pop("taken").lower()] if "taken" in fields else verdict.taken
        assert (better, taken) == (verdict.best, verdict.taken)
        due = numbers(decision, better, taken)
        kept = fields.pop("keeps", None)
        if kept is not None:
            assert key == f"to-{due['cause']}"
            form = next(
                k
                for k in ("keeps-tenpai", "keeps-shanten", "keeps-safe")
                if re.fullmatch(re.sub(r"\\\{\w+\\\}", ".+?", re.escape(WHY[k])), kept)
            )
            inner = dict(read(WHY[form], kept))
            deals = inner.pop("deals")
            if better.deal_in_now == 0:
                assert deals == WHY["deals-never"]
            else:
                inner |= read(WHY["deals-there" if " to that player " in deals else "deals"], deals)
            if form == "keeps-shanten":
                assert better.win >= HARDLY
            assert options[inner.pop("better").lower()] == better
            if form != "keeps-safe":
                assert shanten(decision, better) == decision.analysis.risks.shanten, text
            if form == "keeps-tenpai":
                assert shanten(decision, better) == 0
            if form == "keeps-shanten":
                assert int(inner.pop("n")) == shanten(decision, better)
            fields |= inner
        if "n" in fields:
            assert int(fields.pop("n")) == shanten(decision, better)
        if key.startswith("step-back"):
            mine, other = shanten(decision, better), shanten(decision, taken)
            assert mine is not None
            assert other is not None
            assert other > mine
        for name in ("place", "place_taken"):
            if name in fields:
                due[name] = places(key, taken if "taken" in name else better)
        for name in ("place_taken", "drawn_taken"):
            if due.get(name) == "0%":
                due[name] = WHY["never"]
        if due["a"] == due["b"]:
            due["a"], due["b"] = (f"{10 * round(o.points / 10):,}" for o in (better, taken))
        assert fields.items() <= due.items(), text


def test_many_causes_are_given() -> None:
    assert len({reason.cause for _, _, reason, _ in said()}) >= 8


def test_a_tile_that_two_may_win_on_is_said_to_deal_in_by_both() -> None:
    """One opponent's share of the risk stood beside the whole risk of the better tile."""
    several = [each for each in said() if each[2].cause == "to several"]
    assert several
    for decision, _, _, text in several:
        assert f"deals in {percent(decision.chosen.risk)} of the time" in text


def test_a_discard_that_steps_back_keeps_nothing() -> None:
    """Where both discards stepped back, the better one was said to keep what it left."""
    seen = 0
    for decision in (each for each, *_ in said() if each.gives):
        hand = decision.analysis.risks.shanten
        discards = [o for o in decision.options if o.option.act == "discard"]
        back = [o for o in discards if shanten(decision, o) != hand]
        if len(back) > 1:
            seen += 1
            assert _kept(decision, back[0], back[1]) is None
    assert seen


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (0, "Discarding 9s wins 32% of hands, discarding 8s 22%. Waits after 9s: 8m, 0 left"),
        (
            1,
            "Discarding 9s keeps tenpai and wins 32% of hands; discarding 8s steps back and wins "
            "22%. Waits after 9s: 8m, 1 left",
        ),
    ],
)
def test_tenpai_on_tiles_that_are_all_seen_is_not_praised(left: int, said: str) -> None:
    wait = OwnWait(parse_tiles("8m"), left, False, parse_tiles("8m"), left)
    best = Outcome(Option.parse("discard 9s"), "pooled", endings(0.32), wait=wait)
    taken = Outcome(Option.parse("discard 8s"), "pooled", endings(0.22))
    decision = with_shanten(decided(best, taken), s9=0, s8=1)
    verdict = verdict_of(decision)
    assert verdict is not None
    assert sentence(reason_of(decision, verdict), 0, ENGLISH) == said


def test_a_kan_and_a_discard_of_one_tile_are_not_told_with_one_wait() -> None:
    """The wait after the discard was named as if it were that of both."""
    pair, edge = (
        OwnWait(parse_tiles(tiles), left, False, parse_tiles(tiles), left)
        for tiles, left in (("67m", 6), ("7m", 2))
    )
    for act, shown in (("ankan 5m", ()), ("riichi 5m", ("5m",))):
        best = Outcome(Option.parse(act), "pooled", endings(0.6), wait=edge)
        taken = Outcome(Option.parse("discard 5m"), "pooled", endings(0.3), wait=pair)
        decision = with_shanten(decided(best, taken), m5=0)
        verdict = verdict_of(decision)
        assert verdict is not None
        assert tuple(str(tile) for tile, _ in reason_of(decision, verdict).waits) == shown


def test_a_hand_that_cannot_reach_tenpai_keeps_nothing() -> None:
    """It was said to keep 3-shanten at the last discard of a hand."""
    for decision, _, reason, text in said():
        if reason.cause in ("to riichi", "to melds", "to silence", "to several"):
            draws = decision.position.draws_left // 4
            assert reason.shanten is None or reason.shanten <= draws, text


def test_a_late_fold_that_gives_up_tenpai_at_the_draw_says_so() -> None:
    """It was said to give up wins, of which there are hardly any after the last draw."""
    tenpai = Endings(
        [EndingShare(Ending.RON, 0.02, 3300), EndingShare(Ending.DRAW_TENPAI, 0.98, 1500)]
    )
    noten = Endings([EndingShare(Ending.DRAW_NOTEN, 1.0, -1500)])
    push, fold = (
        Outcome(Option.parse(name), "pooled", endings)
        for name, endings in (("discard 9s", tenpai), ("discard 3p", noten))
    )
    decision = with_shanten(decided(push, fold), s9=0, p3=2)
    verdict = verdict_of(decision)
    assert verdict is not None
    reason = reason_of(decision, verdict)
    text = sentence(reason, 0, ENGLISH)
    said = "Discarding 9s leaves you tenpai at the draw 98% of the time; discarding 3p never"
    assert text == said


@pytest.mark.parametrize("drawn", [0.16, 0.12])
def test_draws_in_tenpai_follow_wins_where_they_make_much_of_the_difference(drawn: float) -> None:
    """A named case: a push was said to win 5% more and to deal in 7% more, which alone is no
    reason."""
    push, fold = (
        Outcome(
            Option.parse(name),
            "pooled",
            Endings(
                [
                    EndingShare(Ending.RON, win, 8000),
                    EndingShare(Ending.DEAL_IN_LEFT, deal_in, -6000),
                    EndingShare(Ending.DRAW_TENPAI, tenpai, 1500),
                    EndingShare(Ending.DRAW_NOTEN, 1 - win - deal_in - tenpai, -1500),
                ]
            ),
        )
        for name, win, deal_in, tenpai in (
            ("discard 8m", 0.06, 0.05, drawn), ("discard 6m", 0.01, 0.02, 0.1),
        )
    )  # fmt: skip
    decision = with_shanten(decided(push, fold), m8=1, m6=2)
    verdict = verdict_of(decision)
    assert verdict is not None
    reason = reason_of(decision, replace(verdict, category="folded"))
    assert reason.cause == "fold"
    told = "tenpai at the draw 16% of the time; discarding 6m 10%" in sentence(reason, 0, ENGLISH)
    assert told == (drawn == 0.16)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_states_the_same_numbers(language: str) -> None:
    for decision, _, reason, text in said()[::7]:
        other = sentence(reason, int(decision.position.dealer), words_of(language))
        found = sorted(re.findall(r"<?[\d,]+%", other))
        assert found == sorted(re.findall(r"<?[\d,]+%", text))


@pytest.mark.parametrize("no_yaku", [True, False])
def test_a_call_after_which_no_yaku_is_near_is_named(no_yaku: bool) -> None:
    """It said that no yaku was near of hands with a pair of dragons, for which it takes one tile
    more than for a win without a yaku."""
    best = Outcome(Option.parse("pass"), "pooled", endings(0.4))
    taken = Outcome(Option.parse("pon 55z"), "pooled", endings(0.1), no_yaku=no_yaku)
    decision = decided(best, taken)
    verdict = verdict_of(decision)
    assert verdict is not None
    reason = reason_of(decision, verdict)
    assert reason.no_yaku is no_yaku
    said = [sentence(reason, 0, words_of(language)) for language in LANGUAGES]
    plain = [sentence(replace(reason, no_yaku=False), 0, words_of(lang)) for lang in LANGUAGES]
    assert said[0] == plain[0] + ". After pon White, the nearest wins have no yaku" * no_yaku
    assert [a != b for a, b in zip(said, plain, strict=True)] == [no_yaku] * len(LANGUAGES)


def test_riichi_is_the_cause_beside_the_same_tile_alone() -> None:
    """ "Damaten for now" was said of a discard of another tile."""
    riichi, z1 = (
        Outcome(Option.parse(text), "pooled", endings(win))
        for text, win in (("riichi 1z", 0.6), ("discard 1z", 0.3))
    )  # fmt: skip
    for taken, cause in ((z1, "riichi"), (replace(z1, option=Option.parse("discard 5p")), "rate")):
        decision = with_shanten(decided(riichi, taken), z1=0, p5=0)
        verdict = verdict_of(decision)
        assert verdict is not None
        assert verdict.category == "riichi"
        assert reason_of(decision, verdict).cause == cause


def test_a_discard_is_called_damaten_beside_riichi_with_the_same_tile() -> None:
    silent, riichi = Option.parse("discard 7p"), Option.parse("riichi 7p")
    assert option_said(silent, ENGLISH, riichi) == "damaten discarding 7p"
    assert option_said(silent, ENGLISH, Option.parse("riichi 1m")) == "discarding 7p"
    assert option_said(riichi, ENGLISH, silent) == "riichi discarding 7p"


def test_a_discarded_honour_does_not_read_as_a_player() -> None:
    """A named case: "East deals in to East's riichi"."""
    winds = "East|South|West|North"
    for *_, text in said():
        named = rf"(discarding|pon|kan|in to) ({winds})|({winds})'s"
        alone = re.sub(named, "", text, flags=re.IGNORECASE)
        assert not re.search(rf"({winds}) (deals|wins|keeps|cannot|\d)", alone), text


@pytest.mark.parametrize(
    ("language", "said"), [("ja", "東切り"), ("zh", "切东"), ("ko", "동 타패")]
)
def test_a_discarded_honour_is_a_discard_in_every_language(language: str, said: str) -> None:
    east = Option.parse("discard 1z")
    assert option_said(east, words_of(language), Option.parse("discard 2z")).startswith(said)


def placed(text: str, win: float, deal_in: float, last: float) -> Outcome:
    """A discard with a chance to win 8,000 points, one to lose 8,000, and one to end last, else
    third."""
    shares = Endings([
        EndingShare(Ending.RON, win, 8000),
        EndingShare(Ending.DEAL_IN_LEFT, deal_in, -8000),
        EndingShare(Ending.DRAW_NOTEN, 1 - win - deal_in, 0),
    ])  # fmt: skip
    placement = Placement((0, 0, 1 - last, last), 25000, "90/45/0/-135", -100 * last)
    return Outcome(Option.parse(text), "pooled", shares, None, placement)


def test_a_mistake_of_placement_tells_the_deal_in_first_and_what_points_alone_say() -> None:
    """A named case: the place hid that one tile dealt in ten times as often, and the better option
    was said to be better by points that the table gave to the other."""
    safe, push = placed("discard 6z", 0.1, 0.01, 0.26), placed("discard 7s", 0.23, 0.1, 0.30)
    decision = replace(with_shanten(decided(safe, push), z6=1, s7=1), rate=0.005)
    verdict = verdict_of(decision)
    assert verdict is not None
    assert (verdict.category, verdict.severity) == ("placement", "mistake")
    assert verdict_said(verdict, ENGLISH) == (
        "mistake, placement: discarding Green was better; discarding 7s gave up placement worth "
        f"{verdict.cost:.0f} points (standard error {verdict.error:.0f})"
    )
    text = sentence(reason_of(decision, verdict), 0, ENGLISH)
    assert text == (
        "After discarding 7s the hand deals in 10% and wins 23% of the time, after discarding "
        "Green 1% and 10%. Discarding Green ends last 26% of the time, discarding 7s 30% "
        "(by points alone discarding 7s is better by 320)"
    )


@pytest.mark.parametrize(("win", "shanten"), [(0.2, 1), (0.02, None)])
def test_a_hand_that_is_hardly_ever_won_is_not_praised(win: float, shanten: int | None) -> None:
    """A named case: "red 5p keeps 4-shanten at <1%" of a hand that nobody would win."""
    best, taken = placed("discard 0p", win, 0.0, 0.2), placed("discard 7s", win, 0.1, 0.3)
    decision = with_shanten(decided(best, taken), p0=1, s7=2)
    assert _kept(decision, best, taken) == shanten
    # A hand in tenpai is paid at the draw, also where nobody wins any more.
    assert _kept(with_shanten(decision, p0=0, s7=1), best, taken) == 0
    # What the other tile keeps, too, tells nothing.
    assert _kept(with_shanten(decision, p0=0, s7=0), best, taken) is None


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (
            OwnWait(parse_tiles("6p"), 3, True, (), 0),
            "Waits after 4m: 6p 9p, 5 left; after 7p: 6p, 3 left, furiten",
        ),
        (
            OwnWait(parse_tiles("69p"), 5, False, parse_tiles("69p"), 5),
            "Waits after either: 6p 9p, 5 left",
        ),
        (
            OwnWait(parse_tiles("36m"), 5, False, parse_tiles("6m"), 2),
            "Waits after 4m: 6p 9p, 5 left; after 7p: 3m 6m, 5 left, by ron only 6m, 2 left",
        ),
        (None, "Waits after 4m: 6p 9p, 5 left, no yaku"),
    ],
)
def test_the_waits_of_both_options_follow(other: OwnWait | None, said: str) -> None:
    ron = (parse_tiles("69p"), 5) if other is not None else ((), 0)
    waits = ((Tile.parse("4m"), OwnWait(parse_tiles("69p"), 5, False, *ron)),)
    if other is not None:
        waits += ((Tile.parse("7p"), other),)
    facts = {"win": Share(0.3), "win_taken": Share(0.1)}
    better, taken = Option.parse("discard 4m"), Option.parse("discard 7p")
    text = sentence(Reason("rate", better, taken, facts, waits=waits), 0, ENGLISH)
    assert text == f"Discarding 4m wins 30% of hands, discarding 7p 10%. {said}"


def test_a_chi_names_the_tile_that_it_takes() -> None:
    chi, claimed = Option.parse("chi 34m"), Tile.parse("2m")
    assert option_name(chi, ENGLISH) == "chi 34m"
    assert option_name(chi, ENGLISH, claimed) == "chi 2m with 34m"
    names = [option_name(chi, words_of(language), claimed) for language in LANGUAGES]
    assert all("2m" in name and "34m" in name for name in names)
    assert option_name(Option.parse("pon 55z"), ENGLISH, Tile.parse("5z")) == "pon White"


def test_a_place_that_decides_is_said_after_the_wins() -> None:
    """A named case: in the last hand riichi won less and dealt in more than damaten, and second
    place, which it alone reached, was not named."""
    riichi, damaten = (
        replace(
            Outcome(Option.parse(text), "pooled", endings(win)),
            placement=Placement(places, 25000, "", value),
        )
        for text, win, places, value in (
            ("riichi 1z", 0.5, (0.2, 0.24, 0.2, 0.36), 5.0),
            ("discard 1z", 0.48, (0.1, 0.09, 0.4, 0.41), 0.0),
        )
    )
    decision = with_shanten(decided(riichi, damaten), z1=0)
    verdict = verdict_of(decision)
    assert verdict is not None
    reason = reason_of(decision, replace(verdict, category="riichi"))
    assert reason.cause == "riichi"
    assert reason.then is not None
    assert reason.then.cause == "second"
    assert "second or better 44% of the time, damaten" in sentence(reason, 0, ENGLISH)


def test_what_is_risked_for_more_wins_is_said() -> None:
    assert any(
        reason.then is not None and reason.then.cause == "risk" for _, _, reason, _ in said()
    )


def test_a_mistake_of_placement_tells_the_wins_first_where_they_make_it() -> None:
    """A named case: in the last hand a discard that won half as often was said to end last more
    often, and nothing else."""
    better, worse = placed("discard 6z", 0.2, 0.05, 0.20), placed("discard 7s", 0.1, 0.05, 0.40)
    decision = replace(with_shanten(decided(better, worse), z6=1, s7=1), rate=0.005)
    verdict = verdict_of(decision)
    assert verdict is not None
    assert verdict.category == "placement"
    reason = reason_of(decision, verdict)
    assert (reason.cause, reason.then and reason.then.cause) == ("rate", "last")


def test_the_price_of_a_deal_in_leaves_out_the_own_deposit() -> None:
    """A named case: riichi was said to deal in for 1,200 points more, most of them the deposit."""
    later = replace(placed("riichi 6z", 0.2, 0.1, 0.2), deal_in_now=0.02)
    assert lost(later) == pytest.approx(8000 - 800)
    assert lost(placed("discard 6z", 0.2, 0.1, 0.2)) == pytest.approx(8000)
