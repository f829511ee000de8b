"""Each page in each language: every text is there, and nothing is clipped."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable
from typing import Any

import pytest

from haiyomi.play.demo import demo_game
from haiyomi.review.catalogue import LANGUAGES, section
from haiyomi.review.html.data import review_data
from haiyomi.review.html.document import page_html
from haiyomi.review.reviewer import review_game
from haiyomi.review.stats import game_stats, player_stats
from haiyomi.review.stats_out import stats_json
from haiyomi.tiles import Seat

pytestmark = pytest.mark.slow
Opened = Callable[..., Any]
Data = dict[str, Any]


@pytest.fixture(scope="module")
def pages() -> dict[str, Data]:
    review = review_game(demo_game(), Seat(0))
    stats = player_stats(review.names[0], review.model, [game_stats("demo", review)])
    return {
        "review": review_data(review),
        "stats": {"kind": "stats", **stats_json(stats)},
    }


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["review", "stats"])
def test_a_page_in_a_language(
    opened: Opened,
    tmp_path: pathlib.Path,
    shots: pathlib.Path,
    pages: dict[str, Data],
    kind: str,
    language: str,
    width: int,
) -> None:
    file = tmp_path / f"{kind}.html"
    data = pages[kind] | {"lang": language}
    file.write_text(page_html(kind, data, "haiyomi", language), encoding="utf-8")
    page = opened(file.as_uri(), offline=True, viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    chosen = page.locator("select.language")
    assert chosen.input_value() == language
    shown = page.locator("#app").inner_text()
    # A key that is not found would stand on the page as it is.
    assert not re.search(r"\b(col|ends|reason|option|cols|threat|themes)\.[a-z]", shown)
    title = section(language, "page")["timeline" if kind == "review" else "worst"]
    if kind == "review":
        assert str(title) in shown
    page.screenshot(path=shots / f"{kind}-{language}-{width}.png")
    after = LANGUAGES[(LANGUAGES.index(language) + 1) % len(LANGUAGES)]
    chosen.select_option(after)
    tag = {"zh": "zh-Hans"}.get(after, after)
    assert page.locator("html").get_attribute("lang") == tag
