"""The final scores of mjai records that do not state them."""

from __future__ import annotations

import json
import pathlib
import random
from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from haiyomi.corpus import Corpus
from haiyomi.events import ExhaustiveDraw, Game, Hand
from haiyomi.game.table import check_game
from haiyomi.logs.check_stated import check_stated
from haiyomi.logs.final_scores import final_scores_of
from haiyomi.logs.load import parse, parse_all, write
from haiyomi.logs.stated import Stated
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.rules import TENHOU, TENHOU_EAST, Ruleset


def without_scores(game: Game) -> bytes:
    """The mjai record of a game whose ``end_game`` says no more than that."""
    *lines, last = write(game, "mjai").splitlines()
    assert json.loads(last) == {"type": "end_game", "scores": list(game.header.final or ())}
    return "\n".join([*lines, '{"type":"end_game"}']).encode()


@pytest.mark.parametrize("rules", [TENHOU, TENHOU_EAST], ids=["hanchan", "east"])
@pytest.mark.parametrize("seed", range(4))
def test_those_of_a_whole_game_are_worked_out(seed: int, rules: Ruleset) -> None:
    game = simulate_rule_players(seed, rules=rules)
    found = parse(without_scores(game))
    assert found == game
    check_game(found)
    for hands in range(1, len(game.hands)):
        assert final_scores_of(game.hands[:hands], rules) is None
        assert final_scores_of(game.hands[hands:], rules) is None


def test_a_game_that_its_rules_end_earlier_has_none() -> None:
    """An East-only game went on to the South: then nobody knows what ends it."""
    game = simulate_rule_players(2)
    assert len(game.hands) > 8
    assert final_scores_of(game.hands, TENHOU_EAST) is None


def test_a_draw_without_word_of_tenpai_ends_the_game_where_it_can() -> None:
    """Where nothing is paid, all may have been tenpai, or none: only then does the deal pass on."""
    drawn = 0
    for seed in range(20):
        game = simulate_rule_players(seed, rules=TENHOU_EAST)
        untold = [_untold(hand) for hand in game.hands]
        assert final_scores_of(untold, TENHOU_EAST) == game.header.final
        drawn += untold[-1] is not game.hands[-1]
    assert drawn > 0


def _untold(hand: Hand) -> Hand:
    """A hand that does not say who was tenpai."""
    *events, end = hand.events
    if not isinstance(end, ExhaustiveDraw):
        return hand
    return replace(hand, events=(*events, replace(end, tenpai=None)))


def test_a_record_without_end_game_has_none() -> None:
    game = simulate_rule_players(1)
    lines = write(game, "mjai").splitlines()
    assert parse("\n".join(lines[:-1]).encode()).header.final is None


def test_they_still_count_as_not_stated() -> None:
    game = simulate_rule_players(3)
    for data, times in ((write(game, "mjai").encode(), 0), (without_scores(game), 1)):
        stated: list[Stated] = []
        (found,) = parse_all(data, "record", stated)
        assert check_stated(found, stated[0])["final scores"] == times


def test_riichienv_s_own_are_the_same() -> None:
    riichienv = pytest.importorskip("riichienv")
    for seed in range(12):
        dice = random.Random(seed)
        env = riichienv.RiichiEnv(game_mode="4p-red-half", seed=seed)
        seen = env.reset()
        while not env.done():
            chosen = {}
            for seat, view in seen.items():
                legal = view.legal_actions()
                wins = [a for a in legal if json.loads(a.to_mjai())["type"] == "hora"]
                chosen[seat] = dice.choice(wins or legal)
            seen = env.step(chosen)
        lines = (m if isinstance(m, str) else json.dumps(m) for m in env.mjai_log)
        assert parse("\n".join(lines).encode()).header.final == tuple(env.scores())


@pytest.mark.corpus
def test_those_of_records_are_as_stated(corpus: pathlib.Path) -> None:
    """Tenhou's games of 2009 went on after some draws that end a game today."""
    found: Counter[str] = Counter()
    for _, game in islice(Corpus([corpus / "valid.zip"]), 300):
        worked_out = final_scores_of(game.hands, game.header.rules)
        found["none" if worked_out is None else "some"] += 1
        assert worked_out in (None, game.header.final)
    assert found["none"] <= 2
