"""The proofs of the positions beyond dispute: each recomputes why its case holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from haiyomi.evaluation.known_answers.suite import Case
from haiyomi.events import by_place, final_scores
from haiyomi.game.game_end import game_over
from haiyomi.game.position import Position
from haiyomi.kernels.replay import HandEnd
from haiyomi.kernels.scoring import MeldType, Score, score_one
from haiyomi.kernels.shanten import shanten
from haiyomi.kernels.waits import waits
from haiyomi.outcomes.option import Option
from haiyomi.tiles import Tile, dora_of, kind_counts

_MELDS = {
    "chi": MeldType.CHI,
    "pon": MeldType.PON,
    "daiminkan": MeldType.DAIMINKAN,
    "kakan": MeldType.KAKAN,
    "ankan": MeldType.ANKAN,
}
Call = tuple[str, tuple[Tile, ...]]
"""The kind of a meld made now, and its tiles."""


def counts_of(tiles: Sequence[Tile]) -> np.ndarray:
    return np.array([kind_counts(tiles)], np.uint8)


def without(tiles: Sequence[Tile], *gone: Tile) -> list[Tile]:
    left = list(tiles)
    for tile in gone:
        left.remove(tile)
    return left


_ORPHANS = [0, 8, 9, 17, 18, 26, *range(27, 34)]


def wait_kinds(concealed: Sequence[Tile]) -> list[int]:
    mask = int(waits(counts_of(concealed))[0])
    return [kind for kind in range(34) if mask >> kind & 1]


def steps(concealed: Sequence[Tile]) -> int:
    return int(shanten(counts_of(concealed))[0])


def scored(
    position: Position,
    concealed: Sequence[Tile],
    win: Tile,
    *,
    tsumo: bool,
    riichi: bool = False,
    calls: Sequence[Call] = (),
) -> Score:
    """The score of 3k+1 concealed tiles and the winning one, without ura and ippatsu."""
    melds = [(meld.kind, meld.tiles) for meld in position.players[0].melds] + list(calls)
    held = [*concealed, win, *(tile for _, tiles in melds for tile in tiles)]
    dora = [dora_of(tile.kind) for tile in position.indicators]
    return score_one(
        [*concealed, win],
        win,
        melds=[(_MELDS[kind], min(tiles, key=lambda t: t.kind)) for kind, tiles in melds],
        tsumo=tsumo,
        riichi=int(riichi),
        round_wind=position.round_wind,
        seat_wind=position.seat_wind(0),
        dora=sum(tile.kind == kind for tile in held for kind in dora),
        reds=sum(tile.red for tile in held),
        rules=position.rules,
    )


def safe_from(position: Position, tile: Tile, seats: Sequence[int]) -> bool:
    """Whether none of some relative seats can win on a tile: it is furiten on it, or the tile is an
    honour of which it holds no copy, and it lacks another kind of thirteen orphans."""
    gone = [kind for kind in _ORPHANS if position.unseen[kind] == 0]
    unheld = tile.kind >= 27 and tile.kind in gone and len(gone) > 1
    return unheld or all(position.players[s].furiten_mask >> tile.kind & 1 for s in seats)


def prove(case: Case) -> None:
    """Recompute a case's proof. Raises AssertionError where it fails."""
    _PROOFS[case.proof["by"]](case)


# -- one function a kind of proof -------------------------------------------------------------


def final(case: Case) -> None:
    """The win ends the game and the scores after it give the place."""
    position, offer = case.decision.position, case.decision.offer
    me, tsumo = position.seat, offer is None
    win = position.drawn if offer is None else offer.tile
    assert win is not None
    concealed = without(position.hand, win) if tsumo else list(position.hand)
    worth = scored(position, concealed, win, tsumo=tsumo)
    assert worth.has_yaku
    scores = [position.players[(s - me) % 4].score for s in range(4)]
    dealer = position.kyoku % 4
    if tsumo:
        for s in range(4):
            if s != me:
                paid = worth.tsumo_dealer if s == dealer else worth.tsumo_other
                scores[s] -= paid
                scores[me] += paid
    else:
        assert offer is not None
        scores[offer.seat] -= worth.ron
        scores[me] += worth.ron
    assert (position.honba, position.sticks) == (0, 0)
    a, b, c, d = scores
    holds = me == dealer
    end = HandEnd("win", holds, (a, b, c, d), 0, position.kyoku + (not holds), 0)
    assert game_over(end, position.rules)
    ((_, place),) = case.place
    assert by_place(final_scores(end.scores, 0))[place - 1] == me
    if place > 1:
        # The hand can still win: it waits, tiles are left, and so are draws.
        assert any(position.unseen[kind] for kind in wait_kinds(concealed))
        assert position.draws_left >= 7


