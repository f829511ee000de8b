"""One player's costliest decisions over many records, as questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import blake2b
from typing import TYPE_CHECKING

from haiyomi.analysis.value import PAYOFF
from haiyomi.corpus import Corpus
from haiyomi.engines.shards import Engine
from haiyomi.errors import HaiyomiError, RecordError
from haiyomi.json_types import KnownJson
from haiyomi.review.html.data import CLEAR, POINT_STEPS, review_data
from haiyomi.storage.resume import Progress
from haiyomi.styles.answer import full_name
from haiyomi.tiles import Seat

if TYPE_CHECKING:
    from haiyomi.analysis.analyzer import Analyzer

RECORDS_A_PIECE = 4


@dataclass(frozen=True, slots=True)
class Card:
    """One question: ``id`` is the same for the same decision in any run, ``cost`` in points;
    ``data`` is what the page draws: the decision (``d``), its hand (``k``, ``h``), the players and
    the game."""

    id: str
    player: str
    cost: int
    data: KnownJson


def drill_cards(
    records: Sequence[str], player: str, most: int, engine: Engine, progress: Progress
) -> tuple[list[Card], list[RecordError]]:
    """The costliest mistakes of the player whose name is ``player``, else of the only one that
    contains it; and the records that could not be read. ``records``: paths as ``Corpus`` takes
    them. Raises HaiyomiError where no or more than one such player is found."""
    if not player:
        raise HaiyomiError("--player is empty: give a name or part of it")
    cards: dict[str, Card] = {}
    skipped: list[RecordError] = []
    names: dict[str, None] = {}
    corpus = Corpus(records, strict=False)
    work = partial(cards_of_piece, player=player)
    for piece in corpus.map_pieces(work, RECORDS_A_PIECE, engine, progress):
        for found in piece:
            if isinstance(found, RecordError):
                skipped.append(found)
            else:
                name, of_game = found
                names[name] = None
                cards |= {card.id: card for card in of_game}
    name = full_name(player, names, "these records", skipped)
    chosen = [card for card in cards.values() if card.player == name]
    chosen.sort(key=lambda card: (-card.cost, card.id))
    return chosen[:most], skipped


def cards_of_piece(piece: Corpus, player: str) -> list[tuple[str, list[Card]] | RecordError]:
    """(name, cards) of all who sit in each game, cards only of the player; or what is wrong with
    one."""
    from haiyomi.review.reviewer import review_game

    found: list[tuple[str, list[Card]] | RecordError] = []
    for entry, game in piece.games_and_errors():
        try:
            if isinstance(game, RecordError):
                raise game
            for seat, name in enumerate(game.header.names):
                cards: list[Card] = []
                if player.casefold() in name.casefold():
                    data = review_data(review_game(game, Seat(seat), _analyzer()))
                    cards = cards_of(entry.game_name or entry.name, name, data)
                found.append((name, cards))
        except RecordError as error:
            error.file = entry.name
            found.append(error)
    return found


def cards_of(game: str, player: str, data: KnownJson) -> list[Card]:
    """The mistakes of a review by its page's data."""
    cards = []
    for i, j in data["mistakes"]:
        hand = data["hands"][i]
        d = hand["d"][j]
        shown = {
            "k": hand["k"],
            "h": hand["h"],
            "names": data["names"],
            "seat": data["seat"],
            "game": game,
        }
        key = repr((player, hand["k"], hand["h"], d["e"], d["b"]))
        name = blake2b(key.encode("utf-8", "replace"), digest_size=8).hexdigest()
        cards.append(Card(name, player, d["v"][2], shown | {"id": name, "d": d}))
    return cards


def drill_data(cards: Sequence[Card], player: str, lang: str) -> KnownJson:
    """What the page of drills is drawn from."""
    return {
        "kind": "drill",
        "lang": lang,
        "player": player,
        "clear": CLEAR,
        "payoff": PAYOFF,
        "steps": list(POINT_STEPS),
        "seat": 0,
        "cards": [card.data for card in cards],
    }


@lru_cache(maxsize=1)
def _analyzer() -> Analyzer:
    from haiyomi.analysis.models import Models
    from haiyomi.apps.review_page import page_analyzer

    return page_analyzer(Models())
