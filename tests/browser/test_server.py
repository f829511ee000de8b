"""The server's pages: upload, follow, reload, find it stored; the position editor."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from served import Served, demo_bytes, evil_record, served

pytestmark = pytest.mark.slow
Opened = Callable[..., Any]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("library") / "library.sqlite3") as server:
        yield server


def test_upload_follow_reload_stored(
    opened: Opened, server: Served, shots: pathlib.Path, serious: Callable[[Any], list[str]]
) -> None:
    page = opened(server.address + "/")
    page.set_input_files(
        "#files", {"name": "my.mjlog", "mimeType": "text/xml", "buffer": demo_bytes()}
    )
    page.locator("#records li").wait_for()
    assert "my.mjlog" in page.locator("#records").inner_text()
    page.screenshot(path=str(shots / "library.png"), full_page=True)
    assert serious(page) == []
    page.locator("#records .row button:not(.link)").nth(1).click()
    page.wait_for_url("**/reviews/*", timeout=60_000)
    page.locator(".held").first.wait_for()
    page.keyboard.press("ArrowRight")
    page.reload()
    assert page.locator(".held").count() > 0
    page.locator(".brand a").click()
    page.locator("#reviews a").wait_for()
    assert "done" in page.locator("#reviews").inner_text()
    page.locator("#players a").first.click()
    page.locator(".figure").first.wait_for()
    assert "1 game" in page.locator("h1").inner_text()
    page.screenshot(path=str(shots / "player.png"), full_page=True)
    assert serious(page) == []
    page.locator(".brand a").click()
    page.locator("#players a").wait_for()


def test_one_click_reviews_the_bundled_game(opened: Opened, server: Served) -> None:
    page = opened(server.address + "/")
    page.click("#sample")
    page.wait_for_url("**/reviews/*", timeout=120_000)
    page.locator(".held").first.wait_for()
    page.goto(server.address + "/")
    page.locator("#reviews .result").first.wait_for()
    # The one of the four players who made more than one mistake.
    page.locator("#players a", has_text="haiyomi pooled").click()
    page.locator(".worst a[href^='/reviews/']").first.click()
    page.locator(".held").first.wait_for()
    assert page.locator(".verdict.bad").count() == 1
    page.go_back()
    page.locator(".numbers a[href^='/reviews/']").first.click()
    page.locator(".held").first.wait_for()


def test_a_decision_is_played_on_and_stopped(opened: Opened, server: Served) -> None:
    _, added = server.ask("POST", "/api/v1/records/bundled")
    request = {"record_id": added["records"][0]["id"], "seat": 0}
    _, review = server.ask("POST", "/api/v1/reviews", request)
    page = opened(f"{server.address}/reviews/{review['id']}")
    page.wait_for_selector(".card.mistake", timeout=120_000)
    page.locator(".card.mistake").first.click()
    page.locator("#play-on").click()
    page.locator("#played tbody tr").first.wait_for(timeout=60_000)
    assert "±" in page.locator("#played").inner_text()
    if page.locator("#stop").count():
        page.locator("#stop").click()
    page.locator("#play-on").wait_for()
    assert page.locator("#played tbody tr").count() > 1
    # Meanwhile the costliest mistakes are played on in the background.
    page.locator("#summary .played").first.wait_for(timeout=120_000)
    assert "±" in page.locator("#summary .played").first.inner_text()
    page.keyboard.press("ArrowRight")
    assert page.locator("#played").count() == 0
    page.keyboard.press("ArrowLeft")
    assert page.locator("#played").count() == 1


def test_the_other_memory_is_a_review_of_its_own(opened: Opened, server: Served) -> None:
    _, added = server.ask("POST", "/api/v1/records/bundled")
    request = {"record_id": added["records"][0]["id"], "seat": 0}
    _, review = server.ask("POST", "/api/v1/reviews", request)
    page = opened(f"{server.address}/reviews/{review['id']}")
    page.wait_for_selector("#memory", timeout=120_000)
    assert page.locator("#memory").get_attribute("aria-pressed") == "false"
    page.locator("#memory").click()
    page.locator("#memory[aria-pressed=true]").wait_for(timeout=120_000)
    page.locator("#memory").click()
    page.locator("#memory[aria-pressed=false]").wait_for()
    assert page.url.endswith(review["id"]) or f"{review['id']}#" in page.url


def test_who_i_am_is_remembered_and_my_seats_are_one_click_away(
    opened: Opened, server: Served
) -> None:
    page = opened(server.address + "/")
    page.set_input_files(
        "#files", {"name": "mine.mjlog", "mimeType": "text/xml", "buffer": demo_bytes()}
    )
    page.locator("#records li").first.wait_for()
    name = page.locator("#records .row button:not(.link)").nth(3).inner_text()
    page.fill("#me", name)
    page.keyboard.press("Tab")
    page.reload()
    assert page.input_value("#me") == name
    page.locator("#review-mine").click()
    page.locator("#review-mine").wait_for(state="detached")
    assert name in page.locator("#reviews").inner_text()


def test_a_decision_opens_in_the_editor_with_the_same_risks(opened: Opened, server: Served) -> None:
    _, added = server.ask("POST", "/api/v1/records?name=again", raw=demo_bytes())
    request = {"record_id": added["records"][0]["id"], "seat": 2}
    _, review = server.ask("POST", "/api/v1/reviews", request)
    page = opened(f"{server.address}/reviews/{review['id']}")
    page.wait_for_selector(".held", timeout=60_000)
    compared = 0
    editor = None
    for _ in range(8):
        if compared == 3:
            break
        page.keyboard.press("ArrowDown")
        for _ in range(9):
            page.keyboard.press("ArrowRight")
        link = page.locator(".to-editor a")
        if link.count() == 0 or page.locator(".held:not([disabled])").count() < 2:
            continue
        numbers = page.locator(".held .number").all_inner_texts()
        address = link.get_attribute("href")
        if editor is None:
            editor = opened(server.address + "/position")
        editor.goto("about:blank")
        editor.goto(server.address + address)
        editor.locator("#answer .held").first.wait_for()
        assert editor.locator("#answer .held .number").all_inner_texts() == numbers
        compared += 1
    assert compared >= 3


def test_a_pasted_record_and_a_bad_one(opened: Opened, server: Served) -> None:
    page = opened(server.address + "/")
    page.fill("#paste", evil_record().decode())
    page.click("#add")
    page.locator("#records .fresh").wait_for()
    assert "<script>alert(1)</script>" in page.locator("#records").inner_text()
    assert page.locator("img").count() == 0


def test_a_bad_record_is_said(browser: Any, server: Served) -> None:
    # Not ``opened``: the browser itself logs the refusal on its console.
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.address + "/")
    page.fill("#paste", "no record at all")
    page.click("#add")
    page.locator("#notes .bad").wait_for()
    assert "not an mjlog" in page.locator("#notes").inner_text()
    context.close()


def test_a_dropped_file(opened: Opened, server: Served) -> None:
    page = opened(server.address + "/")
    page.evaluate(
        """(text) => {
          const moved = new DataTransfer();
          moved.items.add(new File([text], "dropped.mjson"));
          const how = { dataTransfer: moved, bubbles: true, cancelable: true };
          const drop = new DragEvent("drop", how);
          document.getElementById("drop").dispatchEvent(drop);
        }""",
        evil_record().decode().replace("alert(1)", "alert(9)"),
    )
    page.get_by_text("dropped.mjson").first.wait_for()


def test_the_position_editor(
    opened: Opened, server: Served, shots: pathlib.Path, serious: Callable[[Any], list[str]]
) -> None:
    page = opened(server.address + "/position")
    page.locator("#answer .held").first.wait_for()
    assert page.locator("#answer .held").count() == 14
    page.screenshot(path=str(shots / "position.png"), full_page=True)
    assert serious(page) == []
    before = page.locator("#answer .number").all_inner_texts()
    page.get_by_label("Dora indicators").check()
    page.locator(".keys [aria-label='5 of circles']").click()
    page.wait_for_function(
        "(was) => [...document.querySelectorAll('#answer .number')]"
        ".map((n) => n.textContent).join() !== was",
        arg=",".join(before),
    )


def test_the_position_editor_says_what_is_wrong(opened: Opened, server: Served) -> None:
    page = opened(server.address + "/position")
    page.locator("#answer .held").first.wait_for()
    page.get_by_role("button", name="Clear").click()
    page.locator("#check").wait_for()
    assert page.locator("#problem").count() == 0
    page.locator("#check").click()
    page.locator("#problem").wait_for()
    assert "indicators" in page.locator("#problem").inner_text()
    page.get_by_label("Dora indicators").check()
    page.locator(".keys [aria-label='4 of bamboo']").click()
    page.locator("#check").click()
    page.get_by_text("hand has 0 concealed tiles").first.wait_for()


def test_melds_and_scores_are_set_by_mouse(opened: Opened, server: Served) -> None:
    page = opened(server.address + "/position")
    page.locator("#answer .held").first.wait_for()
    scores = page.locator("#answer .score")
    before = scores.all_inner_texts()
    page.locator("[data-key=sE]").fill("31000")
    page.keyboard.press("Tab")
    page.locator("#answer .score", has_text="31,000").wait_for()
    assert "31,000" not in before
    page.locator("[data-key=to-ME]").check()
    melds = page.locator(".lay.on .meld")
    assert melds.count() == 0
    page.locator("[data-key=meld-kind]").select_option("chi low")
    page.locator(".keys [aria-label='1 of bamboo']").click()
    assert melds.count() == 1
    assert melds.first.locator("svg").count() == 3
    melds.first.click()
    assert melds.count() == 0


def test_the_api_page(opened: Opened, server: Served, serious: Callable[[Any], list[str]]) -> None:
    page = opened(server.address + "/api")
    assert "POST /api/v1/positions/risk" in page.locator("main").inner_text()
    assert serious(page) == []
