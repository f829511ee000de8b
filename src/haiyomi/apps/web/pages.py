"""The server's pages: the library, a review, the position editor, the API's description."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from haiyomi.apps.web.answers import as_json, page
from haiyomi.apps.web.api import stats_of
from haiyomi.apps.web.api_page import api_page
from haiyomi.apps.web.library_rows import unpacked
from haiyomi.apps.web.limits import LONGEST_NAME
from haiyomi.apps.web.refused import Refused
from haiyomi.apps.web.schemas import (
    EXAMPLE,
    PositionRequest,
    Record,
    ReviewStatus,
)
from haiyomi.apps.web.state import State, state_of
from haiyomi.dealin.models import DEFAULT, NO_TEDASHI
from haiyomi.errors import HaiyomiError
from haiyomi.review.html.document import content_policy, page_html

router = APIRouter(include_in_schema=False)


def _page(kind: str, data: Any, title: str) -> HTMLResponse:
    policy = content_policy(kind, "'self'") + "; frame-ancestors 'none'"
    return HTMLResponse(
        page_html(kind, data, title, policy=False), headers={"content-security-policy": policy}
    )


@router.get("/")
async def library(request: Request) -> HTMLResponse:
    """The library, where records come in."""
    return _page("library", _library_data(state_of(request)), "haiyomi")


def _library_data(state: State, watch: str | None = None) -> dict[str, object]:
    return {
        "kind": "library",
        "records": [Record.of(r).model_dump() for r in state.library.records()],
        "reviews": [ReviewStatus.of(r).model_dump() for r in state.library.reviews()],
        "players": [{"name": n, "games": g} for n, g in state.library.players(DEFAULT)],
        "watch": watch,
        "upload": state.limits.upload,
    }


@router.get("/reviews/{key}")
async def review(request: Request, key: str) -> Response:
    """A review, or how far it is."""
    state = state_of(request)
    stored = state.library.review(key)
    if stored is None:
        raise Refused(404, "not_found", "there is no such review")
    packed = state.library.page(key)
    if packed is None:
        return _page("library", _library_data(state, key), "haiyomi")
    more = {"recordId": stored.record, "forgets": stored.model == NO_TEDASHI}
    more |= {"home": "/", "key": key, "file": f"/reviews/{key}/file", "record": stored.record_name}
    title = f"haiyomi - {stored.player or stored.record_name}"
    # A page of a whole game takes a while: others are served meanwhile.
    return await asyncio.to_thread(lambda: _page("review", unpacked(key, packed) | more, title))


@router.get("/reviews/{key}/file")
async def review_file(request: Request, key: str) -> Response:
    """A review as one file to keep."""
    state = state_of(request)
    packed = state.library.page(key)
    if packed is None:
        raise Refused(404, "not_found", "there is no such review, or it is not done yet")
    headers = {"content-disposition": f'attachment; filename="haiyomi-{key}.html"'}
    return await asyncio.to_thread(
        lambda: HTMLResponse(
            page_html("review", unpacked(key, packed), "haiyomi review"), headers=headers
        )
    )


@router.get("/players")
async def player(
    request: Request, name: Annotated[str, Query(min_length=1, max_length=LONGEST_NAME)]
) -> HTMLResponse:
    """One player's games in the library."""
    stored = state_of(request).library.games_of(name, DEFAULT)
    data = {"kind": "stats", "home": "/", "reviews": [key for key, _ in stored]}
    return await asyncio.to_thread(
        lambda: _page("stats", data | stats_of(stored, name, DEFAULT), f"haiyomi - {name}")
    )


@router.get("/position")
async def position() -> HTMLResponse:
    """The position editor."""
    return _page("position", {"kind": "editor", "example": EXAMPLE["position"]}, "haiyomi")


@router.post("/position/data")
async def position_data(request: Request, question: PositionRequest) -> Response:
    """What the position editor draws, or the ``problem`` of a position in the making."""
    names = question.names or [""] * 4
    try:
        body = await state_of(request).answer(
            request, page, question.position.plain(), names, question.model
        )
    except HaiyomiError as error:
        body = as_json({"kind": "problem", "problem": str(error)})
    return Response(body, media_type="application/json")


@router.get("/api")
async def description(request: Request) -> HTMLResponse:
    """The API, described from its own OpenAPI."""
    text, policy = api_page(request.app.openapi())
    return HTMLResponse(text, headers={"content-security-policy": policy})


@router.get("/api/v1")
async def version_one() -> RedirectResponse:
    """To its description."""
    return RedirectResponse("/api")
