"""The OpenAPI description as one page without a script."""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

from haiyomi.apps.web.static_page import static_page


def api_page(openapi: dict[str, Any]) -> tuple[str, str]:
    """The page, and its content policy."""
    parts = [
        _operation(path, method, operation)
        for path, methods in openapi["paths"].items()
        for method, operation in methods.items()
    ]
    schemas = [_schema(name, s) for name, s in sorted(openapi["components"]["schemas"].items())]
    info = openapi["info"]
    body = (
        f"<p>{escape(info['description'])} Everything below is under "
        '<code>/api/v1</code>; <a href="/api/v1/openapi.json">openapi.json</a> is the machine\'s '
        "copy of this page. An error is always <code>{&quot;error&quot;: {&quot;code&quot;, "
        "&quot;message&quot;}}</code>.</p>"
        f"<h2>Requests</h2>{''.join(parts)}<h2>Values</h2>{''.join(schemas)}"
    )
    heading = f"{escape(info['title'])} {escape(info['version'])} &middot; API"
    return static_page(f"{info['title']} API", heading, body)


def _operation(path: str, method: str, operation: dict[str, Any]) -> str:
    rows = [
        f"<li><code>{escape(p['name'])}</code> ({escape(p['in'])}) "
        f"{escape(str(p.get('description') or _type(p['schema'])))}</li>"
        for p in operation.get("parameters", [])
    ]
    body = operation.get("requestBody", {}).get("content", {})
    takes = "".join(
        f"<li>body <code>{escape(kind)}</code>: {_type(content.get('schema', {}))}</li>"
        for kind, content in body.items()
    )
    gives = "".join(
        f"<li><strong>{escape(code)}</strong> {escape(reply['description'])}: "
        f"{_type(_content(reply))}</li>"
        for code, reply in sorted(operation["responses"].items())
    )
    text = _text(operation.get("description", operation.get("summary", "")))
    return (
        f'<section class="card"><h3><code>{escape(method.upper())} {escape(path)}</code></h3>'
        f"<p>{text}</p><ul>{''.join(rows)}{takes}</ul><details><summary>Replies</summary>"
        f"<ul>{gives}</ul></details></section>"
    )


def _text(text: str) -> str:
    """A docstring: paragraphs unbroken, names between double backquotes as code."""
    return re.sub(r"``(.+?)``", r"<code>\1</code>", escape(" ".join(text.split())))


def _content(reply: dict[str, Any]) -> dict[str, Any]:
    for content in reply.get("content", {}).values():
        schema: dict[str, Any] = content.get("schema", {})
        return schema
    return {}


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return f'<a href="#{escape(name)}">{escape(name)}</a>'
    either = schema.get("anyOf") or schema.get("oneOf")
    if either:
        return " or ".join(_type(one) for one in either)
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if "enum" in schema:
        return " | ".join(f"<code>{escape(json.dumps(v))}</code>" for v in schema["enum"])
    if "const" in schema:
        return f"<code>{escape(json.dumps(schema['const']))}</code>"
    return escape(str(schema.get("type", "nothing" if not schema else "anything")))


def _schema(name: str, schema: dict[str, Any]) -> str:
    needed = set(schema.get("required", []))
    rows = "".join(
        f"<tr><th scope='row'><code>{escape(field)}</code></th><td>{_type(value)}"
        f"{'' if field in needed else ' (may be left out)'}</td></tr>"
        for field, value in schema.get("properties", {}).items()
    )
    example = "".join(
        f"<pre>{escape(json.dumps(e, indent=1))}</pre>" for e in schema.get("examples", [])
    )
    return (
        f'<section class="card" id="{escape(name)}"><h3>{escape(name)}</h3>'
        f"<p>{_text(schema.get('description', ''))}</p><table><tbody>{rows}</tbody></table>"
        f"{example}</section>"
    )
