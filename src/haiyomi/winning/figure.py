"""The graph of hand changes of a small hand as an SVG picture, the paper's figure 1.

Hands that draw and hands that discard stand in turn, the fewer exchanges from the root the
further left. Black: useful draws (solid) and the discards that keep the shanten (dashed). Red:
draws that leave the shanten as it is, *tegawari* (solid), and discards that raise it (dashed);
they are drawn between the hands that the black edges reach.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np

from haiyomi.errors import HaiyomiError
from haiyomi.kernels.shanten import shanten
from haiyomi.tiles import N_KINDS, Kind, Tile, format_tiles, kind_counts, kind_name
from haiyomi.winning.question import WinQuestion

MOST_HANDS = 64
COLUMN, ROW, MARGIN = 250, 30, 30
Hand = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """An edge: from one hand to another by drawing or discarding a kind.

    ``useful``: a draw that lowers the shanten, a discard that keeps it.
    """

    before: Hand
    after: Hand
    kind: Kind
    draw: bool
    useful: bool


def hand_changes(question: WinQuestion) -> tuple[list[list[Hand]], list[Change]]:
    """The hands by their number of steps from the root, and all edges between them.

    Raises HaiyomiError for more than 64 hands.
    """
    root = tuple(kind_counts(question.hand))
    seen = kind_counts([*question.seen, *question.indicators])
    for meld in question.melds:
        for tile in meld.tiles:
            seen[tile.kind] += 1
    distance = {root: _shanten([root])[0]}
    layers = [[root]]
    while layers[-1]:
        layer: list[Hand] = []
        for hand in layers[-1]:
            if distance[hand] < 0:
                continue
            draws = sum(hand) % 3 == 1
            near = [after for _, after in _neighbours(hand, seen, draws) if after not in distance]
            for after, left in zip(near, _shanten(near), strict=True):
                if left == distance[hand] - draws:
                    distance[after] = left
                    layer.append(after)
            if len(distance) > MOST_HANDS:
                raise HaiyomiError(
                    f"{format_tiles(question.hand)}: more than {MOST_HANDS} hands in the graph of "
                    "hand changes, too many to draw"
                )
        layers.append(layer)
    changes = []
    for hand, needed in distance.items():
        draws = sum(hand) % 3 == 1
        for kind, after in _neighbours(hand, seen, draws):
            if after in distance:
                useful = distance[after] == needed - draws
                changes.append(Change(hand, after, kind, draws, useful))
    return layers[:-1], changes


def _neighbours(hand: Hand, seen: list[int], draws: bool) -> list[tuple[Kind, Hand]]:
    out = []
    for kind in range(N_KINDS):
        possible = hand[kind] + seen[kind] < 4 if draws else hand[kind] > 0
        if possible:
            after = list(hand)
            after[kind] += 1 if draws else -1
            out.append((Kind(kind), tuple(after)))
    return out


def _shanten(hands: list[Hand]) -> list[int]:
    if not hands:
        return []
    found: list[int] = shanten(np.array(hands, dtype=np.uint8)).tolist()
    return found


def graph_figure(question: WinQuestion) -> str:
    """An SVG text. Raises HaiyomiError for more than 64 hands."""
    layers, changes = hand_changes(question)
    tallest = max(len(layer) for layer in layers)
    height = 2 * MARGIN + ROW * max(tallest, 3) + 60
    width = 2 * MARGIN + COLUMN * (len(layers) - 1) + 190
    place: dict[Hand, tuple[float, float]] = {}
    for i, layer in enumerate(layers):
        for j, hand in enumerate(layer):
            y = MARGIN + 50 + ROW * (j + (max(tallest, 3) - len(layer)) / 2)
            place[hand] = (MARGIN + COLUMN * i, y)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        *_legend(),
    ]
    for change in changes:
        # What was just drawn may always be thrown again: that edge would hide the other.
        (x1, y1), (x2, y2) = place[change.before], place[change.after]
        forward = x2 > x1
        bend = 0 if forward else 14
        start, end = (x1 + 150, x2) if forward else (x1, x2 + 150)
        colour = "#222" if change.useful else "#c22"
        dash = "" if change.draw else ' stroke-dasharray="5 3"'
        middle = (start + end) / 2
        out.append(
            f'<path d="M{start:.0f},{y1 + bend / 3:.1f} Q{middle:.0f},{(y1 + y2) / 2 + bend:.1f} '
            f'{end:.0f},{y2 + bend / 3:.1f}" fill="none" stroke="{colour}"{dash} '
            f'stroke-width="{1.3 if change.useful else 0.9}">'
            f"<title>{'draw' if change.draw else 'discard'} {kind_name(change.kind)}</title></path>"
        )
        if change.useful:
            x, y = start + (end - start) * 0.72, y1 + (y2 - y1) * 0.72
            out.append(f'<text x="{x:.0f}" y="{y - 2:.1f}">{kind_name(change.kind)}</text>')
    for hand, (x, y) in place.items():
        discards = sum(hand) % 3 == 2
        out.append(
            f'<rect x="{x}" y="{y - 9}" width="150" height="18" rx="4" '
            f'fill="{"#eef4fb" if discards else "#fbf6e6"}" stroke="#888"/>'
            f'<text x="{x + 75}" y="{y + 4}" text-anchor="middle">{escape(_name(hand))}</text>'
        )
    return "\n".join([*out, "</svg>", ""])


def _legend() -> list[str]:
    legend = (
        ("useful draw", "#222", ""),
        ("discard that keeps the shanten", "#222", ' stroke-dasharray="5 3"'),
        ("tegawari", "#c22", ""),
        ("discard that raises the shanten", "#c22", ' stroke-dasharray="5 3"'),
    )
    out = []
    for i, (text, colour, dash) in enumerate(legend):
        x, y = MARGIN + 220 * (i % 2), 20 + 18 * (i // 2)
        out.append(
            f'<line x1="{x}" y1="{y}" x2="{x + 30}" y2="{y}" stroke="{colour}"{dash}/>'
            f'<text x="{x + 36}" y="{y + 4}">{text}</text>'
        )
    return out


def _name(hand: Hand) -> str:
    return format_tiles([Tile(Kind(k)) for k, n in enumerate(hand) for _ in range(n)])
