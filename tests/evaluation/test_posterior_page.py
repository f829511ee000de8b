"""``docs/posterior.md`` is what its script makes of the results and the shipped file."""

from __future__ import annotations

import importlib.util
import pathlib


def test_the_page_is_made_of_the_results(root: pathlib.Path) -> None:
    file = root / "docs" / "fill_posterior.py"
    spec = importlib.util.spec_from_file_location("fill_posterior", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = (root / "docs" / "posterior.md").read_text(encoding="utf-8")
    assert text == module.stored_page()
    for name in ("skill, riichi", "CRPS", "step by step"):
        assert name in text
