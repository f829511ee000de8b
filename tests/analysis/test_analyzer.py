"""Analyzer: parts and details by name, no state between calls, a batch answers as one by one."""

from __future__ import annotations

import pickle
from copy import deepcopy
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

import pytest
from review.fake_model import fake_analyzer

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.analysis.hidden_hands import read_hands
from haiyomi.analysis.models import Models
from haiyomi.analysis.table_forecast import forecast
from haiyomi.analysis.value import PARTS, Analysis
from haiyomi.corpus.one import read
from haiyomi.dealin.answer import PointsRow, PointsRows
from haiyomi.dealin.network_model import NetworkModel
from haiyomi.errors import ArgumentError, HaiyomiError, ModelError
from haiyomi.events import Discard
from haiyomi.game.labelled import labelled
from haiyomi.game.position import Position
from haiyomi.game.position_fold import positions
from haiyomi.networks.opponents import SHIPPED
from haiyomi.play.decision import decisions
from haiyomi.play.demo import demo_game
from haiyomi.play.stated_decision import decision_at
from haiyomi.playouts.answer import play_on
from haiyomi.reading.counts import CountModel
from haiyomi.review.reviewer import review_game
from haiyomi.styles.bot import Bot
from haiyomi.tiles import TILES, Seat, Tile
from haiyomi.winning.table import win_table


@lru_cache
def some_positions(hands: tuple[int, ...] = (0, 1, 2)) -> list[Position]:
    game = demo_game()
    return [
        position
        for hand in hands
        for _, event, position in positions(game.hands[hand].events, Seat(1), game.header.rules)
        if isinstance(event, Discard)
    ]


def test_a_batch_gives_the_answers_of_single_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("haiyomi.analysis.analyzer.BLOCK", 24)
    monkeypatch.setattr("haiyomi.analysis.analyzer.PIECE", 16)
    some = some_positions()
    assert len(some) > 24
    analyzer = Analyzer()
    together = analyzer.analyze(some)
    for position, analysis in list(zip(some, together, strict=True))[::5]:
        (single,) = analyzer.analyze([position])
        assert single == analysis
        assert analysis.position is position


def test_an_answer_does_not_depend_on_earlier_calls() -> None:
    some = some_positions()[:6]
    analyzer = Analyzer()
    first = analyzer.analyze(some)
    analyzer.analyze(list(reversed(some_positions()[6:20])))
    assert first == analyzer.analyze(some)
    assert first == Analyzer().analyze(some)


@pytest.mark.parametrize("part", [part for part in PARTS if part != "outcomes"])
def test_a_part_has_the_same_value_by_itself_and_among_all(part: str) -> None:
    some = some_positions()[10:14]
    whole = Analyzer().analyze(some)
    only = Analyzer(parts=(part,)).analyze(some)  # type: ignore[arg-type]
    for a, b in zip(whole, only, strict=True):
        assert getattr(b, part) is not None
        computed = {name: getattr(a, name) for name in PARTS if getattr(b, name) is not None}
        assert Analysis(b.position, **computed) == b


def test_parts_bring_what_they_stand_on() -> None:
    (analysis,) = Analyzer(parts=("outcomes",)).analyze(some_positions()[:1])
    known = {part for part in PARTS if getattr(analysis, part) is not None}
    assert known == {"outcomes", "deal_in"}


def test_details_that_are_left_out_change_nothing_else() -> None:
    """Neither P(tenpai) nor points by own draws, nor waits, likeliest hands and hands in riichi."""
    some = some_positions((7,))[-6:]
    bare = Analyzer(details=()).analyze(some)
    forced = [len(position.discards) == 1 for position in some]
    assert set(forced) == {True, False}
    for whole, found, one in zip(Analyzer().analyze(some), bare, forced, strict=True):
        bare_wins = tuple(replace(o, tenpai=None, points=None) for o in whole.own_wins or ())
        assert found.own_wins == bare_wins
        every = () if one else whole.hidden_hands
        hands = tuple(replace(each, likeliest=None, likeliest_shanten=None) for each in every)
        assert replace(whole, own_wins=found.own_wins, waits=(), hidden_hands=hands) == found
        assert all(each.likeliest is None for each in found.hidden_hands or ())
        assert all(each.likeliest is not None for each in whole.hidden_hands or ())


