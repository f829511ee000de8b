"""Actions that a host proposes become options of the seat's decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from haiyomi.apps.engine.rpc import refused
from haiyomi.errors import HaiyomiError
from haiyomi.json_types import Json
from haiyomi.outcomes.option import Act, Option
from haiyomi.play.decision import Decision
from haiyomi.tiles import TILES, Seat, Tile

_CALLS: Final[dict[str, tuple[Act, int]]] = {
    "chi": ("chi", 2), "pon": ("pon", 2), "daiminkan": ("daiminkan", 3),
}  # fmt: skip
REACH: Final = "reach"
_WINS: Final = (Option("tsumo"), Option("ron"))
MOST: Final = 400
"""Candidates of a request; a hand of 14 tiles has far fewer actions."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposed action. ``option``: what it carries out; REACH of riichi without its discard.
    ``tsumogiri``: of a discard, whether the tile just drawn goes."""

    id: str
    option: Option | Literal["reach"]
    tsumogiri: bool | None = None


def read_candidates(parameters: Json, seat: Seat) -> list[Candidate]:
    """The candidates of a request, in order. Raises RpcError with INVALID_CANDIDATES."""
    given = parameters.get("candidates")
    if not isinstance(given, list) or not 1 <= len(given) <= MOST:
        raise _bad(f"candidates is not an array of 1 to {MOST}")
    found: dict[str, Candidate] = {}
    for number, each in enumerate(given, 1):
        if not isinstance(each, dict):
            raise _bad(f"candidate {number} is not an object")
        name, action = each.get("candidateId"), each.get("action")
        if not isinstance(name, str) or not name or name in found:
            raise _bad(f"candidate {number} has no candidateId of its own")
        if not isinstance(action, dict) or action.get("actor") != seat:
            raise _bad(f"candidate {number} is no action of seat {seat}")
        try:
            found[name] = _candidate(name, action)
        except (HaiyomiError, KeyError, TypeError, ValueError) as error:
            raise _bad(f"candidate {number}: {error}") from None
    return list(found.values())


def _bad(message: str) -> HaiyomiError:
    return refused("INVALID_CANDIDATES", message)


def _candidate(name: str, action: Json) -> Candidate:
    """Raises HaiyomiError, KeyError, ValueError."""
    kind = action.get("type")
    # After riichi, a kan is declined by the discard of the drawn tile.
    forced = kind == "none" and "pai" in action
    if kind == "dahai" or forced:
        # Hosts leave the flag out where it is false.
        drawn = action.get("tsumogiri", False)
        if not isinstance(drawn, bool):
            raise ValueError("tsumogiri is neither true nor false")
        return Candidate(name, Option("discard", (_tile(action["pai"]),)), drawn)
    if kind == REACH:
        return Candidate(name, REACH)
    return Candidate(name, _option(kind, action))


def _option(kind: object, action: Json) -> Option:
    if kind == "none":
        return Option("pass")
    if kind == "hora":
        return Option("ron" if action.get("target") not in (None, action["actor"]) else "tsumo")
    if kind == "ryukyoku":
        return Option("nine terminals")
    if kind == "kakan":
        return Option("kakan", (_tile(action["pai"]),))
    if kind == "ankan":
        tiles = _tiles(action, 4)
        if len({tile.kind for tile in tiles}) != 1:
            raise ValueError("the tiles of an ankan are alike")
        return Option("ankan", (TILES[tiles[0].kind],))
    if isinstance(kind, str) and kind in _CALLS:
        act, number = _CALLS[kind]
        return Option(act, tuple(_tiles(action, number)))
    raise ValueError(f"no action of type {str(kind)[:40]!r}")


def _tiles(action: Json, number: int) -> list[Tile]:
    consumed = action["consumed"]
    if not isinstance(consumed, list) or len(consumed) != number:
        raise ValueError(f"consumed is not an array of {number} tiles")
    return [_tile(each) for each in consumed]


def _tile(value: object) -> Tile:
    if not isinstance(value, str):
        raise ValueError("a tile is a text")
    return Tile.from_mjai(value)


def matching(candidate: Candidate, options: Sequence[Option]) -> list[Option]:
    """The options that a candidate may carry out: one, or of riichi one for each discard."""
    if candidate.option == REACH:
        return [option for option in options if option.act == "riichi"]
    assert isinstance(candidate.option, Option)
    if candidate.option in _WINS:
        # A decision has one of the two, whatever the host says of the target.
        return [option for option in options if option in _WINS]
    wanted = candidate.option
    if wanted.act == "discard" and all(option.act == "riichi" for option in options):
        wanted = Option("riichi", wanted.tiles)  # riichi has been declared
    return [option for option in options if option == wanted]


def is_other_copy(candidate: Candidate, decision: Decision) -> bool:
    """Whether it discards a copy from the hand of the tile just drawn: of the two, an option
    discards the drawn one."""
    position = decision.position
    return (
        candidate.tsumogiri is False
        and isinstance(candidate.option, Option)
        and candidate.option.tiles == (position.drawn,)
    )
