"""What the report draws: nothing covers anything else, nothing is clipped, no false colour."""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Callable
from typing import Any

import pytest

from haiyomi.play.demo import demo_game
from haiyomi.review.html.data import CLEAR, review_data
from haiyomi.review.html.document import page_html
from haiyomi.review.reviewer import review_game
from haiyomi.tiles import Seat

pytestmark = pytest.mark.slow
Opened = Callable[..., Any]
Data = dict[str, Any]


@pytest.fixture(scope="module")
def data() -> Data:
    game = demo_game()
    wins = [e.seat for hand in game for e in hand.events if type(e).__name__ == "Win"]
    return review_data(review_game(game, Seat(wins[0]))) | {"lang": "en"}


def _page(opened: Opened, folder: pathlib.Path, data: Data, **options: Any) -> Any:
    file = folder / "review.html"
    file.write_text(page_html("review", data, "haiyomi"), encoding="utf-8")
    return opened(file.as_uri(), offline=True, **options)


def _shown(data: Data, hand: Data, decision: Data) -> Data:
    """The page's data cut down to one decision."""
    return {**data, "hands": [{**hand, "d": [decision]}], "mistakes": [], "worst": []}


def test_the_viewer_wins_in_the_second_person(
    opened: Opened, tmp_path: pathlib.Path, data: Data
) -> None:
    seat = data["seat"]
    hand = next(h for h in data["hands"] if any(e.get("seat") == seat for e in h["en"]))
    page = _page(opened, tmp_path, _shown(data, hand, hand["d"][-1]))
    text = page.locator(".ending").inner_text()
    assert re.search(r"You win by (ron from .+|own draw): [\d,]+", text)


def test_melds_lie_beside_the_concealed_tiles(
    opened: Opened, tmp_path: pathlib.Path, data: Data
) -> None:
    """A named case: three melds lay on the tiles of the player to the left."""
    hand = data["hands"][0]
    decision = json.loads(json.dumps(hand["d"][0]))
    kan = ["kakan", ["5p", "5p", "5p", "0p"], "5p", 0]
    for seat in (1, 2, 3):
        decision["b"]["p"][seat] |= {"n": 4, "m": [kan, kan, kan]}
    page = _page(opened, tmp_path, _shown(data, hand, decision))
    boxes = page.evaluate(
        """[...document.querySelectorAll("#table svg.table > g > g:nth-of-type(2), "
           + "#table svg.table > g > use")].map((node) => {
             const b = node.getBoundingClientRect();
             return [node.tagName, b.left, b.top, b.right, b.bottom];
           })"""
    )
    melds = [box[1:] for box in boxes if box[0] == "g" and box[3] > box[1]]
    backs = [box[1:] for box in boxes if box[0] == "use"]
    assert len(melds) >= 3
    assert len(backs) == 12
    for left, top, right, bottom in melds:
        for x0, y0, x1, y1 in backs:
            assert x1 <= left + 1 or x0 >= right - 1 or y1 <= top + 1 or y0 >= bottom - 1


def test_small_differences_are_not_marked(
    opened: Opened, tmp_path: pathlib.Path, data: Data
) -> None:
    """A named case: 773 stood in green beside 772."""
    hand, found = next(
        (h, d) for h in data["hands"] for d in h["d"] if d["a"] == "discard" and len(d["op"]) > 2
    )
    decision = json.loads(json.dumps(found))
    mine = next(row for row in decision["op"] if row[0] == decision["dn"])
    other = next(row for row in decision["op"] if row is not mine and row[0][:7] == "discard")
    mine[1], other[1] = 772, 773
    decision["op"] = [other, mine]
    decision["v"] = [0, "efficiency", 1, 150, None, 0, None]
    page = _page(opened, tmp_path, _shown(data, hand, decision))
    assert "773" in page.locator(".options").inner_text()
    assert page.locator(".options .better").count() == 0
    row = page.locator(".compare tbody tr", has_text="Points (expected)")
    assert "773" in row.inner_text()
    assert row.locator(".better").count() == 0
    other[1] = 772 + CLEAR["points"]
    decision["v"][2] = CLEAR["points"]
    page = _page(opened, tmp_path, _shown(data, hand, decision))
    marked = page.locator(".compare tbody tr", has_text="Points (expected)").locator(".better")
    assert marked.count() == 1
    assert page.locator(".options .better").count() == 1


def test_no_button_is_clipped_on_a_phone(
    opened: Opened, tmp_path: pathlib.Path, data: Data
) -> None:
    """A named case: the button that changes the language stood outside the screen."""
    page = _page(opened, tmp_path, data, viewport={"width": 390, "height": 844})
    buttons = page.locator(".tools button:visible, .tools select:visible, #filters button")
    assert buttons.count() > 3
    for i in range(buttons.count()):
        box = buttons.nth(i).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
