"""What decision records say of tiles: waits, and the efficiency of each discard and call.

It needs no Position and no table, so that a record can be made without what plays.
"""

from __future__ import annotations

from haiyomi.game.decision_record import DECISION, Decisions, as_bytes
from haiyomi.kernels.record_facts import with_tile_facts as _with_tile_facts


def with_tile_facts(rows: Decisions) -> Decisions:
    """The records with ``waits``, ``efficiency`` and ``calls``, which the core computes from the
    rest. Raises ValueError for a record that is damaged."""
    return _with_tile_facts(as_bytes(rows)).view(DECISION)[:, 0]
