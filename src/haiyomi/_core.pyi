"""The compiled core: arrays and scalars in, arrays out.

Kept by hand, and kept true by ``tests/kernels/test_stub.py``, which compares every name and
its arguments with the built module. The faces in ``haiyomi.kernels`` explain each function.
"""

from array import array
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from haiyomi.tiles import Tile

T = TypeVar("T")
NETWORK_INPUTS: tuple[int, int, int, int, int, int]

_Outputs: TypeAlias = tuple[
    npt.NDArray[np.float32],
    npt.NDArray[np.float32],
    npt.NDArray[np.float32],
    npt.NDArray[np.float32],
]

class Network:
    def __new__(
        cls,
        decision: tuple[int, int, int, int, int],
        opponent: tuple[int, int, int, int, int],
        weights: npt.NDArray[np.float32],
        rounded: bool,
    ) -> Network: ...
    def both(self, records: npt.NDArray[np.uint8], style: npt.NDArray[np.float32]) -> _Outputs: ...
    def channels(
        self,
        records: npt.NDArray[np.uint8],
        mirror: npt.NDArray[np.uint8],
        style: npt.NDArray[np.float32],
    ) -> _Outputs: ...
    def forward(
        self,
        records: npt.NDArray[np.uint8],
        mirror: npt.NDArray[np.uint8],
        style: npt.NDArray[np.float32],
    ) -> _Outputs: ...

class Posterior:
    def __new__(
        cls,
        concealed: int,
        count: npt.NDArray[np.float64],
        tiles: npt.NDArray[np.float64],
        wait: npt.NDArray[np.float64],
        shape: npt.NDArray[np.float64],
        pairs: float,
        orphans: float,
    ) -> Posterior: ...
    @property
    def total(self) -> float: ...
    def answer(
        self,
        barred: int,
        certain_yaku: bool,
        melds: Sequence[tuple[int, int]],
        round_wind: int,
        seat_wind: int,
        kuitan: bool,
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
    def marginals(self) -> npt.NDArray[np.float64]: ...
    def sample(self, n: int, seed: int, win: int, barred: int) -> npt.NDArray[np.uint8]: ...
    def weight(self, hands: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]: ...

class Tables:
    def __new__(
        cls,
        rules: tuple[int, ...],
        game: tuple[int, ...],
        seeds: npt.NDArray[np.uint64],
        numbers: npt.NDArray[np.uint64],
        most_hands: int,
        keep: bool,
    ) -> Tables: ...
    @staticmethod
    def resume(
        rules: tuple[int, ...],
        game: tuple[int, ...],
        seeds: npt.NDArray[np.uint64],
        numbers: npt.NDArray[np.uint64],
        most_hands: int,
        keep: bool,
        words: npt.NDArray[np.int32],
        begins: npt.NDArray[np.uint64],
        walls: npt.NDArray[np.uint8],
    ) -> Tables: ...
    @staticmethod
    def from_views(
        rules: tuple[int, ...],
        game: tuple[int, ...],
        seeds: npt.NDArray[np.uint64],
        numbers: npt.NDArray[np.uint64],
        most_hands: int,
        keep: bool,
        words: npt.NDArray[np.int32],
        begins: npt.NDArray[np.uint64],
        views: npt.NDArray[np.int32],
        hands: npt.NDArray[np.uint8],
        rest: npt.NDArray[np.uint8],
        threads: int,
    ) -> Tables: ...
    def copy(self, tables: npt.NDArray[np.int32]) -> Tables: ...
    def __len__(self) -> int: ...
    def pending(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]: ...
    def legal(self) -> npt.NDArray[np.bool_]: ...
    def records(self, threads: int) -> npt.NDArray[np.uint8]: ...
    def renew(
        self,
        tables: npt.NDArray[np.int32],
        seeds: npt.NDArray[np.uint64],
        numbers: npt.NDArray[np.uint64],
    ) -> None: ...
    def answer(self, actions: npt.NDArray[np.uint8], threads: int) -> None: ...
    def choose(
        self,
        discards: npt.NDArray[np.float32],
        kans: npt.NDArray[np.float32],
        acts: npt.NDArray[np.float32],
        temperature: float,
        by_place: bool,
        threads: int,
    ) -> npt.NDArray[np.uint8]: ...
    def choose_with(
        self,
        discards: npt.NDArray[np.float32],
        kans: npt.NDArray[np.float32],
        acts: npt.NDArray[np.float32],
        points: npt.NDArray[np.float64],
        temperature: float,
        threads: int,
    ) -> npt.NDArray[np.uint8]: ...
    def standings(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
    def recorded(
        self, table: int
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.uint8]]: ...

def decision_features(
    records: npt.NDArray[np.uint8], mirror: npt.NDArray[np.uint8], threads: int = 1
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]: ...
def decode_games(
    words: npt.NDArray[np.int32],
    hands: npt.NDArray[np.int64],
    games: npt.NDArray[np.int64],
    keys: npt.NDArray[np.uint64],
    rules: npt.NDArray[np.int32],
    whole: npt.NDArray[np.uint8],
    final: npt.NDArray[np.int32],
    changes: npt.NDArray[np.int32],
    discards: bool,
    below: int,
    seed: int,
    only: npt.NDArray[np.int32] | None,
) -> tuple[int, int, int, int, tuple[int, int, int], Any, Any]: ...
def deposit_odds() -> npt.NDArray[np.float64]: ...
def hand_best(
    log_weights: npt.NDArray[np.float64], totals: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.uint8]]: ...
