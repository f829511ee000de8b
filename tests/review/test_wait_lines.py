"""The waits behind a discard's risk, named in the text of a review."""

from __future__ import annotations

import pytest

from haiyomi.dealin.explain import WaitShare, Why
from haiyomi.dealin.posterior_model import shipped
from haiyomi.play.demo import demo_game
from haiyomi.review.columns import WIDTH, line_width, plain
from haiyomi.review.reviewer import review_hand
from haiyomi.review.text import TextReport, percent
from haiyomi.review.wait_lines import WORTH_NAMING, wait_name, waits_by, why_line
from haiyomi.review.words import LANGUAGES, Language
from haiyomi.tiles import Kind, Seat


def share(shape: str, wins: tuple[int, ...], held: tuple[int, ...]) -> WaitShare:
    return WaitShare(shape, tuple(map(Kind, wins)), tuple(map(Kind, held)), 0.5)


def test_a_wait_has_a_name() -> None:
    en, ja = LANGUAGES["en"], LANGUAGES["ja"]
    assert wait_name(share("two-sided", (12, 15), (13, 14)), en) == "4-7p two-sided"
    assert wait_name(share("shanpon", (3, 27), (3, 3)), en) == "E-shanpon"
    assert wait_name(share("edge or closed", (6,), (5, 7)), en) == "68m closed"
    assert wait_name(share("edge or closed", (2,), (0, 1)), en) == "12m edge"
    assert wait_name(share("single", (3,), (3,)), ja) == "単騎"


@pytest.mark.parametrize(
    ("lang", "waits", "safe"),
    [
        ("en", "50% 4-7p two-sided, 50% E-shanpon", "genbutsu"),
        ("ja", "50% 4-7p 両面, 50% 東-双碰", "現物"),
    ],
)
def test_a_risk_is_explained_in_both_languages(lang: Language, waits: str, safe: str) -> None:
    shares = share("two-sided", (12, 15), (13, 14)), share("shanpon", (12, 27), (12, 12))
    words = LANGUAGES[lang]
    assert why_line(Why(Seat(1), 0.5, 0.1, shares, None), words) == waits
    assert safe in why_line(Why(Seat(1), 0.5, 0.0, (), "river"), words)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_risky_discard_names_its_waits(lang: Language) -> None:
    game, model = demo_game(), shipped()
    report = TextReport(LANGUAGES[lang], waits=waits_by(model, LANGUAGES[lang]))
    silent = TextReport(LANGUAGES[lang])
    risky = 0
    for index in range(4):
        for decision in review_hand(game, index, Seat(1), model, {}).decisions:
            if decision.forced or decision.action != "discard":
                continue
            lines = list(report.decision(decision))
            told = len(lines) - len(list(silent.decision(decision)))
            named = [r for r in decision.chosen.risks if r.probability >= WORTH_NAMING]
            assert told >= len(named)
            assert bool(told) == bool(named)
            assert all(line_width(line) <= WIDTH for line in lines)
            for risk in named:
                text = [
                    plain(line) for line in lines if f"{percent(risk.probability)}:" in plain(line)
                ]
                assert text
                assert "%" in text[-1].partition(":")[2]
                risky += 1
    assert risky


def test_other_models_name_no_waits() -> None:
    from haiyomi.dealin.models import load_model

    assert waits_by(load_model("kurita-hoki"), LANGUAGES["en"]) is None