def test_waits_begin_at_the_given_risk() -> None:
    some = some_positions()[-12:]
    least = 0.06
    few = Analyzer(parts=["waits"], waits_from=least).analyze(some)
    named = 0
    for whole, found in zip(Analyzer(parts=["waits"]).analyze(some), few, strict=True):
        kept = [w for w in whole.waits or () if whole.risks[w.tile].risk >= least]
        assert list(found.waits or ()) == kept
        named += len(whole.waits or ()) > len(kept) > 0
    assert named


def test_without_all_waits_only_the_discarded_tile_has_waits() -> None:
    some = some_positions()[-12:]
    wholes = Analyzer(parts=["waits"]).analyze(some)
    discarded = [whole.waits[-1].tile if whole.waits else None for whole in wholes]
    fewer = Analyzer(parts=["waits"], details=())
    for whole, found in zip(wholes, fewer.analyze(some, discarded), strict=True):
        assert found.waits == (whole.waits or ())[-1:]
    assert any(len(whole.waits or ()) > 1 for whole in wholes)
    with pytest.raises(ValueError, match="1 discarded tiles for 12 positions"):
        fewer.analyze(some, discarded[:1])


def test_a_part_that_was_not_computed_is_named() -> None:
    (analysis,) = fake_analyzer("deal_in").analyze(some_positions()[:1])
    with pytest.raises(LookupError, match="no own_wins"):
        analysis.own_win(Tile.parse("1m"))
    with pytest.raises(LookupError, match=r"^this analysis has no outcomes: ask Analyzer for that"):
        _ = analysis.options
    with pytest.raises(LookupError, match="no deal_in"):
        _ = Analysis(some_positions()[0]).risks
    with pytest.raises(ValueError, match="no part 'luck': the parts are deal_in"):
        Analyzer(parts=("luck",))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no detail 'luck': the details are own_tenpai"):
        Analyzer(details=("luck",))  # type: ignore[arg-type]


def test_what_an_answer_prints_is_short() -> None:
    position = Position.from_json(
        {"seat": "E", "indicators": "3p", "hand": "123m406p789s1122z", "drawn": "5p"}
    )
    (analysis,) = fake_analyzer("deal_in", "own_wins", "outcomes").analyze([position])
    shown = repr(analysis)
    assert shown.startswith("<Analysis for seat 0 in kyoku 0, hand 123m4506p789s1122z: deal_in ")
    assert ", own_wins " in shown
    assert "waits" not in shown
    assert len(shown) < 200
    shown = repr(analysis.deal_in)
    assert shown.startswith("<DealInRisks by fake: tenpai 0.")
    assert "; expected loss 1m " in shown
    assert len(shown) < 300
    rows = PointsRows([PointsRow(1, 30, 1000, 0.25), PointsRow(5, 30, 8000, 0.125)])
    assert repr(rows) == "<PointsRows: 2 outcomes, p 0.3750, expected loss 1250.0>"


def test_positions_of_other_rules_stand_in_one_batch() -> None:
    """Each is answered under its own rules, in their order."""
    value = {"seat": "E", "indicators": "3p", "hand": "123m406p789s1122z", "drawn": "5p"}
    plain = {**value, "hand": "123m456p789s1122z", "rules": {"red_fives": False}}
    mixed = [Position.from_json(value), Position.from_json(plain), Position.from_json(value)]
    analyzer = Analyzer(parts=("own_wins", "deal_in"))
    together = analyzer.analyze(mixed)
    assert [a.position for a in together] == mixed
    for position, analysis in zip(mixed, together, strict=True):
        assert analyzer.analyze([position])[0] == analysis
    one, other = (a.own_win(Tile.parse("1z")) for a in together[:2])
    assert one is not None
    assert other is not None
    assert one.points is not None
    assert other.points is not None
    # Without red fives the same hand is worth less.
    assert other.points < one.points