def _threats(case: Case) -> list[int]:
    position = case.decision.position
    found = [r for r in (1, 2, 3) if position.players[r].riichi]
    winds = ["ESWN"[position.seat_wind(r) - 27] for r in found]
    assert sorted(winds) == sorted(case.proof["against"])
    return found


def genbutsu(case: Case) -> None:
    """The named discards, and no others, are safe from every riichi; the hand is far and cheap."""
    position = case.decision.position
    threats = _threats(case)
    safe = {str(t) for t in position.discards if safe_from(position, t, threats)}
    assert {str(o) for o in case.best} == {f"discard {t}" for t in safe}
    assert min(steps(without(position.hand, tile)) for tile in position.discards) >= 3
    assert sum(position.dora[tile.kind] + tile.red for tile in position.hand) == 0
    assert position.seat_wind(0) != 27 or position.draws_left < 36


def out_of_reach(case: Case) -> None:
    """As ``genbutsu``, in the last hand, last by more than any mangan gains on the next place."""
    genbutsu(case)
    position = case.decision.position
    scores = [player.score for player in position.players]
    assert position.kyoku == 4 * position.rules.rounds - 1
    third = sorted(scores)[1]
    assert scores[0] == min(scores)
    # A mangan ron on the third gains twice its points, and the deposits.
    assert third - scores[0] > 16000 + 1000 * position.sticks


def mangan(case: Case) -> None:
    """The discard leaves many winning tiles, each of mangan's worth by ron (with riichi)."""
    position, proof = case.decision.position, case.proof
    tile = Tile.parse(proof["discard"])
    left = without(position.hand, tile)
    live = 0
    for kind in wait_kinds(left):
        if position.unseen[kind]:
            live += position.unseen[kind]
            closed = not position.players[0].open_melds
            worth = scored(position, left, Tile(kind), tsumo=False, riichi=closed)
            assert worth.ron >= proof["least"]
    assert live >= proof["tiles"]
    assert sum(position.players[r].riichi for r in (1, 2, 3)) == 1
    assert 24 <= position.draws_left <= 45


def yakuless(case: Case) -> None:
    """Silent, no ron scores a yaku; with riichi each does. Early, level, and nobody threatens."""
    position, proof = case.decision.position, case.proof
    tile = Tile.parse(proof["discard"])
    left = without(position.hand, tile)
    kinds = wait_kinds(left)
    assert sum(position.unseen[kind] for kind in kinds) >= proof["tiles"]
    for kind in kinds:
        assert not scored(position, left, Tile(kind), tsumo=False).has_yaku
        assert scored(position, left, Tile(kind), tsumo=False, riichi=True).has_yaku
    assert not position.threat
    assert not position.players[0].river_mask & int(waits(counts_of(left))[0])
    assert position.draws_left >= 46
    assert len({player.score for player in position.players}) == 1


def furiten(case: Case) -> None:
    """The hand that the riichi fixes waits on a kind of the own river."""
    position = case.decision.position
    left = without(position.hand, Tile.parse(case.proof["discard"]))
    own = position.players[0]
    assert int(waits(counts_of(left))[0]) & own.river_mask


def rules(case: Case) -> None:
    """The offered tile completes the hand, with a yaku if it could be won on or not."""
    position, offer = case.decision.position, case.decision.offer
    assert offer is not None
    kinds = wait_kinds(position.hand)
    assert offer.tile.kind in kinds
    own = position.players[0]
    others = own.passed_mask & ~(1 << offer.tile.kind)
    mask = sum(1 << kind for kind in kinds)
    assert mask & (own.river_mask | others)


def no_draws(case: Case) -> None:
    """This is the last discard: no draw and no call follows it."""
    position = case.decision.position
    assert position.draws_left == 0
    assert position.to_act
    assert sum(len(player.river) for player in position.players) == 69


