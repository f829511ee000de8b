"""Sentences: every number and tile in them is worked out anew from the decision's analysis."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Mapping
from functools import lru_cache

import pytest
from review.test_verdicts import decided, with_shanten

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.logs.load import parse
from haiyomi.outcomes.answer import Endings, EndingShare, Outcome
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.option import Option
from haiyomi.review.catalogue import LANGUAGES, flat
from haiyomi.review.decisions import ReviewedDecision
from haiyomi.review.reviewer import review_game
from haiyomi.review.sentences import LEAST, Reason, _kept, option_name, reason_of, sentence
from haiyomi.review.verdicts import Verdict, verdict_of, verdicts
from haiyomi.review.words import words_of

SAMPLES = pathlib.Path(__file__).parents[1] / "samples"
GAMES = ("haiyomi-7-00000.mjlog", "haiyomi-7-00001.mjlog")
ENGLISH = words_of("en")
WHY = flat("en", "why")
Said = tuple[ReviewedDecision, Verdict, Reason, str]


@lru_cache(maxsize=1)
def said() -> tuple[Said, ...]:
    """The sentence of every decision of two self-played games that was not the best."""
    analyzer = Analyzer(parts=["deal_in", "outcomes"], details=())
    found = []
    for name in GAMES:
        game = parse((SAMPLES / name).read_bytes(), name)
        for seat in range(4):
            for _, decision, verdict in verdicts(review_game(game, seat, analyzer)):
                if not verdict.agrees:
                    reason = reason_of(decision, verdict)
                    text = sentence(reason, int(decision.position.dealer), ENGLISH)
                    found.append((decision, verdict, reason, text))
    return tuple(found)


def read(template: str, text: str) -> Mapping[str, str]:
    """The fields of a text by its template."""
    pattern = re.escape(template)
    for name in re.findall(r"\{(\w+)\}", template):
        shape = ".+" if name in ("better", "taken", "who", "keeps") else r"<?-?[\d,]+%?"
        pattern = pattern.replace(rf"\{{{name}\}}", f"(?P<{name}>{shape})")
    found = re.fullmatch(pattern, text, re.IGNORECASE)
    assert found, (template, text)
    return found.groupdict()


def percent(p: float) -> str:
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
        due["deal_in" + tail] = percent(
            sum(p.get(Ending(Ending.DEAL_IN_RIGHT + i), 0) for i in range(3))
        )
        due["drawn" + tail] = percent(p.get(Ending.DRAW_TENPAI, 0))
        due["ab"[tail != ""]] = points(sum(p[e] * paid[e] for e in p))
    due["rate"] = due["win_taken"]
    due["deal_in_now"] = percent(better.deal_in_now)
    if decision.gives:
        risk = max(decision.chosen.by_opponent, key=lambda each: each.probability)
        due["risk"], due["loss"] = percent(risk.probability), points(risk.mean_points)
        wind = (int(risk.opponent) - int(decision.position.dealer)) % 4
        due["who"] = ("East", "South", "West", "North")[wind]
        player = decision.position.players[risk.opponent]
        due["cause"] = "riichi" if player.riichi else "melds" if player.open_melds else "silence"
        chosen = decision.chosen
        if chosen.risk - risk.probability >= LEAST:
            due["risk"], due["cause"] = percent(chosen.risk), "several"
            due["loss"] = points(chosen.expected_loss / chosen.risk)
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
        options = {option_name(o.option, ENGLISH).lower(): o for o in decision.options}
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
                assert fields.pop(name) == places(key, taken if "taken" in name else better)
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
    assert text == "9s is tenpai at an exhaustive draw 98% of the time, 3p 0%"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_states_the_same_numbers(language: str) -> None:
    for decision, _, reason, text in said()[::7]:
        other = sentence(reason, int(decision.position.dealer), words_of(language))
        found = sorted(re.findall(r"<?[\d,]+%", other))
        assert found == sorted(re.findall(r"<?[\d,]+%", text))