def hand_marginals(
    log_weights: npt.NDArray[np.float64], totals: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
def hand_samples(
    log_weights: npt.NDArray[np.float64],
    totals: npt.NDArray[np.uint8],
    seeds: npt.NDArray[np.uint64],
    draws: int,
) -> npt.NDArray[np.uint8]: ...
def network_parts(
    decision: tuple[int, int, int, int, int], opponent: tuple[int, int, int, int, int]
) -> list[tuple[str, int, int]]: ...
def opponent_features(
    records: npt.NDArray[np.uint8], mirror: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]: ...
def option_changes(
    begins: npt.NDArray[np.int64],
    ends: npt.NDArray[np.float64],
    own: npt.NDArray[np.float64],
    others: npt.NDArray[np.float64],
    deposit: npt.NDArray[np.float64],
    seat: int,
) -> npt.NDArray[np.float64]: ...
def option_deposits(
    mean: npt.NDArray[np.float64], p: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]: ...
def option_inputs(
    records: npt.NDArray[np.uint8],
    row: npt.NDArray[np.int64],
    sort: npt.NDArray[np.uint8],
    kind: npt.NDArray[np.uint8],
    red: npt.NDArray[np.uint8],
    share: npt.NDArray[np.float64],
    ron: npt.NDArray[np.float32],
    tenpai: npt.NDArray[np.float32],
    han: npt.NDArray[np.float32],
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]: ...
def option_net(
    of_channels: npt.NDArray[np.float32],
    of_pooled: npt.NDArray[np.float32],
    of_exact: npt.NDArray[np.float32],
    bias: npt.NDArray[np.float32],
    of_hidden: npt.NDArray[np.float32],
    hidden_bias: npt.NDArray[np.float32],
    of_out: npt.NDArray[np.float32],
    row: npt.NDArray[np.int64],
    kind: npt.NDArray[np.uint8],
    channels: npt.NDArray[np.float32],
    pooled: npt.NDArray[np.float32],
    exact: npt.NDArray[np.float32],
) -> npt.NDArray[np.float32]: ...
def option_shares(
    records: npt.NDArray[np.uint8],
    row: npt.NDArray[np.int64],
    sort: npt.NDArray[np.uint8],
    kind: npt.NDArray[np.uint8],
    red: npt.NDArray[np.uint8],
    discards: npt.NDArray[np.float32],
    kans: npt.NDArray[np.float32],
    acts: npt.NDArray[np.float32],
) -> npt.NDArray[np.float64]: ...
def option_steps(
    records: npt.NDArray[np.uint8],
    row: npt.NDArray[np.int64],
    sort: npt.NDArray[np.uint8],
    kind: npt.NDArray[np.uint8],
    red: npt.NDArray[np.uint8],
    kuitan: bool,
) -> npt.NDArray[np.int64]: ...
def option_tables(
    values: npt.NDArray[np.float64],
    row: npt.NDArray[np.int64],
    others: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]: ...
def option_weights(
    begins: npt.NDArray[np.int64],
    later: npt.NDArray[np.float64],
    nobody: npt.NDArray[np.float64],
    own: npt.NDArray[np.float64],
    others: npt.NDArray[np.float64],
    deposit: npt.NDArray[np.float64],
    first: npt.NDArray[np.float64],
    classes: npt.NDArray[np.float64],
    aborted: npt.NDArray[np.float64],
    nine: npt.NDArray[np.uint8],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
def option_win_tiles(
    records: npt.NDArray[np.uint8],
    row: npt.NDArray[np.int64],
    sort: npt.NDArray[np.uint8],
    kind: npt.NDArray[np.uint8],
    red: npt.NDArray[np.uint8],
    kuitan: bool,
) -> npt.NDArray[np.int64]: ...
def pair_inputs(starts: npt.NDArray[np.int32]) -> npt.NDArray[np.float32]: ...
def pair_net(
    pair: int, seat: int, weights: npt.NDArray[np.float32], x: npt.NDArray[np.float32]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float32]]: ...
def pay(han: int, fu: int, yakuman: int, dealer: bool, kiriage: bool) -> tuple[int, int, int]: ...
def placements(
    pair: int, seat: int, weights: npt.NDArray[np.float32], starts: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
def policy_choices(
    offered: npt.NDArray[np.uint8],
    legal: npt.NDArray[np.uint8],
    discards: npt.NDArray[np.float32],
    kans: npt.NDArray[np.float32],
    acts: npt.NDArray[np.float32],
    points: npt.NDArray[np.float64],
    temperature: float,
    in_order: bool,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]: ...
def posterior_batch(
    concealed: npt.NDArray[np.uint8],
    count: npt.NDArray[np.float64],
    tiles: npt.NDArray[np.float64],
    wait: npt.NDArray[np.float64],
    shape: npt.NDArray[np.float64],
    irregular: npt.NDArray[np.float64],
    truth: npt.NDArray[np.uint8],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
def read_mjlog(
    record: bytes,
) -> tuple[int, tuple[str, str, str, str], memoryview, memoryview, memoryview] | None: ...
def read_posteriors(
    observations: npt.NDArray[np.uint8],
    seats: npt.NDArray[np.uint8],
    rules: tuple[bool, bool, int, bool],
    factors: npt.NDArray[np.float64],
    keep: bool,
) -> tuple[list[Posterior], npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
def replay(
    words: npt.NDArray[np.int32] | array[int],
    rules: tuple[int, ...],
    truth: bool,
) -> tuple[
    int,
    int,
    tuple[int, int, int],
    tuple[int, bool, tuple[int, int, int, int], int, int, int],
    tuple[npt.NDArray[Any], ...] | None,
    tuple[npt.NDArray[Any], ...] | None,
]: ...
def replay_faults() -> list[str]: ...
def replay_options(
    words: npt.NDArray[np.int32] | array[int], rules: tuple[int, ...]
) -> tuple[
    int,
    int,
    tuple[int, int, int],
    npt.NDArray[np.int32],
    npt.NDArray[np.uint8],
    npt.NDArray[np.uint64],
]: ...
def ron_cells(
    posteriors: Sequence[Posterior],
    observations: npt.NDArray[np.uint8],
    seats: npt.NDArray[np.uint8],
    rules: tuple[bool, bool, int, bool],
    kinds: npt.NDArray[np.uint8],
    samples: npt.NDArray[np.int32],
    chance: npt.NDArray[np.float64],
    named_from: float,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]]: ...
def ron_chances(
    observations: npt.NDArray[np.uint8],
    seats: npt.NDArray[np.uint8],
    chankan: bool,
    tenpai: npt.NDArray[np.float32],
    network: npt.NDArray[np.float32],
    ron: npt.NDArray[np.float64],
    wait: npt.NDArray[np.float64],
    weights: npt.NDArray[np.float32] | None,
    floor: float,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
def ron_distribution(
    tiles: int,
    scores: npt.NDArray[np.uint8],
    unseen: npt.NDArray[np.uint8],
    reds_unseen: int,
    furiten: int,
    meld_suits: int,
    tenpai: Sequence[float],
    poor_wait: float,
    yakuless: float,
    passed: int,
    passed_wait: float,
    certain: bool,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], int, list[float], int]: ...
def ron_masks(
    observations: npt.NDArray[np.uint8], seats: npt.NDArray[np.uint8], chankan: bool
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]: ...
def ron_odds(
    observations: npt.NDArray[np.uint8],
    seats: npt.NDArray[np.uint8],
    chankan: bool,
    network: npt.NDArray[np.float32],
    by_hands: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]: ...
def ron_outcomes(
    cells: npt.NDArray[np.float64],
    points: npt.NDArray[np.int64],
    places: Sequence[int],
    red: Sequence[bool],
) -> tuple[npt.NDArray[np.float64], list[int], list[float], list[float]]: ...
def ron_rules(
    observations: npt.NDArray[np.uint8],
    seats: npt.NDArray[np.uint8],
    rules: tuple[bool, bool, int, bool],
) -> list[tuple[int, bool, list[tuple[int, int]], int, int]]: ...
def score(
    concealed: npt.NDArray[np.uint8],
    melds: npt.NDArray[np.uint8],
    context: npt.NDArray[np.uint8],
    kuitan: bool,
    multiple_yakuman: bool,
    double_yakuman: bool,
    kiriage: bool,
    wind_pair_fu: int,
) -> tuple[
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_],
    npt.NDArray[np.uint8],
    npt.NDArray[np.uint8],
    npt.NDArray[np.uint8],
    npt.NDArray[np.uint8],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
]: ...
def score_one(
    concealed: Iterable[Tile | int],
    win: Tile | int,
    melds: Iterable[tuple[int, Tile | int]],
    context: tuple[int, ...],
    names: tuple[T, ...],
    kuitan: bool,
    multiple_yakuman: bool,
    double_yakuman: bool,
    kiriage: bool,
    wind_pair_fu: int,
) -> tuple[bool, bool, int, int, int, tuple[tuple[T, int], ...], int, int, int]: ...
def score_open(
    tiles: int,
    melds: Sequence[tuple[int, int]],
    round_wind: int,
    seat_wind: int,
    dora: npt.NDArray[np.uint8],
    meld_reds: int,
    houtei: bool,
    chankan: bool,
    kuitan: bool,
    kiriage: bool,
    wind_pair_fu: int,
) -> npt.NDArray[np.uint8]: ...
def seat_records(
    records: npt.NDArray[np.uint8], barred: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint8]: ...
def shanten(counts: npt.NDArray[np.uint8]) -> npt.NDArray[np.int8]: ...
def shanten_forms(counts: npt.NDArray[np.uint8]) -> npt.NDArray[np.int8]: ...
def shanten_of(counts: Iterable[int]) -> int: ...
def shanten_of_ids(ids: Iterable[int]) -> int: ...
def tally(
    words: npt.NDArray[np.int32] | array[int] | memoryview,
    hands: npt.NDArray[np.int64] | array[int] | memoryview,
    absent: npt.NDArray[np.uint8] | array[int] | memoryview,
) -> tuple[int, int, int, memoryview[float]]: ...
def tenpai_hands(
    tiles: int,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint64], npt.NDArray[np.uint8]]: ...
def tenpai_wait_index(tiles: int) -> npt.NDArray[np.uint32]: ...
def tile_efficiency(
    counts: npt.NDArray[np.uint8], unseen: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint8]: ...
def useful_tiles(counts: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]: ...
def wait_forms(
    counts: npt.NDArray[np.uint8], win: npt.NDArray[np.int8]
) -> npt.NDArray[np.uint8]: ...
def waits(counts: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]: ...
def wall(seed: int, number: int, hand: int) -> npt.NDArray[np.uint8]: ...
def win(
    hands: npt.NDArray[np.uint8],
    live: npt.NDArray[np.uint8],
    reds: npt.NDArray[np.bool_],
    melds: npt.NDArray[np.uint8],
    context: npt.NDArray[np.uint8],
    wall: npt.NDArray[np.float64],
    first: int,
    last: int,
    forms: int,
    returns: bool,
    reverse: bool,
    tegawari: bool,
    back: bool,
    extra: int,
    riichi: bool,
    firm: bool,
    go_on: bool,
    paid: bool,
    worth: bool,
    ura: bool,
    tenpai: bool,
    literal: bool,
    must_keep: bool,
    kuitan: bool,
    multiple_yakuman: bool,
    double_yakuman: bool,
    kiriage: bool,
    wind_pair_fu: int,
    threads: int,
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float64], npt.NDArray[np.int64]]: ...
def wins_at_once(
    at: npt.NDArray[np.int64],
    chance: npt.NDArray[np.float64],
    loss: npt.NDArray[np.float64],
    rows: npt.NDArray[np.int64],
    cells: npt.NDArray[np.float64],
    honba: npt.NDArray[np.int64],
    dealer: npt.NDArray[np.int64],
    triple_ron: bool,
) -> tuple[
    npt.NDArray[np.float64],
    npt.NDArray[np.float64],
    npt.NDArray[np.float64],
    npt.NDArray[np.float64],
]: ...
def with_tile_facts(records: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]: ...
def yaku_han() -> list[tuple[int, int]]: ...
