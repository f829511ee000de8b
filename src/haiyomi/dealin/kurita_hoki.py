"""The complete model of Kurita and Hoki: deal-in probabilities and points of every tile.

An opponent in riichi is modelled by waits (5.3), one with open melds by hands (5.2), any other
by its tenpai probability times the riichi model (5.4). The output is floored at 1e-6 wherever
the rules do not forbid the ron, because the published model has zeros of its own.

Two variants by name, from one file. ``kurita-hoki-literal`` follows every equation literally.
``kurita-hoki`` keeps their form and corrects five points, measured in
``docs/reproduction/kurita-hoki.md``: hands that cannot win on any tile have zero weight in (13)
as in (10); a hand that waits on a tile let pass since its last change has a small weight; the
factors of (33) are fitted jointly instead of counted one by one; a closed hand without riichi,
which 5.4 treats as if it had declared, can win on fewer tiles, because it needs a yaku; and a
melded one can win on more than its weighted hands suggest, because players keep wide waits.
``dealin.variant`` names two readings that either may take: ``:base-han`` and ``:unit-shares``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from haiyomi.arrays import Floats
from haiyomi.dealin.answer import Waits, ZeroReason
from haiyomi.dealin.features import (
    meld_suits,
    melds_for_fit,
    passed_since_tedashi,
    tenpai_features,
)
from haiyomi.dealin.grid import SEATS, RonGrid, deal_in_by_grid
from haiyomi.dealin.melded import CONCEALED, circumstances, melded_ron
from haiyomi.dealin.possible import FLOOR, zero_reason
from haiyomi.dealin.riichi import N_CONDITIONS, RiichiTables
from haiyomi.dealin.riichi_waits import shares_by_kind
from haiyomi.dealin.tenpai import TenpaiCells
from haiyomi.dealin.variant import NAME, Variant
from haiyomi.dealin.waits import N_LOCAL, N_WAITS
from haiyomi.errors import ModelError
from haiyomi.game.player_view import PlayerView
from haiyomi.game.position import Position
from haiyomi.kernels.shanten import shanten
from haiyomi.kernels.tenpai_hands import wait_index
from haiyomi.storage.model_file import read_model

VERSION = 2
MENDED = Variant()
ALL_REDS = 7
"""Bits of the red fives of the three suits."""


@dataclass(frozen=True, slots=True)
class OpponentRon:
    """``tenpai`` probability; ``ron`` (34, 14, 12) probabilities of a ron on each plain kind at
    each (han, fu) cell; ``possible`` the kinds that an exact enumeration leaves open, else None.
    """

    tenpai: float
    ron: Floats
    possible: int | None


@dataclass(frozen=True, slots=True)
class KuritaHoki:
    """The fitted model. ``poor_wait`` is factor (15)'s .2, ``yakuless`` the factor of a hand
    that can win on none of its waits, ``passed_wait`` that of one that waits on a tile let pass
    since the last discard from the hand; ``closed`` multiplies 5.4's answer, ``melded`` that of
    (9) with one to three melds; ``manifest`` says how it was fitted.
    """

    cells: TenpaiCells
    riichi: RiichiTables
    poor_wait: float = 0.2
    yakuless: float = 1.0
    passed_wait: float = 1.0
    closed: float = 1.0
    melded: float = 1.0
    variant: Variant = MENDED
    manifest: dict[str, Any] | None = None

    @property
    def name(self) -> str:
        """The name of its variant."""
        return self.variant.name

    @classmethod
    def load(cls, path: Path | None = None, variant: Variant = MENDED) -> KuritaHoki:
        """The model of a file, by default the shipped one. Raises ModelError."""
        file = path or shipped_file()
        payload, manifest = read_model(file, NAME, VERSION)
        try:
            return cls.from_payload(payload, manifest, variant)
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{file.name}: a table is missing or misshapen ({error})") from None

    @classmethod
    def from_payload(
        cls,
        payload: dict[str, Any],
        manifest: dict[str, Any] | None,
        variant: Variant,
    ) -> KuritaHoki:
        """The model of a payload as the fit makes it."""
        literal = variant.literal
        suffix = "_literal" if literal else ""

        def cells(name: str, width: int) -> tuple[tuple[tuple[float, ...], ...], ...]:
            table = np.asarray(payload[name], dtype=np.float64)
            if table.ndim != 3 or table.shape[0] != 4 or table.shape[2] != width:
                raise ValueError(f"{name} has shape {table.shape}")
            return tuple(tuple(tuple(map(float, row)) for row in block) for block in table)

        def array(name: str, *shape: int) -> Floats:
            table = np.asarray(payload[name], dtype=np.float64)
            if table.shape != shape or not np.isfinite(table).all():
                raise ValueError(f"{name} has shape {table.shape}")
            if table.min() < 0 or (name.startswith("ratio") and table.min() == 0):
                raise ValueError(f"{name} has a number of {table.min()}")
            return table

        rest = array("rest_unit" if variant.unit_shares else "rest", 4)
        return cls(
            TenpaiCells(cells("colour", 5), cells("flush", 3), cells("several", 5)),
            RiichiTables(
                array("two_sided", 19),
                # The file keeps seven digits.
                rest / rest.sum() if variant.unit_shares else rest,
                array(f"prior{suffix}", N_WAITS),
                array(f"ratio{suffix}", N_CONDITIONS, N_LOCAL),
                array("han_base" if variant.base_han else "han", 14),
                array("fu", 12),
            ),
            float(payload["poor_wait"]),
            1.0 if literal else float(payload["yakuless"]),
            1.0 if literal else float(payload["passed_wait"]),
            1.0 if literal else float(payload["closed"]),
            1.0 if literal else float(payload["melded"]),
            variant,
            manifest,
        )

    def prepare(self) -> None:
        """Build the core's tables now instead of at the first prediction."""
        for tiles in set(CONCEALED.values()):
            wait_index(tiles)
        shanten(np.eye(1, 34, dtype=np.uint8))

    def tenpai(self, player: PlayerView) -> tuple[float, float, float, float]:
        """P(tenpai and colour) of m, p, s, several: (3)-(7); one in the last with four melds."""
        melds = melds_for_fit(player)
        if melds == 4:
            return 0.0, 0.0, 0.0, 1.0
        suits = meld_suits(player.melds) if melds else 0
        return self.cells.joint(tenpai_features(player.river), melds, len(player.river), suits)

    def opponent(self, position: Position, seat: int, chankan: bool = False) -> OpponentRon:
        """Relative seat 1-3's probabilities of a ron right now, for every kind the viewer could
        discard (with ``chankan``: add to a kan)."""
        player = position.players[seat]
        houtei = position.draws_left == 0 and not chankan
        unseen = position.unseen
        dora = position.dora
        round_wind, seat_wind = position.round_wind, position.seat_wind(seat)
        if player.open_melds and not player.riichi:
            joint = self.tenpai(player)
            given = circumstances(
                player.melds, round_wind, seat_wind, dora, position.rules, houtei, chankan
            )
            reds_seen = position.reds_seen
            if self.variant.base_han:
                given, reds_seen = replace(given, reds=0), ALL_REDS
            answer = melded_ron(
                player.melds,
                given,
                unseen,
                reds_seen,
                player.furiten_mask,
                joint,
                self.poor_wait,
                self.yakuless,
                passed_since_tedashi(position, seat) if self.passed_wait != 1.0 else 0,
                self.passed_wait,
            )
            # The virtual seven-tile hand of one meld does not show what the real ten tiles allow.
            possible = answer.possible if len(player.melds) > 1 else None
            ron = answer.ron if len(player.melds) == 4 else answer.ron * self.melded
            return OpponentRon(sum(joint), ron, possible)
        river = player.river
        if player.riichi_index is not None:
            river = river[: player.riichi_index + 1]
        waits = self.riichi.wait_probabilities(river, player.furiten_mask, unseen)
        yakuhai = tuple(
            int(k >= 31) + int(k == round_wind) + int(k == seat_wind) for k in range(34)
        )
        ron = self.riichi.ron(waits, dora, yakuhai, int(houtei) + int(chankan))
        if player.riichi_index is not None:
            return OpponentRon(1.0, ron, None)
        tenpai = sum(self.tenpai(player))
        return OpponentRon(tenpai, ron * (tenpai * self.closed), None)

    def ron_grid(self, position: Position, seat: int, chankan: bool = False) -> RonGrid:
        """The opponent's answer with the rules' zeros set, every other kind floored at 1e-6 and
        no kind above one; and why each zero is one.
        """
        answer = self.opponent(position, seat, chankan)
        player = position.players[seat]
        unseen = position.unseen
        reasons = [zero_reason(k, player, unseen, answer.possible) for k in range(34)]
        ron = answer.ron
        total = ron.sum(axis=(1, 2))
        for kind in range(34):
            if reasons[kind] is not None:
                ron[kind] = 0.0
            elif total[kind] < FLOOR:
                ron[kind] = 0.0
                ron[kind, 1, 3] = FLOOR
            elif total[kind] > 1.0:
                ron[kind] /= total[kind]
        return RonGrid(answer.tenpai, ron, reasons)

    def read(
        self, positions: Sequence[Position], chankan: bool = False, chances_only: bool = False
    ) -> list[PaperOpponents]:
        """The model's predictions for the opponents of each position, points included."""
        return [
            PaperOpponents(
                self.name,
                position,
                self.riichi,
                tuple(self.ron_grid(position, s, chankan) for s in SEATS),
            )
            for position in positions
        ]


