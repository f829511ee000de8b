"""What the opponents may hold, as lines of text or as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from haiyomi.arrays import Bytes
from haiyomi.game.position import Position
from haiyomi.json_types import Json
from haiyomi.review.catalogue import flat
from haiyomi.review.columns import Line, Span, clean, right
from haiyomi.tiles import format_counts, format_tiles

if TYPE_CHECKING:
    from haiyomi.reading.answer import HandReading


@dataclass(frozen=True, slots=True, eq=False)
class TrueHand:
    """What an opponent truly held: (34,) counts, and their shanten."""

    held: Bytes
    shanten: int


Truth = Mapping[int, TrueHand]
"""By relative seat."""
HEAT: Final = " .:-=+*#%@"
"""Marks of a probability in tenths, for where there is no colour."""
HEAT_STEPS: Final = (0.15, 0.3, 0.45, 0.6)
SUITS: Final = (("m", range(9)), ("p", range(9, 18)), ("s", range(18, 27)), ("z", range(27, 34)))


def hands_lines(
    position: Position,
    readings: Sequence[HandReading],
    names: Sequence[str],
    lang: str,
    truth: Truth | None,
) -> Iterator[Line]:
    """A legend and, for each opponent, heat rows, the best hand, samples; the truth if given."""
    w = {**flat(lang, "hands"), "and": flat(lang, "text")["and_"]}
    yield ((w["legend"], "dim"),)
    yield ((w["more"], "dim"),)
    if readings and readings[0].published:
        yield ((w["crf"].format(m=readings[0].model), "dim"),)
    for reading in readings:
        yield ()
        yield from _opponent(position, reading, names, w, truth)


def _opponent(
    position: Position,
    reading: HandReading,
    names: Sequence[str],
    w: Mapping[str, str],
    truth: Truth | None,
) -> Iterator[Line]:
    player = position.players[reading.opponent]
    wind = w["winds"].split()[(reading.opponent - position.dealer) % 4]
    name = clean(names[position.absolute(reading.opponent)])
    what = [w["tiles"].format(n=reading.tiles)]
    if player.riichi:
        what.insert(0, w["riichi"])
    elif player.open_melds == 0:
        what.insert(0, w["closed"])
    if player.melds:
        melds = " ".join(format_tiles(m.tiles) for m in player.melds)
        what.append(f"{w['melds']} {melds}")
    yield ((f"{wind} {name}".strip(), "title"), ("  " + w["and"].join(what), "dim"))
    holds = reading.holds
    yield (("  " + "".join(right(str(n), 6) for n in range(1, 10)), "dim"),)
    for suit, kinds in SUITS:
        cells: list[Span] = [(f"  {suit} ", "dim")]
        for kind in kinds:
            p = float(holds[kind])
            cells.append((f"{HEAT[min(int(p * 10), 9)]}{right(f'{100 * p:.0f}', 3)} ", _heat(p)))
        yield tuple(cells)
    agreement = w["expected"].format(p=reading.agreement)
    yield _hand(w["best"], reading.best, reading.best_shanten, w, agreement)
    if reading.likeliest is not None and reading.likeliest_shanten is not None:
        yield _hand(w["likeliest"], reading.likeliest, reading.likeliest_shanten, w)
    if not len(reading.samples):
        yield ((f"  {w['none']}", "dim"),)
    sampled = zip(reading.samples, reading.shanten.tolist(), strict=True)
    for i, (hand, distance) in enumerate(sampled):
        given = w["given"] if reading.given and i == 0 else ""
        yield _hand(w["sample"], hand, distance, w, given)
    if truth is not None:
        true = truth[reading.opponent]
        text = w["shared"].format(n=_shared(true, reading), c=reading.tiles)
        yield _hand(w["truth"], true.held, true.shanten, w, text, "bold")


def _shared(true: TrueHand, reading: HandReading) -> int:
    """Tiles of the true hand that the best one has."""
    return int(np.minimum(true.held, reading.best).sum())


def _hand(
    label: str,
    counts: Bytes,
    n: int,
    w: Mapping[str, str],
    more: str = "",
    style: str = "",
) -> Line:
    far = w["tenpai"] if n == 0 else w["shanten"].format(n=n)
    text = f"  {far}" + (f", {more}" if more else "")
    return (
        ("  ", ""),
        (label + ": ", "dim"),
        (format_counts(counts.tolist()), style),
        (text, "dim"),
    )


def _heat(p: float) -> str:
    return f"risk{sum(p >= step for step in HEAT_STEPS)}"


def hands_json(
    position: Position,
    readings: Sequence[HandReading],
    names: Sequence[str],
    truth: Truth | None = None,
) -> list[Json]:
    """One object an opponent; seats are absolute."""
    out = []
    for reading in readings:
        seat = position.absolute(reading.opponent)
        player = position.players[reading.opponent]
        one: Json = {
            "seat": int(seat),
            "name": names[seat],
            "model": reading.model,
            "riichi": player.riichi,
            "melds": [{"kind": m.kind, "tiles": format_tiles(m.tiles)} for m in player.melds],
            "concealed": reading.tiles,
            "marginals": [[round(float(p), 9) for p in row] for row in reading.marginals],
            "best": _json(reading.best, reading.best_shanten)
            | {"expected_agreement": reading.agreement},
            "likeliest": None
            if reading.likeliest is None or reading.likeliest_shanten is None
            else _json(reading.likeliest, reading.likeliest_shanten),
            "samples_given": reading.given or None,
            "samples": [
                _json(hand, n)
                for hand, n in zip(reading.samples, reading.shanten.tolist(), strict=True)
            ],
        }
        if truth is not None:
            true = truth[reading.opponent]
            one["truth"] = _json(true.held, true.shanten) | {
                "agreement": _shared(true, reading) / reading.tiles
            }
        out.append(one)
    return out


def _json(counts: Bytes, shanten: int) -> Json:
    return {"tiles": format_counts(counts.tolist()), "shanten": shanten}
