"""A page of text alone, without a script."""

from __future__ import annotations

from html import escape

from haiyomi.review.html.document import style_hash, style_of


def static_page(title: str, heading: str, body: str) -> tuple[str, str]:
    """The page, of a ``heading`` and a ``body`` in HTML, and its content policy."""
    text = (
        '<!doctype html>\n<html lang="en" data-theme="auto"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
        f"<title>{escape(title)}</title><style>{style_of()}</style></head><body>"
        f'<div id="app"><header class="top"><div class="brand"><h1>{heading}</h1>'
        f'<a href="/">library</a></div></header><main class="doc">{body}</main></div>'
        "</body></html>\n"
    )
    policy = (
        f"default-src 'none'; style-src '{style_hash()}'; img-src data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    )
    return text, policy
