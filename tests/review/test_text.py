"""The text: never wider than 100 columns, columns aligned, in both languages."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from functools import cache

import pytest
from review.fake_model import fake_analyzer
from review.made_games import made_game

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.game.needs import Need
from haiyomi.outcomes.option import Option
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.review.catalogue import Language
from haiyomi.review.columns import (
    WIDTH,
    Line,
    clean,
    coloured,
    fit,
    line_width,
    percent,
    plain,
    right,
    risk_style,
    width,
    without_common_word,
)
from haiyomi.review.decisions import Revealed, Review, ReviewedDecision
from haiyomi.review.discard_table import behind_for_the_place
from haiyomi.review.needs_lines import needs_said
from haiyomi.review.printing import colour_wanted, print_lines
from haiyomi.review.review_text import review_lines
from haiyomi.review.reviewer import review_game
from haiyomi.review.summary import summary_of
from haiyomi.review.text import CELL, LABEL, WORTH_A_ROW, TextReport
from haiyomi.review.verdicts import Verdict
from haiyomi.review.words import words_of
from haiyomi.tiles import Kind, Seat

BOTH: tuple[Language, ...] = ("en", "ja")


@cache
def made_review(seed: int) -> Review:
    return review_game(made_game(seed, 5), Seat(seed % 4), fake_analyzer())


def lines_of(review: Review, lang: Language) -> list[Line]:
    return list(review_lines(review, words_of(lang)))


@pytest.mark.parametrize("lang", BOTH)
@pytest.mark.parametrize("seed", range(8))
def test_no_line_is_too_wide(seed: int, lang: Language) -> None:
    for line in lines_of(made_review(seed), lang):
        assert line_width(line) <= WIDTH, plain(line)
        assert "\n" not in plain(line)
        assert plain(line).isprintable()


@pytest.mark.parametrize("lang", BOTH)
def test_the_rows_of_a_table_end_together(lang: Language) -> None:
    words = words_of(lang)
    review = made_review(0)
    report = TextReport(words, review.names)
    for _, decision in review.discards:
        if decision.forced:
            continue
        result = max(c.risk for c in decision.choices) >= WORTH_A_ROW
        own = bool(decision.analysis.own_wins) + 3 * bool(decision.analysis.outcomes)
        lines = list(report.table(decision.analysis, decision))[(-6 if result else -3) - own :]
        n = len(decision.position.hand)
        drawn = decision.position.drawn is not None
        assert {line_width(line) for line in lines} == {LABEL + CELL * n + drawn}
        marked = [w for w in plain(lines[0]).split() if w.startswith("[")]
        assert marked == [f"[{words.tile(decision.tile)}]"]


def test_the_last_hand_says_what_is_needed() -> None:
    words = words_of("en")
    needs = (
        Need(0, None, (3200,)),
        Need(1, None, (1000, 2000)),
        *(Need(1, seat, (3900,)) for seat in (0, 1, 2)),
        Need(2, 0, (1300,)),
        Need(2, 1, (2600,)),
    )
    assert list(needs_said(needs, 3, words)) == [
        "To finish in 1st place: 3,200 all by own draw",
        "To finish in 2nd place: 1,000/2,000 by own draw, 3,900 by ron",
        "To finish in 3rd place: 1,300 off South, 2,600 off West",
    ]
    *_, last = needs_said(needs, 3, words_of("ja"))  # a comma stands in the numbers
    assert last == "3着で終える条件：南家から1,300、西家から2,600"
    review = made_review(0)
    hand = replace(review.hands[0], needs=needs)
    lines = map(plain, TextReport(words, review.names).hand(review, hand, {}))
    assert "To finish in 1st place: 3,200 all by own draw" in lines


def test_a_safer_tile_is_named_where_some_tile_has_a_risk() -> None:
    report = TextReport(words_of("en"), made_review(0).names)
    seen = set()
    for seed in range(3):
        for _, decision in made_review(seed).discards:
            if decision.forced:
                continue
            text = " ".join(plain(line) for line in report.decision(decision))
            risky = max(c.risk for c in decision.choices) >= WORTH_A_ROW
            assert ("safest" in text) is risky
            seen.add(risky)
    assert seen == {True, False}


@pytest.mark.parametrize("lang", BOTH)
def test_a_deal_in_is_named(lang: Language) -> None:
    result = 0
    for review in map(made_review, range(8)):
        text = "\n".join(map(plain, lines_of(review, lang)))
        dealt = [d for _, d in review.discards if d.outcome.kind == "dealt-in"]
        result += len(dealt)
        word = "DEALS IN to" if lang == "en" else "に放銃 -"
        # Once where it happened, once in each closing list that it stands in.
        free = sum(not d.forced for d in dealt)
        mistakes = summary_of(review).mistakes[:10]
        listed = sum(m.decision.outcome.kind == "dealt-in" for m in mistakes)
        assert text.count(word) == len(dealt) + free + listed
        assert ("8,000" in text) or not dealt
    assert result >= 4


@pytest.mark.parametrize("lang", BOTH)
def test_the_words_fit_their_cells(lang: Language) -> None:
    words = words_of(lang)
    assert all(width(z) <= CELL - 1 for z in words.zero.values())
    assert width(words.total) <= LABEL
    assert width(words.loss) <= LABEL
    assert all(width(line) <= WIDTH for line in words.legend)
    assert all(width(words.short_hand(k, h)) <= 11 for k in range(16) for h in (0, 1, 12))
    other = words_of("ja" if lang == "en" else "en")
    for table in ("zero", "actions", "calls", "draws", "melds"):
        assert set(getattr(words, table)) == set(getattr(other, table))
    for name in ("summary", "ron", "tsumo", "dealt_in", "worth", "called_by", "safer", "chose"):
        fields = re.compile(r"\{(\w+)")
        assert set(fields.findall(getattr(words, name))) == set(
            fields.findall(getattr(other, name))
        )


def test_forced_discards_take_one_line() -> None:
    report = TextReport(words_of("en"), made_review(0).names)
    forced = [
        d
        for r in map(made_review, range(8))
        for _, d in r.discards
        if d.forced and d.outcome.kind == "passed"
    ]
    assert forced
    for decision in forced:
        assert len(list(report.decision(decision))) == 1


def test_the_truth_is_marked() -> None:
    decision = next(d for _, d in made_review(0).discards if not d.forced)
    kind = decision.tile.kind
    shown = Revealed(((kind,), (), ()), ((kind, Kind(33)), (Kind(0),), ()))
    values = {name: getattr(decision, name) for name in ReviewedDecision.__slots__}
    revealed = ReviewedDecision(**(values | {"revealed": shown}))
    report = TextReport(words_of("en"), ("A", "B", "C", "D"))
    text = "\n".join(map(plain, report.decision(revealed)))
    assert f"![{report.words.tile(decision.tile)}]" in text
    assert "waits on" in text
    assert "Rd" in text
    assert text.count("waits on") == 2


def test_riichi_has_rows_of_its_own() -> None:
    report = TextReport(words_of("en"), ("A", "B", "C", "D"))
    tables = [
        (decision, [plain(line) for line in report.decision(decision)])
        for seat in map(Seat, range(4))
        for _, decision in review_game(simulate_rule_players(5, 5), seat, Analyzer()).discards
    ]
    shown = [(d, rows) for d, rows in tables if any(r.startswith("EV riichi") for r in rows)]
    assert shown
    for decision, rows in shown:
        outcomes = {str(o.option): o for o in decision.options}
        for label, act in (("EV (points)", "discard"), ("EV riichi", "riichi")):
            (row,) = [row for row in rows if row.startswith(label)]
            cells = row[len(label) :].split()
            assert len(cells) == len(decision.position.hand)
            points = [f"{o.points:z.0f}" for name, o in outcomes.items() if name.startswith(act)]
            assert set(cells) - {"-"} == set(points)
    for decision, rows in tables:
        acts = {option.option.act for option in decision.options}
        if "riichi" not in acts:
            assert not any("EV riichi" in row for row in rows)


@pytest.mark.parametrize("lang", BOTH)
def test_a_call_is_decided_beside_the_hand(lang: Language) -> None:
    words = words_of(lang)
    shown = 0
    for seat in map(Seat, range(4)):
        review = review_game(simulate_rule_players(5, 5), seat, Analyzer())
        report = TextReport(words, review.names)
        for _, decision, verdict in summary_of(review).judged:
            if decision.offer is None:
                continue
            first, hand, *options = map(plain, report.other(decision, verdict))
            assert words.left.format(n=decision.position.draws_left) in first
            assert hand.split() == [words.tile(tile) for tile in decision.position.hand]
            behind = behind_for_the_place(decision.analysis, decision.rate)
            assert any(f" {words.place} " in line for line in options) == bool(behind)
            shown += 1
    assert shown


def test_one_position() -> None:
    decision = next(d for _, d in made_review(1).discards)
    (analysis,) = fake_analyzer("deal_in").analyze([decision.position])
    for lang in BOTH:
        lines = list(TextReport(words_of(lang)).position(analysis))
        assert all(line_width(line) <= WIDTH for line in lines)
        assert words_of(lang).tile(analysis.risks.safest.tile) in plain(lines[-1])


@pytest.mark.parametrize(
    ("p", "message"),
    [
        (0.0, "0%"),
        (1e-6, "<.1%"),
        (0.0004, "<.1%"),
        (0.0006, "0.1%"),
        (0.078, "7.8%"),
        (0.99949, "99.9%"),
        (1.0, "100%"),
    ],
)
def test_percent(p: float, message: str) -> None:
    assert percent(p) == message


def test_widths() -> None:
    assert [width(t) for t in ("abc", "東1局", "e\u0301", "放銃率")] == [3, 5, 1, 6]
    assert fit("東南西", 5) == "東南~"
    assert fit("東南西", 4) == "東~ "
    assert right("東", 5) == "   東"
    for text in ("abcdef", "東南西北白", "a東b南"):
        for n in range(1, 12):
            assert width(fit(text, n)) == n == width(right(text, n))
    assert clean("a\x1b[31m\n\u202eb") == "a?[31m??b"


def test_a_word_that_all_share_is_no_name() -> None:
    assert without_common_word(("a b c", "a b d", "a b e", "a b f")) == ("c", "d", "e", "f")
    assert without_common_word(("a b", "a c", "a", "a d")) == ("a b", "a c", "a", "a d")
    assert without_common_word(("", "", "", "")) == ("", "", "", "")


def test_risk_colours_rise() -> None:
    styles = [risk_style(p) for p in (0.0, 0.01, 0.03, 0.06, 0.12, 1.0)]
    assert styles == ["risk0", "risk1", "risk2", "risk3", "risk4", "risk4"]


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colour_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert colour_wanted(_Terminal())
    assert not colour_wanted(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not colour_wanted(_Terminal())
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not colour_wanted(_Terminal())
    monkeypatch.setenv("NO_COLOR", "")
    assert colour_wanted(_Terminal())


def test_colour_adds_nothing_but_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    lines = lines_of(made_review(2), "ja")
    bare = [re.sub(r"\x1b\[[0-9;]*m", "", coloured(line)).rstrip() for line in lines]
    assert bare == [plain(line) for line in lines]
    out = io.StringIO()
    print_lines(lines, out)
    assert out.getvalue() == "".join(plain(line) + "\n" for line in lines)
    assert "\x1b" not in out.getvalue()


def test_an_old_encoding_is_no_crash() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    print_lines(lines_of(made_review(0), "ja")[:40], out)
    out.flush()
    assert b"?" in raw.getvalue()


@cache
def judged_discard() -> tuple[ReviewedDecision, Verdict]:
    """A discard with outcomes that was not forced, and its verdict."""
    review = review_game(simulate_rule_players(5, 5), Seat(0), Analyzer())
    return next((d, v) for _, d, v in summary_of(review).judged if d.gives and not d.forced)


def test_a_mistake_that_goes_on_with_a_plan_names_the_turn_it_began() -> None:
    report = TextReport(words_of("en"), ("A", "B", "C", "D"))
    decision, verdict = judged_discard()
    again = replace(verdict, severity="mistake", cost=734.0, plan=3)
    text = "\n".join(map(plain, report.decision(decision, again, 8)))
    assert "734 points more, not counted again: this went on with the plan of turn 8" in text


def test_options_without_a_column_stand_below_the_table() -> None:
    """A named case: nine terminals, which most choose, were not to be seen."""
    report = TextReport(words_of("en"), ("A", "B", "C", "D"))
    decision, _ = judged_discard()
    abort = replace(decision.options[0], option=Option.parse("nine terminals"), share=0.76)
    more = replace(decision.analysis, outcomes=(abort, *decision.options))
    lines = [plain(line) for line in report.decision(replace(decision, analysis=more))]
    (row,) = [line for line in lines if line.startswith("     nine terminals")]
    assert row.endswith("strong players 76%")
