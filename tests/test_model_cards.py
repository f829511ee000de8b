"""Each shipped model has a card, made from the manifest of its file."""

from __future__ import annotations

import importlib.util
import json
import pathlib
import struct
import sys
from types import ModuleType

import pytest

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("model_cards", DOCS / "model_cards.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "model_cards", module)
    spec.loader.exec_module(module)
    return module


def test_every_shipped_model_has_a_card_with_its_manifest(cards: ModuleType) -> None:
    page = cards.cards_page()
    found = list(cards.shipped_models())
    assert len(found) >= 10
    for path, kind, manifest in found:
        card = page.split(f"\n## {path.stem}\n")[1].split("\n## ")[0]
        assert f"{path.stat().st_size:,} bytes" in card
        assert all(f"| {name} |" in card for name in manifest)
        assert cards.ABOUT[path.stem if kind == "network" else kind].answers in card


def test_a_network_file_has_a_card_too(
    cards: ModuleType, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stated = {"haiyomi_model": "made", "manifest": json.dumps({"games": 12_345})}
    header = json.dumps({"__metadata__": stated}).encode()
    data = struct.pack("<Q", len(header)) + header
    (tmp_path / "made.safetensors").write_bytes(data)
    (tmp_path / "no-model.json").write_text("[]", encoding="utf-8")
    monkeypatch.setattr(cards, "PACKAGE", tmp_path)
    assert "## made\n\n| | |\n|---|---|\n| file |" in cards.cards_page()
    assert "| games | 12,345 |" in cards.cards_page()
    assert "no-model" not in cards.cards_page()


def test_the_pages_of_the_cards_exist(cards: ModuleType) -> None:
    for about in cards.ABOUT.values():
        if about.measured:
            target = about.measured.split("](")[1].rstrip(")")
            assert (DOCS / "reference" / target).resolve().exists(), target
