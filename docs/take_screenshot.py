"""README's picture of the page, made from the bundled game: ``python docs/take_screenshot.py``.

Needs the extra ``[browser]`` and a ``chromium`` on the path.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "images" / "review.png"
WIDTH, HEIGHT = 1280, 920


def main() -> None:
    """Write the page of the bundled game, open it with the network off, take its picture."""
    from playwright.sync_api import sync_playwright

    from haiyomi.play.demo import demo_game
    from haiyomi.review.html.data import review_data
    from haiyomi.review.html.document import page_html
    from haiyomi.review.reviewer import review_game
    from haiyomi.tiles import Seat

    found = shutil.which("chromium")
    if found is None:
        sys.exit("there is no chromium here")
    data = review_data(review_game(demo_game(), Seat(0))) | {"lang": "en"}
    PICTURE.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "review.html"
        file.write_text(page_html("review", data, "haiyomi"), encoding="utf-8")
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=found, args=arguments)
        context = browser.new_context(
            viewport={"width": WIDTH, "height": HEIGHT}, offline=True, color_scheme="light"
        )
        page = context.new_page()
        page.goto(file.as_uri())
        # The mistake that was the likeliest to deal in: there is most to see.
        rows = page.locator("section.wide table").first.locator("tbody tr")
        shares = [re.findall(r"([\d.]+)%", row.inner_text()) for row in rows.all()]
        risks = [max(map(float, share), default=0.0) for share in shares]
        rows.nth(risks.index(max(risks))).locator("button").first.click()
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=str(PICTURE))
        browser.close()
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size / 1e3:.0f} KB")


if __name__ == "__main__":
    main()
