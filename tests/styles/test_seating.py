"""Games at the package's own table by the names of their players, and with bots among them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from haiyomi.errors import ArgumentError, IllegalError, PositionError, RulesError
from haiyomi.events import Discard
from haiyomi.game.table import check_game
from haiyomi.play.decision import Decision, decisions
from haiyomi.play.player import Choice, Claim, Pass
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.play.rule_style import RULE_STYLES
from haiyomi.rules import MAHJONG_SOUL, TENHOU_EAST
from haiyomi.styles.bot import Bot
from haiyomi.styles.seating import PlayerName, four_players, simulate, simulate_many


class Tsumogiri(Bot):
    """Wins where it can, else discards what it drew or passes; keeps its decisions."""

    name = "tsumogiri"

    def __init__(self) -> None:
        super().__init__()
        self.decisions: list[Decision] = []

    def choose(self, decision: Decision) -> Choice:
        self.decisions.append(decision)
        wins = decision.of(Claim)
        drawn = [c for c in decision.of(Discard) if c.tsumogiri]
        return (*wins, *decision.of(Pass), *drawn, *decision.choices)[0]


def test_rule_based_names_give_the_games_of_the_rule_based_table() -> None:
    styles = [RULE_STYLES[name] for name in ("balanced", "caller", "bold", "timid")]
    expected = simulate_rule_players(5, 2, rules=TENHOU_EAST, styles=styles)
    assert simulate(5, 2, "balanced, caller,bold,timid", rules=TENHOU_EAST) == expected
    assert simulate(5, 2, ["balanced", "caller", "bold", "timid"], rules=TENHOU_EAST) == expected


def test_bots_play_among_others_and_are_asked_what_the_record_shows() -> None:
    bot = Tsumogiri()
    game = simulate(3, 0, ["balanced", bot, "policy:pooled", Tsumogiri()], rules=TENHOU_EAST)
    check_game(game)
    assert game.header.names == ("haiyomi-1", "tsumogiri 2", "haiyomi pooled", "tsumogiri 4")
    recorded = list(decisions(game, 1))
    assert [(d.position, d.choices, d.offer) for d in bot.decisions] == [
        (d.position, d.choices, d.offer) for d in recorded
    ]
    again = Tsumogiri()
    for decision in recorded:
        assert decision.chosen in (again.choose(decision), None)


def test_the_rules_of_the_table_are_the_bot_s() -> None:
    bot = Tsumogiri()
    rules = MAHJONG_SOUL.but(rounds=1)
    simulate(8, 0, [bot, "balanced", "balanced", "balanced"], rules=rules)
    assert {decision.position.rules for decision in bot.decisions} == {rules}


class Wild(Tsumogiri):
    """Discards what it does not hold."""

    def choose(self, decision: Decision) -> Choice:
        held = {str(tile) for tile in decision.position.hand}
        tile = next(t for t in ("1z", "2z", "3z", "4z", "5z", "6z", "7z", "1m") if t not in held)
        from haiyomi.tiles import Tile

        return Discard(decision.seat, Tile.parse(tile), False)


def test_a_choice_against_the_rules_is_refused_by_name() -> None:
    with pytest.raises(IllegalError, match=r"Wild\.choose gave what is none of its \d+ choices"):
        simulate(3, 0, [Wild(), "balanced", "balanced", "balanced"])


@pytest.mark.parametrize(
    ("players", "error"),
    [
        ("wild", "no style 'wild': there are balanced"),
        ("policy:wild", "no style 'wild' in the policy"),
        ("bold,bold", "2 players: give one name"),
        (["bold"] * 3, "3 players"),
        ([], "0 players"),
        ([Wild, "bold", "bold", "bold"], "expected a name, or a Bot"),
    ],
)
def test_players_that_there_are_not(players: str | Sequence[PlayerName], error: str) -> None:
    with pytest.raises(RulesError, match=error):
        simulate(1, 0, players)


def test_a_bot_has_one_seat() -> None:
    bot = Tsumogiri()
    with pytest.raises(RulesError, match="a bot sits at two seats"):
        simulate(1, 0, [bot, bot, "bold", "bold"])


def test_a_prefix_stands_for_its_own_name_alone() -> None:
    """A first ``policy:`` was one of all four names, so that no rule-based player could follow."""
    text = "closed,policy:open-riichi,policy:pooled,bold"
    assert four_players(text) == tuple(text.split(","))
    assert four_players("policy:pooled,closed,bold,timid")[1] == "closed"
    with pytest.raises(RulesError, match=r"no style 'open-riichi': there are .* policy:NAME"):
        four_players("policy:pooled,open-riichi,closed,bold")


@pytest.mark.parametrize("players", ["balanced", "policy:pooled"])
def test_a_seed_below_zero_is_named(players: str) -> None:
    with pytest.raises(ArgumentError, match=r"^seed is -1: expected 0 or more$"):
        simulate(-1, 0, players)
    for number in (-1, 2**64):
        with pytest.raises(
            ArgumentError, match=rf"^number is {number}: expected 0 to 2\*\*64 - 1$"
        ):
            simulate(1, number, players)


@pytest.mark.parametrize("temperature", [-1.0, 2.5, float("nan")])
def test_a_temperature_outside_its_range_is_named(temperature: float) -> None:
    """One below 0 played as 0 does, and of nan the core spoke; a Bot names both."""
    with pytest.raises(ArgumentError, match=rf"^temperature is {temperature}: expected 0 to 2$"):
        simulate(1, 0, "policy:pooled", temperature=temperature)


def test_a_bot_that_raises_position_error_passes_or_discards() -> None:
    class Shy(Bot):
        def choose(self, decision: Decision) -> Choice:
            raise PositionError("not now")

    bot = Shy(0)
    start = {
        "type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
        "dora_marker": "1m", "scores": [25000] * 4,
        "tehais": [["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "E", "E", "S", "W"]]
        + [["?"] * 13] * 3,
    }  # fmt: skip
    assert bot.react([{"type": "start_game", "id": 0}, start]) == {"type": "none"}
    answer = bot.react({"type": "tsumo", "actor": 0, "pai": "N"})
    assert answer["type"] == "dahai"
    assert bot.fallbacks == 1


@pytest.mark.parametrize(
    "players",
    [
        "policy:pooled",
        "policy:closed,policy:pooled,policy:closed,policy:pooled",
        "balanced,bold,caller,timid",
    ],
)
def test_games_of_a_batch_are_those_played_one_by_one(players: str) -> None:
    batch = list(simulate_many(5, range(2, 4), players, rules=TENHOU_EAST))
    assert batch == [simulate(5, n, players, rules=TENHOU_EAST) for n in range(2, 4)]


def test_a_seed_of_more_than_64_bits_gives_a_game_of_the_policy() -> None:
    game = simulate(2**70, 0, "policy:pooled", rules=TENHOU_EAST)
    assert game == simulate(2**70, 0, "policy:pooled", rules=TENHOU_EAST)
