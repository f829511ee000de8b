"""The document: one file, nothing fetched, and no name that could become markup."""

from __future__ import annotations

import base64
import hashlib
import json
import pathlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from review.fake_model import fake_analyzer
from review.made_games import made_game

from haiyomi.review.html.data import review_data
from haiyomi.review.html.document import content_policy, page_html, script_json
from haiyomi.review.reviewer import review_game
from haiyomi.tiles import Seat

EVIL = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "\"'><svg/onload=alert(1)>&lt;\u2028",
    "<!--<script>{name}",
)


class _Seen(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {"script": [], "style": []}
        self._open = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in self.inside:
            self._open = tag
            self.inside[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open:
            self.inside[self._open][-1] += data


def _page(names: tuple[str, str, str, str] = EVIL) -> str:
    game = made_game(3)
    game = replace(game, header=replace(game.header, names=names))
    data = review_data(review_game(game, Seat(1), fake_analyzer()))
    return page_html("review", data, f"haiyomi {names[1]}")


def test_names_never_become_markup() -> None:
    text = _page()
    seen = _Seen(text)
    tags = [tag for tag, _ in seen.tags]
    assert tags.count("script") == 2
    assert "img" not in tags
    assert not [a for _, attrs in seen.tags for a in attrs if a.startswith("on")]
    data, _script = seen.inside["script"]
    assert json.loads(data)["names"] == list(EVIL)
    assert "<" not in data
    assert ">" not in data


def test_any_text_survives_the_script_element() -> None:
    value = {"a": "</script>\u2028\u2029&<!--\ud800\x00", "b": [1.5, None, "文字"]}
    text = script_json(value)
    assert json.loads(text) == value
    assert not set("<>&\u2028\u2029") & set(text)
    text.encode("utf-8")


def test_nothing_is_fetched() -> None:
    text = _page(("a", "b", "c", "d"))
    outside = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"'<>)]*", text))
    assert outside <= {"http://www.w3.org/2000/svg"}
    for _, attrs in _Seen(text).tags:
        for name in ("src", "href", "action", "data"):
            assert (attrs.get(name) or "#").startswith(("#", "data:,"))
    assert "@import" not in text
    assert "url(" not in text


def test_the_policy_names_the_script_and_style_that_are_there() -> None:
    seen = _Seen(_page())
    meta = next(a for t, a in seen.tags if t == "meta" and a.get("http-equiv"))
    policy = meta["content"] or ""
    for kind, body in (("script", seen.inside["script"][1]), ("style", seen.inside["style"][0])):
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in content_policy("review")


def test_the_script_makes_no_markup_from_text() -> None:
    folder = pathlib.Path(__file__).parent.parent.parent / "src/haiyomi/review/html/assets"
    scripts = list(folder.glob("*.js"))
    assert scripts
    for path in scripts:
        text = path.read_text(encoding="utf-8")
        for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert way not in text, path.name
        assert "new Function" not in text, path.name


@pytest.mark.corpus
def test_a_long_real_game_stays_under_three_megabytes(corpus: pathlib.Path) -> None:
    import zipfile

    from haiyomi.logs.load import parse

    with zipfile.ZipFile(corpus / "valid.zip") as archive:
        longest = max(archive.infolist()[:150], key=lambda e: e.file_size)
        game = parse(archive.read(longest))
    review = review_game(game, Seat(0))
    size = len(page_html("review", review_data(review), "x").encode())
    assert 100_000 < size < 3_000_000
