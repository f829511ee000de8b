"""What stands at a decision beside its table, as lines of text: options, styles, rivers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from haiyomi.game.player_view import PlayerView, RiverTile
from haiyomi.review.columns import Line, chance, fit, percent, width, wrap
from haiyomi.review.decisions import ReviewedDecision
from haiyomi.review.discard_table import behind_for_the_place, share_text
from haiyomi.review.sentences import option_name
from haiyomi.review.verdicts import Verdict, doubted
from haiyomi.review.words import Words

if TYPE_CHECKING:
    from haiyomi.outcomes.answer import Outcome


def option_lines(
    decision: ReviewedDecision, listed: Sequence[Outcome], words: Words
) -> Iterator[Line]:
    """The expected points of each, how far it is behind for the place, P(win) and how many strong
    players choose it; the one that was taken in bold."""
    rare = doubted(decision.options)
    behind = behind_for_the_place(decision.analysis, decision.rate)
    names = [option_name(each.option, words, decision.claimed) for each in listed]
    room = max(map(width, names), default=0)
    for each, name in zip(listed, names, strict=True):
        text = f"{words.ev} {each.points:+z.0f}"
        if behind:
            text += f"  {words.place} {behind[each.option]:z.0f}"
        text += f"  {words.win} {chance(each.win)}"
        if each.share is not None:
            text += f"  {words.strong} {share_text(each, rare)}"
        style = "bold" if each.option == decision.done else ""
        yield (f"     {fit(name, room)}  ", style), (text, "")


def style_lines(
    decision: ReviewedDecision, verdict: Verdict | None, words: Words
) -> Iterator[Line]:
    """Of a mistake, and where a style differs from the pooled policy, which is left out."""
    styles, claimed = decision.analysis.styles or (), decision.claimed
    likeliest = [each.shares[0] for each in styles]
    flagged = verdict is not None and verdict.mistake
    if flagged or len({option for option, _ in likeliest}) > 1:
        items = [
            f"{words.style(each.style)}: {option_name(option, words, claimed)} {percent(share)}"
            for each, (option, share) in zip(styles[1:], likeliest[1:], strict=True)
        ]
        first = (("     " + words.by_style, "dim"),)
        yield from wrap([((text, "dim"),) for text in items], first)


def river_lines(
    player: PlayerView, name: str, melds: Sequence[str], words: Words
) -> Iterator[Line]:
    """The ``melds`` and the discards of a player in order: after an asterisk the one that declared
    riichi, in brackets one that was called."""
    items: list[Line] = [((meld, ""),) for meld in melds]
    if player.river:
        items.append(((" ".join(_thrown(each, words) for each in player.river), ""),))
    if items:
        yield from wrap(items, ((f"     {name} ", "dim"),))


def _thrown(thrown: RiverTile, words: Words) -> str:
    text = f"{'*' * thrown.riichi}{words.tile(thrown.tile)}"
    return text if thrown.called_by is None else f"({text})"
