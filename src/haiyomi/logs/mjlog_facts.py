"""What the tags of mjlog state although the replay gives it, too."""

from __future__ import annotations

from haiyomi.events import AbortiveDraw, Event, Kakan, RiichiAccepted, Win
from haiyomi.logs.meld_codes import MeldCode, decode
from haiyomi.logs.mjlog_tags import changes, four_hundreds, number, numbers, tile_ids
from haiyomi.logs.stated import Facts, StatedMeld, StatedWorth
from haiyomi.tiles import Seat


def tag_facts(event: Event, a: dict[str, str]) -> Facts | None:
    """The facts of the tag of an event, None if it has none. Raises ValueError, TileError."""
    if isinstance(event, Kakan):
        return Facts(meld=_meld(event.seat, number(a["m"])))
    if isinstance(event, RiichiAccepted):
        return Facts(after=four_hundreds(a["ten"])) if "ten" in a else None
    facts = Facts()
    if "sc" in a:
        facts.before = four_hundreds(",".join(a["sc"].split(",")[::2]))
    if "ba" in a:
        facts.honba, facts.sticks = numbers(a["ba"], 2)
    if isinstance(event, Win):
        _win(facts, event.seat, a)
    else:
        facts.hands = {Seat(s): tuple(tile_ids(a[f"hai{s}"])) for s in range(4) if f"hai{s}" in a}
        if isinstance(event, AbortiveDraw):
            facts.paid = changes(a["sc"]) if "sc" in a else None
    return facts


def _win(facts: Facts, seat: Seat, a: dict[str, str]) -> None:
    if "hai" in a:
        facts.hands = {seat: tuple(tile_ids(a["hai"]))}
        codes = numbers(a["m"]) if a.get("m") else []
        facts.melds = tuple(_meld(seat, code) for code in codes)
    if a.get("doraHai"):
        facts.indicators = tuple(tile_ids(a["doraHai"]))
    if a.get("ten"):
        facts.worth = StatedWorth(limit=numbers(a["ten"], 3)[2])
    if a.get("yaku") and a.get("yakuman"):
        facts.problem = "both yaku and yakuman are stated"


def _meld(seat: Seat, code: int) -> StatedMeld:
    """The set of a meld code; a concealed kan's code names any of its tiles."""
    meld = decode(code)
    tiles = tuple(sorted((meld.tile, *meld.rest)))
    if meld.shape == "ankan":
        return StatedMeld(tiles, -1)
    called = _called_of_pon(meld, code) if meld.shape == "kakan" else meld.tile
    return StatedMeld(tiles, called, Seat((seat + meld.giver) % 4))


def _called_of_pon(meld: MeldCode, code: int) -> int:
    return sorted(meld.rest)[(code >> 9) % 3]
