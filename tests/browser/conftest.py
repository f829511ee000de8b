"""A real browser without a network: Debian's chromium, driven by Playwright.

Skipped, and said so, where either is absent. Screenshots go to the folder that
``HAIYOMI_SHOTS`` names, else to a temporary one; none is committed.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "web"))

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    api = pytest.importorskip(
        "playwright.sync_api", reason="no browser tests: the extra [browser] is not installed"
    )
    found = os.environ.get("HAIYOMI_CHROMIUM") or shutil.which("chromium")
    if not found:
        pytest.skip("no browser tests: no chromium on this machine (apt-get install chromium)")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def shots(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    named = os.environ.get("HAIYOMI_SHOTS")
    folder = pathlib.Path(named) if named else tmp_path_factory.mktemp("shots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[..., Any]]:
    """``opened(address, **context options)``: a page; at the end no error was on any console."""
    contexts: list[Any] = []
    messages: list[str] = []

    def open_page(address: str, **options: Any) -> Any:
        context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 900}, "locale": "en-GB", **options}
        )
        context.set_default_timeout(20_000)
        contexts.append(context)
        page = context.new_page()
        page.on(
            "console", lambda m: messages.append(m.text) if m.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda e: messages.append(str(e)))
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert messages == []


@pytest.fixture(scope="session")
def serious() -> Callable[[Any], list[str]]:
    """``serious(page)``: the serious and critical findings of axe-core."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not there")

    def findings(page: Any) -> list[str]:
        response = axe.Axe().run(page).response
        assert len(response["passes"]) > 10
        found = response["violations"]
        return [
            f"{v['id']}: {v['nodes'][0]['html'][:160]} {v['nodes'][0]['failureSummary'][:300]}"
            for v in found
            if v["impact"] in ("serious", "critical")
        ]

    return findings
