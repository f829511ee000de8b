"""What decision records say of tiles, computed by the core.

Records come as rows of bytes (``game.decision_record.DECISION``).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from haiyomi import _core
from haiyomi.arrays import Bytes


def with_tile_facts(records: Bytes) -> Bytes:
    """Copies of the records with their waits and the efficiency of each discard and call.

    Raises ValueError for a record that is damaged.
    """
    return _core.with_tile_facts(records)


def seat_records(records: Bytes, barred: npt.NDArray[np.uint64]) -> Bytes:
    """Copies of the records of viewers, completed from the observation, the hand with its red fives
    and the drawn tile: as at a discard, without a win and nine terminals.

    ``barred`` (n,): kinds (bit k) that a call forbids to discard. A viewer without a tile to
    discard gets one: that of its last discard; before it the kind of which most are left, honours
    first. After a riichi of the viewer the discards are those that keep it tenpai. Raises
    ValueError for a record that is damaged.
    """
    return _core.seat_records(records, barred)
