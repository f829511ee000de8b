"""Whole HTML documents: style, tiles, script and data in one file, and nothing fetched.

The content policy in the file allows the file's own script and style, by their hashes, and
nothing else; text from a record only ever reaches the page as JSON that the script reads.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

from haiyomi.review.catalogue import LANGUAGES, Tree, section
from haiyomi.review.html.tileset import symbols

SCRIPTS: dict[str, tuple[str, ...]] = {
    "review": (
        "dom",
        "words",
        "table",
        "hand",
        "panels",
        "sections",
        "options",
        "whatif",
        "timeline",
        "summary",
        "review",
    ),
    "stats": ("dom", "words", "options", "stats"),
    "drill": ("dom", "words", "table", "hand", "panels", "sections", "options", "drill"),
    "batch": ("dom", "words", "batch"),
    "library": ("dom", "words", "frame", "library"),
    "position": (
        "dom",
        "words",
        "frame",
        "table",
        "hand",
        "panels",
        "sections",
        "options",
        "position",
    ),
}
"""The script files of each kind of page, in order."""
SECTIONS: dict[str, tuple[str, ...]] = {
    "review": ("page",),
    "stats": ("page", "stats_page"),
    "drill": ("page", "drill"),
    "batch": ("page", "batch"),
    "library": ("page", "server"),
    "position": ("page", "server"),
}
"""The sections of the catalogue that each kind of page speaks from, beside hands and tiles."""
STYLES = ("page",)
_NO_SCRIPT = " / ".join(
    f'<span lang="{tag}">{text}</span>'
    for tag, text in (
        ("en", "This page is drawn by its own script: allow scripts for this file."),
        ("ja", "このページの表示にはスクリプトが必要です。"),
        ("zh-Hans", "此页面由自带的脚本绘制，请允许运行脚本。"),
        ("ko", "이 페이지를 표시하려면 스크립트가 필요합니다."),
    )
)


def page_html(kind: str, data: Any, title: str, lang: str = "en", policy: bool = True) -> str:
    """One page; ``data`` is what its script draws.

    ``policy``: write the content policy into the file (a server sends it as a header).
    """
    script, style = script_of(kind), style_of()
    tag = "zh-Hans" if lang == "zh" else html.escape(lang)
    meta = (
        f'<meta http-equiv="Content-Security-Policy" content="{content_policy(kind)}">'
        if policy
        else ""
    )
    return (
        f'<!doctype html>\n<html lang="{tag}">\n<head>\n<meta charset="utf-8">\n'
        f'{meta}\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{html.escape(title)}</title>\n"
        f'<link rel="icon" href="data:,">\n<style>{style}</style>\n</head>\n<body>\n'
        f"{symbols()}\n"
        f'<noscript><p class="noscript">{_NO_SCRIPT}</p></noscript>\n'
        '<div id="app"></div>\n'
        f'<script type="application/json" id="data">{script_json(data)}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def script_json(value: Any) -> str:
    """JSON that may stand inside a script element, whatever texts it holds."""
    text = json.dumps(
        value, ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
    )
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    # A lone surrogate cannot be written as UTF-8.
    return text.encode("utf-8", "backslashreplace").decode()


@lru_cache(maxsize=8)
def script_of(kind: str) -> str:
    """The script of a kind of page: its files, in one function so that no name leaks."""
    parts = "\n".join((_words(kind), *(_asset(f"{name}.js") for name in SCRIPTS[kind])))
    return f'"use strict";(() => {{\n{parts}\n}})();'


def _words(kind: str) -> str:
    """The texts of a kind of page in every language, as the constant WORDS."""
    found = {}
    for language in LANGUAGES:
        words: dict[str, Tree] = {name: section(language, name) for name in ("hand", "tile")}
        for name in SECTIONS[kind]:
            words |= section(language, name)
        found[language] = words
    return f"const WORDS = {script_json(found)};"


@lru_cache(maxsize=1)
def style_of() -> str:
    """The style of every page."""
    return "\n".join(_asset(f"{name}.css") for name in STYLES)


def style_hash() -> str:
    """The hash of the style, as a content policy names it."""
    return _hash(style_of())


def content_policy(kind: str, connect: str = "'none'") -> str:
    """The content policy: the page's own script and style by hash, all else refused."""
    return (
        f"default-src 'none'; script-src '{_hash(script_of(kind))}'; "
        f"style-src '{style_hash()}'; img-src data:; connect-src {connect}; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _asset(name: str) -> str:
    text = files("haiyomi.review.html").joinpath("assets", name).read_text(encoding="utf-8")
    # A closing tag inside would end the element that the file is written into.
    assert "</script" not in text
    assert "</style" not in text
    return text