def test_the_waits_of_any_tile() -> None:
    position = some_positions()[-1]
    tile = next(t for t in map(Tile.parse, ("5p", "5s", "5m")) if t not in position.hand)
    for model in ("posterior", "kurita-hoki"):
        risks, waits = Analyzer(Models(model)).waits(position, tile)
        (choice,) = risks.choices
        assert choice.tile == waits.tile == tile
        for risk, shares in zip(choice.by_opponent, waits.by_opponent, strict=True):
            assert sum(w.share for w in shares) == pytest.approx(1.0 if shares else 0.0)
            assert not shares or risk.reason is None


def test_the_risks_of_every_kind_in_one_call() -> None:
    """Each as it is by itself, whether it is in the hand or not."""
    analyzer = Analyzer(parts=("deal_in",))
    position = some_positions()[-1]
    every = analyzer.risks(position)
    assert [choice.tile for choice in every.choices] == list(TILES[:34])
    (analysis,) = analyzer.analyze([position])
    for choice in analysis.risks.choices:
        if not choice.tile.red:
            assert every[choice.tile].by_opponent == choice.by_opponent
    for tile in (Tile.parse("1z"), Tile.parse("0p")):
        alone, _ = analyzer.waits(position, tile)
        assert analyzer.risks(position, [tile]) == alone
        assert alone.tenpai == every.tenpai
        assert tile.red or alone[tile] == every[tile]


def test_a_wrong_model_is_named_at_once() -> None:
    with pytest.raises(ModelError, match="no model 'nothing'"):
        Models("nothing")


def test_a_model_s_file_may_be_a_path() -> None:
    """A Path was taken for the model itself: it has no attribute 'read'."""
    models = Models(SHIPPED, SHIPPED)
    assert models.deal_in.name == Models(str(SHIPPED)).deal_in.name
    assert isinstance(models.hidden_hands, CountModel)
    assert isinstance(models.deal_in, NetworkModel)
    assert models.hidden_hands.network is models.deal_in.network
    with pytest.raises(ModelError, match=r"^no model file none\.safetensors$"):
        Models(Path("none.safetensors"))


def test_no_position_no_answer() -> None:
    assert Analyzer().analyze([]) == []


def test_a_wrong_payoff_is_named_at_once() -> None:
    """It was so only by the first question."""
    with pytest.raises(HaiyomiError, match="payoff '1/2/3': expected four numbers"):
        Analyzer(payoff="1/2/3")


