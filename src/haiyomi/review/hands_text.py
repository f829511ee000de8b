"""What the opponents may hold, as lines of text or as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.game.position import Position
from haiyomi.review.columns import Line, Span, clean, right
from haiyomi.tiles import format_counts, format_tiles

if TYPE_CHECKING:
    from haiyomi.reading.answer import HandReading


@dataclass(frozen=True, slots=True, eq=False)
class TrueHand:
    """What an opponent truly held: (34,) counts, and their shanten."""

    held: NDArray[np.uint8]
    shanten: int


Truth = Mapping[int, TrueHand]
"""By relative seat."""
Json = dict[str, object]
HEAT: Final = " .:-=+*#%@"
"""Marks of a probability in tenths, for where there is no colour."""
HEAT_STEPS: Final = (0.15, 0.3, 0.45, 0.6)
SUITS: Final = (("m", range(9)), ("p", range(9, 18)), ("s", range(18, 27)), ("z", range(27, 34)))
WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "legend": "Heat: the chance in percent that the player holds at least one of the kind; "
        "z: East South West North White Green Red.",
        "more": "Best hand: the one that should share the most tiles with the true one. Samples "
        "are whole hands at random by their probability.",
        "crf": "Model {m}: the CRF of Nemoto, Komiya and Kotani, its marginals as published. "
        "Samples are hands by the paper's roulette.",
        "winds": "East South West North",
        "riichi": "riichi", "melds": "melds", "closed": "closed", "tiles": "{n} concealed tiles",
        "best": "best hand", "expected": "should share {p:.0%}", "sample": "sample",
        "likeliest": "likeliest", "truth": "truth", "shared": "best hand shared {n} of {c}",
        "shanten": "shanten {n}", "tenpai": "tenpai", "given": "samples given tenpai",
        "none": "no sample found",
    },
    "ja": {
        "legend": "数字はその牌を1枚以上持つ確率(%)。zは東南西北白發中。",
        "more": "推定手牌は実際と最も多く一致する見込みの手牌。例は確率に従って引いたもの。",
        "crf": "モデル{m}: 根本・古宮・小谷のCRFの周辺確率。例は論文のルーレット選択による手牌。",
        "winds": "東 南 西 北",
        "riichi": "立直", "melds": "副露", "closed": "門前", "tiles": "手牌{n}枚",
        "best": "推定手牌", "expected": "一致の見込み{p:.0%}", "sample": "例",
        "likeliest": "最尤", "truth": "実際", "shared": "推定は{c}枚中{n}枚一致",
        "shanten": "{n}向聴", "tenpai": "聴牌", "given": "例は聴牌を条件とする",
        "none": "例なし",
    },
}  # fmt: skip


def hands_lines(
    position: Position,
    readings: Sequence[HandReading],
    names: Sequence[str] = ("", "", "", ""),
    lang: str = "en",
    truth: Truth | None = None,
) -> Iterator[Line]:
    """A legend and, for each opponent, heat rows, the best hand, samples; the truth if given."""
    w = WORDS[lang]
    yield ((w["legend"], "dim"),)
    yield ((w["more"], "dim"),)
    if readings and readings[0].model.startswith("nemoto"):
        yield ((w["crf"].format(m=readings[0].model), "dim"),)
    for reading in readings:
        yield ()
        yield from _opponent(position, reading, names, w, None if truth is None else truth)


def _opponent(
    position: Position,
    reading: HandReading,
    names: Sequence[str],
    w: dict[str, str],
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
    yield ((f"{wind} {name}".strip(), "title"), ("  " + ", ".join(what), "dim"))
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
    counts: NDArray[np.uint8],
    n: int,
    w: dict[str, str],
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
    names: Sequence[str] = ("", "", "", ""),
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


def _json(counts: NDArray[np.uint8], shanten: int) -> Json:
    return {"tiles": format_counts(counts.tolist()), "shanten": shanten}
