"""Games at the package's own table from a seed, of rule-based players, imitators and bots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from haiyomi.errors import ArgumentError, RulesError
from haiyomi.events import Game
from haiyomi.play.match import play_game
from haiyomi.play.mjai_seat import AtTable
from haiyomi.play.player import Player
from haiyomi.play.rule_games import NAMES
from haiyomi.play.rule_player import RulePlayer
from haiyomi.play.rule_style import RULE_STYLES
from haiyomi.rules import TENHOU, Ruleset, rules_of
from haiyomi.seeds import MOST_OF_CORE, check_core_seed, check_seed, generator
from haiyomi.styles.bot import Bot
from haiyomi.styles.imitator import Imitator
from haiyomi.styles.policy import POOLED, Policy, shipped_policy
from haiyomi.styles.self_play import games_of_policy
from haiyomi.tiles import Seat

PREFIX: Final = "policy:"
"""The prefix of a player's name that means the policy's style, not a rule-based player's."""
PlayerName: TypeAlias = str | Bot
"""A name (``balanced``, ``policy:pooled``, ...) or a bot."""


def simulate(
    seed: int = 0,
    number: int = 0,
    players: PlayerName | Sequence[PlayerName] = "balanced",
    *,
    rules: Ruleset | str = TENHOU,
    temperature: float = 1.0,
    policy: Policy | None = None,
) -> Game:
    """The ``number``-th game of a seed, played to its end at the package's own table.

    ``players``: one name for all four seats, four names with commas between, or a list of four
    names and bots by absolute seat. A name is a rule-based style
    (``haiyomi.play.rule_style.RULE_STYLES``) or ``policy:`` and a style of the imitation, which
    plays at ``temperature`` (0 always takes the likeliest choice, 1 draws from its probabilities).
    ``rules``: a ``Ruleset``, or "tenhou", "tenhou-east", "mahjong-soul" or "mahjong-soul-east". The
    same arguments give the same game.
    Raises RulesError for an unknown name, what is neither name nor bot, another number of players,
    or a bot at two seats, and ArgumentError for a seed below 0, a number that is not 0 to
    2**64 - 1, or a temperature outside 0 to 2.
    """
    check_core_seed(number, "number")
    (game,) = simulate_many(
        seed, [number], players, rules=rules, temperature=temperature, policy=policy
    )
    return game


def simulate_many(
    seed: int,
    numbers: Iterable[int],
    players: PlayerName | Sequence[PlayerName] = "balanced",
    *,
    rules: Ruleset | str = TENHOU,
    temperature: float = 1.0,
    policy: Policy | None = None,
) -> Iterator[Game]:
    """The games of a seed with these numbers, in order; arguments and games as of ``simulate``.

    Where the imitation has all four seats, the open decisions of many games are one batch. Raises
    RulesError and ArgumentError before the first game.
    """
    check_seed(seed)
    if not 0 <= temperature <= 2:
        raise ArgumentError(f"temperature is {temperature}: expected 0 to 2")
    rules = rules_of(rules)
    four = four_players(players, policy)
    names = _display_names(four)
    styles = [p.removeprefix(PREFIX) for p in four if isinstance(p, str) and p.startswith(PREFIX)]
    if len(styles) == len(four) and seed <= MOST_OF_CORE:
        used = shipped_policy() if policy is None else policy
        vectors = [used.style(style) for style in styles]
        yield from games_of_policy(seed, numbers, used, vectors, temperature, rules, names)
        return
    for number in numbers:
        seated = [
            _seated(player, Seat(s), seed, number, rules, temperature, policy)
            for s, player in enumerate(four)
        ]
        yield play_game(seated, seed, number, rules=rules, names=names)


def _seated(
    player: PlayerName,
    seat: Seat,
    seed: int,
    number: int,
    rules: Ruleset,
    temperature: float,
    policy: Policy | None,
) -> Player:
    """One of four players at a table, with the random generator of its game and seat."""
    if isinstance(player, Bot):
        return AtTable(player, seat, rules)
    if player in RULE_STYLES:
        return RulePlayer(
            seat, generator(seed, "game", number, "player", seat), RULE_STYLES[player]
        )
    rng = generator(seed, "imitated", number, seat)
    used = shipped_policy() if policy is None else policy
    style = used.style(player.removeprefix(PREFIX))
    return Imitator(seat, used, rng, style, temperature, rules)


def four_players(
    players: PlayerName | Sequence[PlayerName], policy: Policy | None = None
) -> tuple[PlayerName, ...]:
    """The four players of ``simulate`` by seat, their names checked. Raises RulesError."""
    four: Sequence[PlayerName] = [players] if isinstance(players, Bot) else players
    if isinstance(players, str):
        four = [part.strip() for part in players.split(",")]
        four = four * 4 if len(four) == 1 else four
    if len(four) != 4:
        raise RulesError(f"{len(four)} players: give one name, or one for each of the four seats")
    bots = [id(player) for player in four if isinstance(player, Bot)]
    if len(set(bots)) < len(bots):
        raise RulesError("a bot sits at two seats: make one bot for each")
    for player in four:
        if isinstance(player, str):
            _check_name(player, policy)
        elif not isinstance(player, Bot):
            raise RulesError(f"a player is {str(player)[:60]}: expected a name, or a Bot")
    return tuple(four)


def _check_name(player: str, policy: Policy | None) -> None:
    if not player.startswith(PREFIX):
        if player not in RULE_STYLES:
            raise RulesError(
                f"no style {player!r}: there are {', '.join(RULE_STYLES)}, and {PREFIX}NAME for "
                "the imitation's"
            )
        return
    known = (POOLED, *(shipped_policy() if policy is None else policy).styles)
    style = player.removeprefix(PREFIX)
    if style not in known:
        raise RulesError(f"no style {style!r} in the policy: there are {', '.join(known)}")


def _display_names(four: Sequence[PlayerName]) -> tuple[str, str, str, str]:
    """The names of four players; the seat distinguishes two of the same name."""
    names = [_display_name(player, seat) for seat, player in enumerate(four)]
    a, b, c, d = (
        f"{name} {seat + 1}" if names.count(name) > 1 else name for seat, name in enumerate(names)
    )
    return a, b, c, d


def _display_name(player: PlayerName, seat: int) -> str:
    if isinstance(player, Bot):
        return player.name
    if player.startswith(PREFIX):
        return f"haiyomi {player.removeprefix(PREFIX)}"
    return NAMES[seat]
