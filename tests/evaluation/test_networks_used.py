"""Results name the networks that they were measured with."""

from __future__ import annotations

from pathlib import Path

from haiyomi.analysis.models import shipped_digests
from haiyomi.evaluation.networks_used import (
    deal_in_networks,
    networks_of,
    shipped_networks,
)
from haiyomi.networks import opponents


def test_networks_are_named_by_the_beginning_of_their_hash(tmp_path: Path) -> None:
    digests = shipped_digests()
    assert shipped_networks() == {name: whole[:12] for name, whole in digests.items()}
    one = networks_of(opponents.SHIPPED, None)
    assert one == {"opponents.safetensors": digests["opponents.safetensors"][:12]}
    assert deal_in_networks("posterior", "kurita-hoki", str(opponents.SHIPPED)) == one
    (tmp_path / "opponents.safetensors").write_bytes(opponents.SHIPPED.read_bytes())
    (tmp_path / "notes.txt").write_text("none")
    assert networks_of(tmp_path) == one
