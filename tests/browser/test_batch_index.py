"""The list of a batch of reviews, as a person finds a game in it."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Any

import pytest

from haiyomi.apps.batch_index import index_page

pytestmark = pytest.mark.slow
Opened = Callable[..., Any]


def _totals(seat: int, mistakes: int) -> dict[str, Any]:
    return {
        "seat": seat, "discards": 150 + seat, "deal_ins": seat, "expected_deal_ins": 1.25,
        "points_lost": 3900 * seat, "expected_loss": 5123.4, "mistakes": mistakes,
        "mistake_cost": 640.0 * mistakes,
    }  # fmt: skip


def _games(n: int) -> dict[str, Any]:
    games: dict[str, Any] = {
        f"{i:05d}-game": {
            "record": f"game {i:04d}.mjlog",
            "names": [f"<b>{i}", "same", "", "other"],
            "files": {f"seat{s}.html": [1, ""] for s in range(4)},
            "totals": {f"seat{s}.html": _totals(s, (i * 7 + s) % 90) for s in range(4)},
            "skipped": None,
        }
        for i in range(n)
    }
    bad = {"record": "<i>bad", "names": None, "files": {}, "totals": {}, "skipped": "is no record"}
    return games | {"99999-bad": bad}


@pytest.mark.parametrize("width", [390, 1280])
def test_reviews_are_found_and_sorted(
    opened: Opened,
    tmp_path: pathlib.Path,
    shots: pathlib.Path,
    serious: Callable[[Any], list[str]],
    width: int,
) -> None:
    games = _games(150)
    file = tmp_path / "index.html"
    file.write_text(index_page(games.items(), "posterior", "en"), encoding="utf-8")
    size = {"width": width, "height": 900}
    page = opened(file.as_uri(), offline=True, viewport=size, bypass_csp=True)
    rows = page.locator("tbody tr")
    assert rows.count() == 400
    page.locator("#more").click()
    assert rows.count() == 600
    assert page.locator("#more").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # By mistakes: the most first, then the fewest.
    mistakes = page.locator("thead button").nth(7)
    mistakes.click()
    column = page.locator("tbody tr td:nth-child(8)")
    assert column.first.inner_text() == "89"
    page.locator("thead button").nth(7).click()
    assert column.first.inner_text() == "0"
    assert page.locator("thead th").nth(7).get_attribute("aria-sort") == "ascending"
    page.locator("#find").fill("12. GAME 001")
    assert rows.count() == 4
    link = page.locator("tbody a").filter(has_text="<b>12")
    assert link.get_attribute("href") == "00012-game/seat0.html"
    page.locator("#find").fill("nobody of this name")
    assert rows.count() == 0
    assert "No name here contains this" in page.locator("#reviews").inner_text()
    page.locator("#find").fill("")
    assert "<i>bad" in page.locator("main").inner_text()
    page.screenshot(path=str(shots / f"batch-{width}.png"))
    assert serious(page) == []
    page.locator("select.language").select_option("ja")
    assert "放銃" in page.locator("thead").inner_text()


def test_a_long_list_says_what_it_leaves_out(
    opened: Opened, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("haiyomi.apps.batch_index.MOST_GAMES", 5)
    file = tmp_path / "index.html"
    file.write_text(index_page(_games(12).items(), "posterior", "en"), encoding="utf-8")
    page = opened(file.as_uri(), offline=True)
    assert page.locator("tbody tr").count() == 20
    assert "7 more games are not listed" in page.locator("footer").inner_text()
