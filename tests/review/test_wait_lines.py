"""The waits behind a discard's risk, named in the text of a review."""

from __future__ import annotations

from dataclasses import replace

import pytest

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.dealin.answer import PointsRows, TileRisk, WaitShare, ZeroReason
from haiyomi.play.demo import demo_game
from haiyomi.review.catalogue import Language
from haiyomi.review.columns import WIDTH, line_width, plain
from haiyomi.review.reviewer import review_hands
from haiyomi.review.text import TextReport, percent
from haiyomi.review.wait_lines import WORTH_NAMING, wait_name, why_line
from haiyomi.review.words import words_of
from haiyomi.tiles import Kind, Seat, Tile


def share(shape: str, wins: tuple[int, ...], held: tuple[int, ...]) -> WaitShare:
    return WaitShare(shape, tuple(map(Kind, wins)), tuple(map(Kind, held)), 0.5)


def risk(probability: float, reason: ZeroReason | None) -> TileRisk:
    return TileRisk(Tile.parse("5p"), Seat(1), probability, PointsRows(), reason)


def test_a_wait_has_a_name() -> None:
    en, ja = words_of("en"), words_of("ja")
    assert wait_name(share("two-sided", (12, 15), (13, 14)), en) == "4-7p two-sided"
    assert wait_name(share("shanpon", (3, 27), (3, 3)), en) == "E-shanpon"
    assert wait_name(share("edge or closed", (6,), (5, 7)), en) == "68m kanchan"
    assert wait_name(share("edge or closed", (2,), (0, 1)), en) == "12m penchan"
    assert wait_name(share("single", (3,), (3,)), ja) == "単騎"


@pytest.mark.parametrize(
    ("lang", "waits", "safe"),
    [
        ("en", "50% 4-7p two-sided, 50% E-shanpon", "genbutsu"),
        ("ja", "50% 4-7p 両面、50% 東-シャンポン", "現物"),
    ],
)
def test_a_risk_is_explained_in_both_languages(lang: Language, waits: str, safe: str) -> None:
    shares = share("two-sided", (12, 15), (13, 14)), share("shanpon", (12, 27), (12, 12))
    words = words_of(lang)
    assert why_line(risk(0.1, None), shares, words) == waits
    assert safe in why_line(risk(0.0, "river"), (), words)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_risky_discard_names_its_waits(lang: Language) -> None:
    game, analyzer = demo_game(), Analyzer(parts=("deal_in", "waits"))
    report = TextReport(words_of(lang))
    risky = 0
    for index in range(4):
        for decision in review_hands(game, [index], Seat(1), analyzer)[0].discards:
            if decision.forced or decision.action != "discard":
                continue
            lines = list(report.decision(decision))
            silent = replace(decision, analysis=replace(decision.analysis, waits=None))
            result = len(lines) - len(list(report.decision(silent)))
            named = [r for r in decision.chosen.by_opponent if r.probability >= WORTH_NAMING]
            assert result >= len(named)
            assert bool(result) == bool(named)
            assert all(line_width(line) <= WIDTH for line in lines)
            for one in named:
                text = [
                    plain(line) for line in lines if f"{percent(one.probability)}:" in plain(line)
                ]
                assert text
                assert "%" in text[-1].partition(":")[2]
                risky += 1
    assert risky