def _called(case: Case) -> tuple[Position, list[Tile], Call]:
    """The position, the concealed tiles after a call, and the meld."""
    position, offer = case.decision.position, case.decision.offer
    assert offer is not None
    option = Option.parse(case.proof["call"])
    left = without(position.hand, *option.tiles)
    return position, left, (option.act, (*option.tiles, offer.tile))


def no_yaku(case: Case) -> None:
    """After the call, no tenpai discard leaves a wait with a yaku, by ron or by own draw."""
    position, left, call = _called(case)
    tenpai = 0
    for tile in set(left):
        after = without(left, tile)
        for kind in wait_kinds(after):
            tenpai += 1
            for tsumo in (False, True):
                worth = scored(position, after, Tile(kind), tsumo=tsumo, calls=[call])
                assert not worth.has_yaku
    assert tenpai > 0
    assert steps(position.hand) <= 1
    assert position.draws_left >= 40


def cheap_proof(case: Case) -> None:
    """After the call a discard leaves two-sided tenpai of the stated worth on every wait."""
    position, left, call = _called(case)
    ready = []
    for tile in set(left):
        after = without(left, tile)
        kinds = wait_kinds(after)
        if kinds:
            worths = [
                scored(position, after, Tile(k), tsumo=False, calls=[call]).ron for k in kinds
            ]
            ready.append((sum(position.unseen[k] for k in kinds), min(worths)))
    live, worth = max(ready)
    assert live >= 6
    assert worth >= case.proof["least"]
    assert steps(position.hand) >= 1
    assert not any(player.riichi for player in position.players)


def wider(case: Case) -> None:
    """More winning tiles, each worth as much as the most of the narrower wait."""
    position, proof = case.decision.position, case.proof

    def look(name: str) -> tuple[int, list[int]]:
        left = without(position.hand, Tile.parse(proof[name]))
        kinds = wait_kinds(left)
        assert not position.players[0].river_mask & sum(1 << k for k in kinds)
        worths = [scored(position, left, Tile(k), tsumo=False, riichi=True).ron for k in kinds]
        return sum(position.unseen[k] for k in kinds), worths

    wide, worth = look("wide")
    narrow, less = look("narrow")
    assert wide >= narrow + 3
    assert min(worth) >= max(less)
    assert not position.threat


def red(case: Case) -> None:
    """The hands after the two discards are equal but for the red five."""
    position, proof = case.decision.position, case.proof
    plain, five = Tile.parse(proof["plain"]), Tile.parse(proof["red"])
    assert five.red
    assert plain.kind == five.kind
    kept = without(position.hand, plain)
    assert kind_counts(kept) == kind_counts(without(position.hand, five))
    assert five in kept


def step_back(case: Case) -> None:
    """The wind is no yaku and no dora and leaves the shanten; each broken run steps back."""
    position, proof = case.decision.position, case.proof
    wind = Tile.parse(proof["keep"])
    assert wind.kind not in (position.round_wind, position.seat_wind(0), 31, 32, 33)
    assert position.dora[wind.kind] == 0
    assert position.hand.count(wind) == 1
    best = min(steps(without(position.hand, tile)) for tile in position.discards)
    assert steps(without(position.hand, wind)) == best
    for name in proof["break"]:
        assert steps(without(position.hand, Tile.parse(name))) > best
    assert not position.threat
    assert len(position.players[0].river) < 5


def last_discard(case: Case) -> None:
    """Nobody can win on the tile, the hand stays tenpai, and no other discard does both."""
    no_draws(case)
    position = case.decision.position
    both = [
        tile
        for tile in position.discards
        if safe_from(position, tile, (1, 2, 3)) and wait_kinds(without(position.hand, tile))
    ]
    assert [str(tile) for tile in both] == [case.proof["discard"]]


_PROOFS: dict[str, Callable[[Case], None]] = {
    "final": final,
    "genbutsu": genbutsu,
    "out of reach": out_of_reach,
    "mangan": mangan,
    "yakuless": yakuless,
    "furiten": furiten,
    "rules": rules,
    "no draws": no_draws,
    "no yaku": no_yaku,
    "cheap proof": cheap_proof,
    "wider": wider,
    "red": red,
    "step back": step_back,
    "last discard": last_discard,
}