def test_wrong_arguments_are_named() -> None:
    position = some_positions()[0]
    with pytest.raises(ArgumentError, match="no part 'foo'"):
        Analyzer(parts=["foo"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"^samples is 1\.5: expected a whole number$"):
        Analyzer(samples=1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^samples is -4: expected 0 or more$"):
        Analyzer(samples=-4)
    with pytest.raises(ValueError, match=r"^samples is 10001: expected at most 10,000$"):
        read_hands(position, samples=10_001)
    with pytest.raises(ValueError, match=r"^samples is -1: expected 0 or more$"):
        read_hands(position, samples=-1)
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match=rf"^seed is {seed}: expected 0 to 2\*\*64 - 1$"):
            read_hands(position, seed=seed)
        with pytest.raises(ValueError, match=rf"^seed is {seed}: expected 0 to 2\*\*64 - 1$"):
            Analyzer(seed=seed)
    with pytest.raises(ValueError, match=r"^parts is a collection of names, such as \['deal_in'\]"):
        Analyzer(parts="deal_in")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^analyze takes a list, such as \[position\], not a Pos"):
        Analyzer(parts=["deal_in"]).analyze(position)  # type: ignore[arg-type]
    for call, given in (
        (Analyzer().outcomes, [position]),
        (Bot(0).choose, position),
        (play_on, position),
    ):
        with pytest.raises(ArgumentError, match=r"^\w+ takes a Decision, not a Position$"):
            call(given)  # type: ignore[operator]
    with pytest.raises(ArgumentError, match=r"^outcomes takes a list, such as \[decision\], not a"):
        Analyzer().outcomes(position)  # type: ignore[arg-type]


def test_an_object_of_another_type_is_refused_by_name() -> None:
    """They raised AttributeError."""
    (position,) = some_positions()[:1]
    decision = decision_at(position)
    for call, given, wanted in (
        (Analyzer().risks, decision, "a Position, not a Decision"),
        (partial(Analyzer().waits, tile=Tile.parse("5p")), decision, "a Position, not a Decision"),
        (partial(Analyzer().waits, position), 5, "a Tile or a str, not an int"),
        (partial(Analyzer().risks, position), ["5p"], "a Tile, not a str"),
        (partial(Analyzer().risks, position), Tile.parse("5p"), "a str or an Iterable, not a Tile"),
        (lambda at: Analyzer(waits_from=at), "x", "a Real, not a str"),
        (read, bytearray(), "a str or a Path or a bytes, not a bytearray"),
        (
            lambda hand: forecast(hand, 0),
            demo_game().hands[0],
            "a Position or a Decision or a Sequence, not a Hand",
        ),
        (lambda n: review_game(demo_game(), 0, hands=n), 2, "an Iterable, not an int"),
        (read_hands, decision, "a Position, not a Decision"),
        (win_table, decision, "a WinQuestion or a Position, not a Decision"),
        (Analyzer().analyze, ["E1"], "a Position or a Decision, not a str"),
        (lambda game: next(decisions(game)), "a.mjlog", "a Game, not a str"),
        (lambda game: next(labelled(game)), "a.mjlog", "a Game, not a str"),
        (partial(review_game, seat=0), "a.mjlog", "a Game, not a str"),
        (Analyzer, "posterior", "a Models, not a str"),
        (lambda name: read_hands(position, models=name), "counts", "a Models, not a str"),
        (lambda name: play_on(decision, models=name), "counts", "a Models, not a str"),
        (lambda name: forecast(position, models=name), "counts", "a Models, not a str"),
        (lambda name: Models(policy=name), "policy.safetensors", "a Policy, not a str"),
        (lambda name: Bot(policy=name), "policy.safetensors", "a Policy, not a str"),
        (lambda n: Models(deal_in=n), 5, "a str or a Path or a DealInModel, not an int"),
        (lambda n: Models(hidden_hands=n), 5, "a str or a Path or a HandModel, not an int"),
        (lambda name: Models(later=name), "options", "a LaterModel, not a str"),
        (lambda payoff: Analyzer(payoff=payoff), None, "a str, not a NoneType"),
        (partial(review_game, demo_game(), 0), "posterior", "an Analyzer, not a str"),
    ):
        with pytest.raises(ArgumentError, match=rf" takes {wanted}$"):
            call(given)  # type: ignore[operator]


def test_a_generator_is_as_good_as_a_list() -> None:
    """It was read twice, and nothing was answered."""
    (position,) = some_positions()[:1]
    analyzer = Analyzer(parts=(part for part in ("deal_in",)))
    assert analyzer.parts == {"deal_in"}
    tiles = [Tile.parse("5p"), Tile.parse("6p")]
    assert analyzer.risks(position, iter(tiles)) == analyzer.risks(position, tiles)


def test_an_analyzer_and_a_bot_that_were_used_can_be_sent_to_another_process() -> None:
    """They could be pickled and copied before the first use alone."""
    position = some_positions()[10]
    analyzer, bot = Analyzer(), Bot(temperature=0)
    (answer,) = analyzer.analyze([position])
    decision = next(d for d in decisions(demo_game()) if d.offer is None and len(d.choices) > 1)
    choice = bot.choose(decision)
    for sent in (pickle.loads(pickle.dumps(analyzer)), deepcopy(analyzer)):
        assert sent.analyze([position])[0] == answer
    for sent in (pickle.loads(pickle.dumps(bot)), deepcopy(bot)):
        assert sent.choose(decision) == choice
