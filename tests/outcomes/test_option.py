"""Options as text, and as the choices of play."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from haiyomi.corpus import Corpus
from haiyomi.errors import HaiyomiError
from haiyomi.events import Discard, Riichi
from haiyomi.kernels.waits import waits
from haiyomi.outcomes.option import Option, option_of, options_of
from haiyomi.play.decision import RecordedDecision, decisions
from haiyomi.tiles import kind_counts

TEXTS = [
    "discard 5p",
    "discard 0p",
    "riichi 5p",
    "tsumo",
    "ron",
    "pass",
    "pon 55z",
    "chi 46p",
    "chi 40s",
    "daiminkan 999s",
    "daiminkan 550m",
    "ankan 1p",
    "kakan 5z",
    "kakan 0m",
    "nine terminals",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_text_of_an_option_reads_back(text: str) -> None:
    option = Option.parse(text)
    assert str(option) == text
    assert eval(repr(option), {"Option": Option}) == option


def test_tiles_stand_in_ascending_order() -> None:
    assert str(Option.parse("chi 64p")) == "chi 46p"
    assert Option.parse("pon 05s") == Option.parse("pon 50s")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no option ''"),
        ("discards 5p", "no option 'discards 5p'"),
        ("discard", "discard names 1 tiles"),
        ("discard 5", "the digits 5 have no suit"),
        ("discard 8z", "no tile '8z'"),
        ("discard 55p", "discard names 1 tiles"),
        ("chi 19p", "in one run"),
        ("chi 12z", "in one run"),
        ("chi 8m1p", "in one run"),
        ("pon 56z", "alike"),
        ("daiminkan 99s", "names 3 tiles"),
        ("ankan 0p", "write 'ankan 5p'"),
        ("tsumo 5p", "no option 'tsumo 5p'"),
    ],
)
def test_a_text_that_names_no_option_is_refused(text: str, message: str) -> None:
    with pytest.raises(HaiyomiError, match=message):
        Option.parse(text)


def sample_decisions(root: Path) -> list[RecordedDecision]:
    return [d for _, game in Corpus(root / "tests" / "samples") for d in decisions(game)]


def test_every_choice_of_a_game_is_one_option(root: Path) -> None:
    found = sample_decisions(root)
    assert len(found) > 1000
    acts = set()
    for decision in found:
        options = options_of(decision)
        acts |= {option.act for option in options}
        first = {
            (type(path[0]), path[0] if not isinstance(path[0], Discard) else None)
            for path in options.values()
        }
        assert len({type(c) for c in decision.choices}) == len({kind for kind, _ in first})
        for option, path in options.items():
            assert option_of(decision, path) == option
            assert path[0] in decision.choices
        if decision.chosen is not None and not isinstance(decision.chosen, Riichi):
            assert option_of(decision, [decision.chosen]) in options
    assert {"discard", "riichi", "tsumo", "ron", "pass", "chi", "pon"} <= acts


def test_riichi_options_are_the_discards_that_the_rules_leave(root: Path) -> None:
    declared = 0
    found = sample_decisions(root)
    for decision, after in pairwise(found):
        options = {o for o in options_of(decision) if o.act == "riichi"}
        if not decision.of(Riichi):
            continue
        assert options
        for option in options:
            rest = list(decision.position.hand)
            rest.remove(option.tiles[0])
            assert waits(np.array([kind_counts(rest)], np.uint8))[0]
        if isinstance(decision.chosen, Riichi) and after.seat == decision.seat:
            # The next decision is the discard: the same options, by the choices of play.
            assert set(options_of(after)) == options
            declared += 1
    assert declared > 10