@dataclass(frozen=True, slots=True)
class PaperOpponents:
    """The three opponents of one position, by relative seat 1, 2, 3."""

    model_name: str
    position: Position
    tables: RiichiTables
    grids: tuple[RonGrid, ...]

    @property
    def seen(self) -> None:
        """The paper's model asks no network."""

    @property
    def tenpai(self) -> Floats:
        """(3,) P(tenpai)."""
        return np.array([grid.tenpai for grid in self.grids])

    def reason(self, seat: int, kind: int) -> ZeroReason | None:
        """Why a relative seat cannot win on a kind; None where it might."""
        return self.grids[seat - 1].reasons[kind]

    def ron_cells(self, kinds: Sequence[int]) -> Floats:
        """(3, n, 14, 12) probabilities of a ron on n kinds by (han, fu) cell."""
        return np.stack([grid.ron[list(kinds)] for grid in self.grids])

    def cells_and_waits(self, kinds: Sequence[int], waits_from: float) -> tuple[Floats, Waits]:
        """``ron_cells``, and the waits of (5.3) behind probabilities of at least ``waits_from``;
        none for an opponent with open melds that is not in riichi: the model knows its hands."""
        found = {}
        if waits_from < math.inf:
            chances = self.chances()
            for seat in SEATS:
                by_kind = shares_by_kind(self.tables, self.position, seat)
                for kind in kinds:
                    if chances[seat - 1, kind] >= waits_from and kind in by_kind:
                        found[int(seat), int(kind)] = by_kind[kind]
        return self.ron_cells(kinds), found

    def chances(self) -> Floats:
        """(3, 34) P(ron)."""
        return np.stack([grid.ron.sum(axis=(1, 2)) for grid in self.grids])

    deal_in = deal_in_by_grid


def shipped_file() -> Path:
    """The model file that the package ships."""
    return Path(__file__).parent / "kurita_hoki.json"


@lru_cache(maxsize=8)
def shipped(variant: Variant = MENDED) -> KuritaHoki:
    """The shipped model, loaded once for each variant."""
    return KuritaHoki.load(None, variant)
