"""Results name the networks that they were measured with, and pages those that are gone."""

from __future__ import annotations

from pathlib import Path

from haiyomi.analysis.models import shipped_digests
from haiyomi.evaluation.networks_used import (
    deal_in_networks,
    networks_of,
    of_earlier_networks,
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


def test_a_page_says_only_of_networks_that_are_not_shipped_that_they_are_earlier() -> None:
    assert of_earlier_networks({}) is None
    assert of_earlier_networks({"networks": shipped_networks()}) is None
    stated = of_earlier_networks(
        {"networks": shipped_networks() | {"policy.safetensors": "0" * 12}}
    )
    assert stated == (
        "Measured with networks before the present ones: `policy.safetensors` 000000000000."
    )
