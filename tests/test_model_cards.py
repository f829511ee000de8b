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


def test_every_shipped_model_has_a_page_with_its_manifests(cards: ModuleType) -> None:
    pages = cards.pages()
    models = cards.models_by_name()
    assert len(models) >= 8
    assert sum(map(len, models.values())) == len(list(cards.shipped_models()))
    for name, files in models.items():
        page = pages[f"reference/models/{name}.md"]
        assert f"(models/{name}.md)" in pages["reference/models.md"]
        about = cards.ABOUT[name]
        assert about.answers in page
        assert about.limits in page
        for path, manifest in files:
            part = page.split(f"/{path.name}`\n")[1].split("\n## ")[0]
            assert f"{path.stat().st_size:,} bytes" in part
            assert all(f"| {key} |" in part for key in manifest)


def test_a_network_has_its_games_by_year_and_its_losses(
    cards: ModuleType, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = {
        "data": {"games": {"Houou hanchan": {"0": 5, "2020": 12_000}}, "split": "train"},
        "valid": {"ron": 0.1, "valid ron": 0.25},
        "steps": 12_345,
    }
    stated = {"haiyomi_model": "network", "manifest": json.dumps(manifest)}
    header = json.dumps({"__metadata__": stated}).encode()
    data = struct.pack("<Q", len(header)) + header
    (tmp_path / "made.safetensors").write_bytes(data)
    (tmp_path / "no-model.json").write_text("[]", encoding="utf-8")
    monkeypatch.setattr(cards, "PACKAGE", tmp_path)
    pages = cards.pages()
    assert list(pages) == ["reference/models.md", "reference/models/made.md"]
    page = pages["reference/models/made.md"]
    assert "Fitted on 12,005 games" in page
    assert "| table | all | unknown | 2020 |\n|---|---:|---:|---:|\n" in page
    assert "| Houou hanchan | 12,005 | 5 | 12,000 |" in page
    assert "| ron | 0.25 |" in page
    assert '| valid | `{"ron": 0.1}` |' in page
    assert "| steps | 12,345 |" in page


def test_the_pages_of_the_figures_exist(cards: ModuleType) -> None:
    for about in cards.ABOUT.values():
        if about.measured:
            target = about.measured.split("](")[1].rstrip(")")
            assert (DOCS / "reference" / "models" / target).resolve().exists(), target
