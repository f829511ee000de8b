"""The REST API under /api/v1."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

import haiyomi
from haiyomi.apps.web.answers import as_json, confirmed, hands, options, played, style, win
from haiyomi.apps.web.library_errors import BusyError, DamagedRowError, LibraryError, NoSpaceError
from haiyomi.apps.web.library_rows import text_of
from haiyomi.apps.web.limits import LONGEST_NAME
from haiyomi.apps.web.option_schemas import OptionsReply, OptionsRequest
from haiyomi.apps.web.player_schemas import Player, StatsReply, StyleReply, StyleRequest
from haiyomi.apps.web.refused import Refused
from haiyomi.apps.web.schemas import (
    ConfirmRequest,
    ErrorReply,
    HandsReply,
    HandsRequest,
    Health,
    ModelQuery,
    PlayedRequest,
    PositionRequest,
    Record,
    ReviewRequest,
    ReviewStatus,
    RiskReply,
    Uploaded,
    WinReply,
    WinRequest,
)
from haiyomi.apps.web.state import State, state_of
from haiyomi.dealin.models import DEFAULT, MODELS
from haiyomi.errors import HaiyomiError, RecordError
from haiyomi.play.demo import NAME, demo_bytes
from haiyomi.review.find import find_seat

ERRORS: dict[int | str, dict[str, object]] = {
    code: {"model": ErrorReply, "description": description}
    for code, description in {
        400: "the request cannot be read",
        403: "the request came from another site's page",
        404: "there is no such thing",
        408: "the request took too long to arrive",
        409: "not ready yet, or damaged in the library",
        413: "too large, or takes too much memory or time to read",
        415: "not the content type that is wanted",
        421: "the request names another host",
        422: "the request can be read, but what it says is wrong",
        429: "too much is waiting already",
        503: "too busy, or the answer took too long",
        507: "the disk is full, or the library may not be written",
    }.items()
}
router = APIRouter(
    prefix="/api/v1",
    responses={k: ERRORS[k] for k in (400, 403, 408, 409, 413, 415, 421, 422, 503, 507)},
)
_PLAYING = 0.7
"""The part of the time for an answer in which worlds are begun."""
KeyPath = Annotated[str, Path(description="an id, 16 hex digits")]
_OCTETS = {
    "requestBody": {
        "required": True,
        "content": {
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}


def _gone(what: str) -> Refused:
    return Refused(404, "not_found", f"there is no such {what}")


@router.get("/health", response_model=Health, tags=["server"])
async def health(request: Request) -> Health:
    """Whether the server is there, its version and its models; 503 where its library cannot be
    read."""
    state = state_of(request)
    state.library.records(1)
    return Health(
        name="haiyomi", version=haiyomi.__version__, models=list(MODELS),
        reviewing=state.reviewing.alive,
    )  # fmt: skip


# -- records -------------------------------------------------------------------------------


@router.post(
    "/records",
    status_code=201,
    response_model=Uploaded,
    tags=["records"],
    responses={429: ERRORS[429]},
    openapi_extra=_OCTETS,
)
async def add_records(
    request: Request,
    name: Annotated[str, Query(max_length=200, description="a name to show")] = "upload",
) -> Uploaded:
    """Add the records in the body: mjlog, Tenhou JSON, mjai or Mahjong Soul's; gzipped or in
    a zip if you like.

    The body is the file itself (``application/octet-stream``). 422 where nothing in it can
    be read; what can be read is kept even where other entries of a zip cannot.
    """
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/octet-stream":
        raise Refused(415, "content_type", "send the file itself as application/octet-stream")
    data = await request.body()
    return await _add(request, name, data)


async def _add(request: Request, name: str, data: bytes) -> Uploaded:
    state = state_of(request)
    games, errors = await state.read(request, name, data)
    stored = await state.write(lambda: state.library.add_records(games, state.limits.kept))
    if stored is None:
        raise Refused(429, "library_full", f"the library holds {state.limits.kept} records at most")
    return Uploaded(records=[Record.of(record) for record in stored], errors=errors)


@router.post("/records/bundled", status_code=201, response_model=Uploaded, tags=["records"])
async def add_bundled(request: Request) -> Uploaded:
    """Add the record that comes with the package."""
    await request.body()  # what comes after it is the end of the connection
    return await _add(request, NAME, demo_bytes())


@router.get("/records", response_model=list[Record], tags=["records"])
async def list_records(request: Request) -> list[Record]:
    """The newest 200 records of the library."""
    return [Record.of(r) for r in state_of(request).library.records()]


@router.delete("/records/{key}", status_code=204, tags=["records"], responses={404: ERRORS[404]})
async def delete_record(request: Request, key: KeyPath) -> None:
    """Delete a record and its reviews."""
    state = state_of(request)
    if not await state.write(lambda: state.library.delete_record(key)):
        raise _gone("record")


# -- reviews -------------------------------------------------------------------------------


@router.post(
    "/reviews",
    status_code=202,
    response_model=ReviewStatus,
    tags=["reviews"],
    responses={k: ERRORS[k] for k in (404, 429)},
)
async def ask_review(request: Request, question: ReviewRequest) -> ReviewStatus:
    """Review one seat of a record in the background; the same seat is reviewed once."""
    state = state_of(request)
    if (question.record_id is None) == (question.record is None):
        raise Refused(422, "bad_request", "give either record_id or record")
    if (question.seat is None) == (question.player is None):
        raise Refused(
            422, "bad_request", "give either seat or player: whose decisions are reviewed"
        )
    if question.record is not None:
        text = question.record.encode("utf-8", "replace")
        added = await _add(request, "pasted", text)
        record = state.library.record(added.records[0].id)
    else:
        record = state.library.record(question.record_id or "")
    if record is None:
        raise _gone("record")
    seat = find_seat(record.names, question.seat, question.player, None)
    asked = (record.id, int(seat), question.model, record.hands, state.limits.waiting)
    key = await state.write(lambda: state.library.ask(*asked))
    if key is None:
        raise Refused(429, "queue_full", f"{state.limits.waiting} reviews are waiting already")
    state.reviewing.wake()
    return _review(state, key)


def _review(state: State, key: str) -> ReviewStatus:
    stored = state.library.review(key)
    if stored is None:
        raise _gone("review")
    return ReviewStatus.of(stored)


@router.get("/reviews", response_model=list[ReviewStatus], tags=["reviews"])
async def list_reviews(request: Request) -> list[ReviewStatus]:
    """The newest 200 reviews of the library, in any state."""
    return [ReviewStatus.of(r) for r in state_of(request).library.reviews()]


@router.get(
    "/reviews/{key}", response_model=ReviewStatus, tags=["reviews"], responses={404: ERRORS[404]}
)
async def get_review(request: Request, key: KeyPath) -> ReviewStatus:
    """How far a review is."""
    return _review(state_of(request), key)


@router.get(
    "/reviews/{key}/result",
    response_model=dict[str, object],
    tags=["reviews"],
    responses={404: ERRORS[404], 409: ERRORS[409]},
)
async def get_result(request: Request, key: KeyPath) -> Response:
    """A finished review, as ``haiyomi review --json`` prints it, without the distributions of
    points, described in the manual under 'JSON of the commands'; 409 until it is done."""
    state = state_of(request)
    review = _review(state, key)
    result = state.library.result(key)
    if result is None:
        raise Refused(409, "not_done", f"the review is {review.state}")
    body = await asyncio.to_thread(text_of, key, result)
    return Response(body, media_type="application/json")


@router.post(
    "/reviews/{key}/played",
    response_model=dict[str, object],
    tags=["reviews"],
    responses={404: ERRORS[404]},
)
async def play_on(request: Request, key: KeyPath, question: PlayedRequest) -> Response:
    """The options of a decision, each played to the end of the hand in drawn worlds, as
    ``haiyomi value --playouts --json`` prints them, described in the manual under 'JSON of the
    commands'.

    More worlds begin with the same ones, so that a caller may ask for 64, then 128 and so on, and
    show what is found until then; a call whose client leaves ends. If the time for an answer
    is not enough, the answer is of fewer worlds, and says how many.
    """
    state = state_of(request)
    review = _review(state, key)
    body = await state.answer(
        request, played, review.seat, question.hand, question.event, question.worlds,
        _PLAYING * state.limits.answer, *state.library.stored(review.record_id), long=True,
    )  # fmt: skip
    return Response(body, media_type="application/json")


@router.post(
    "/reviews/{key}/confirmed",
    response_model=dict[str, object],
    tags=["reviews"],
    responses={404: ERRORS[404]},
)
async def confirm(request: Request, key: KeyPath, question: ConfirmRequest) -> Response:
    """One option of a decision against the one that was taken, both played to the end of the hand:
    as ``confirmed`` of ``haiyomi review --confirm --json``, described in the manual under 'JSON of
    the commands', with a ``sentence`` by language."""
    state = state_of(request)
    review = _review(state, key)
    asked = (review.seat, question.hand, question.event, question.better, question.taken)
    record = state.library.stored(review.record_id)
    body = await state.answer(request, confirmed, *asked, review.model, *record, long=True)
    return Response(body, media_type="application/json")


@router.delete("/reviews/{key}", status_code=204, tags=["reviews"], responses={404: ERRORS[404]})
async def delete_review(request: Request, key: KeyPath) -> None:
    """Delete a review; its record stays."""
    state = state_of(request)
    if not await state.write(lambda: state.library.delete_review(key)):
        raise _gone("review")


# -- players -------------------------------------------------------------------------------


@router.get("/players", response_model=list[Player], tags=["players"])
async def list_players(request: Request, model: ModelQuery = DEFAULT) -> list[Player]:
    """Whose games in the library a model has reviewed, the most games first."""
    found = state_of(request).library.players(model)
    return [Player(name=name, games=games) for name, games in found]


@router.get(
    "/players/stats",
    response_model=StatsReply,
    tags=["players"],
    responses={404: ERRORS[404]},
)
async def player_stats(
    request: Request,
    name: Annotated[
        str, Query(min_length=1, max_length=LONGEST_NAME, description="the player's name")
    ],
    model: ModelQuery = DEFAULT,
) -> Response:
    """What dealing in was expected to cost a player over the reviewed games, and what it cost."""
    stored = state_of(request).library.games_of(name, model)
    # Those of many games take a while: others are served meanwhile.
    body = await asyncio.to_thread(lambda: as_json(stats_of(stored, name, model)))
    return Response(body, media_type="application/json")


def stats_of(stored: Sequence[tuple[str, str]], name: str, model: str) -> dict[str, object]:
    """The figures of a player's ``Library.games_of``. Raises Refused (404) where there are none,
    DamagedRowError."""
    from haiyomi.review.stats import player_stats as together
    from haiyomi.review.stats_out import stats_json
    from haiyomi.review.stats_store import game_from_json

    games = []
    for key, text in stored:
        try:
            games.append(game_from_json(json.loads(text)))
        except (ValueError, KeyError, TypeError, AttributeError, HaiyomiError):
            raise DamagedRowError.of("review", key) from None
    if not games:
        raise _gone("player among the reviewed games")
    return stats_json(together(name, model, games))


# -- positions -----------------------------------------------------------------------------


@router.post(
    "/positions/risk",
    response_model=RiskReply,
    tags=["positions"],
)
async def position_risk(request: Request, question: PositionRequest) -> Response:
    """The deal-in risk of every tile in a position."""
    names = question.names or [""] * 4
    body = await state_of(request).risk(
        request, question.position.plain(), names, question.model, question.points
    )
    # Made by hand: checking about two thousand numbers once more would double the time.
    return Response(body, media_type="application/json")


@router.post(
    "/positions/hands",
    response_model=HandsReply,
    tags=["positions"],
)
async def position_hands(request: Request, question: HandsRequest) -> Response:
    """What each opponent may hold, by the network of opponents or by the CRF of Nemoto, Komiya and
    Kotani."""
    names = question.names or [""] * 4
    body = await state_of(request).answer(
        request, hands, question.position.plain(), names, question.hands_model
    )
    return Response(body, media_type="application/json")


@router.post(
    "/positions/options",
    response_model=OptionsReply,
    tags=["positions"],
)
async def position_options(request: Request, question: OptionsRequest) -> Response:
    """What will come of every option of the viewer's turn, best first: how the hand ends, the
    expected change of score, the places."""
    body = await state_of(request).answer(
        request, options, question.position.plain(), question.payoff
    )
    return Response(body, media_type="application/json")


@router.post("/hands/win", response_model=WinReply, tags=["hands"])
async def hand_win(request: Request, question: WinRequest) -> Response:
    """How likely a hand is to win by own draws (no ron, no calls), by turn, for each discard."""
    body = await state_of(request).answer(request, win, question.plain())
    return Response(body, media_type="application/json")


@router.post(
    "/players/style",
    response_model=StyleReply,
    tags=["players"],
    responses={404: ERRORS[404]},
)
async def player_style(request: Request, question: StyleRequest) -> Response:
    """What kind of player somebody is, by the hanchan among records of the library."""
    state = state_of(request)
    library = state.library
    keys = question.record_ids
    if keys is None:
        part = question.player.casefold()
        newest = library.records(state.limits.kept)
        keys = [r.id for r in newest if any(part in n.casefold() for n in r.names)][:200]
    names, stored = [], []
    room = state.limits.upload
    for key in dict.fromkeys(keys):
        record = library.record(key)
        if record is None:
            raise _gone("record")
        names.append(record.name)
        stored.append(library.stored(key))
        room -= len(stored[-1][1])
        if room < 0:
            raise Refused(413, "too_large", "these records are too large together")
    if not names:
        raise Refused(
            422, "bad_request", f"no record in the library has a player named {question.player!r}"
        )
    ids, blobs, digests = zip(*stored, strict=True)
    body = await state.answer(
        request, style, question.player, names, ids, digests, *blobs, long=True
    )
    return Response(body, media_type="application/json")


def error_of(error: HaiyomiError) -> tuple[int, str]:
    """Status and code of an error."""
    from haiyomi.errors import PositionError, SizeError

    if isinstance(error, SizeError):
        return 413, "too_large"
    if isinstance(error, RecordError):
        return 422, "bad_record"
    if isinstance(error, NoSpaceError):
        return 507, "no_space"
    if isinstance(error, DamagedRowError):
        return 409, "damaged"
    if isinstance(error, LibraryError):
        return 503, "too_busy" if isinstance(error, BusyError) else "library"
    return 422, "bad_position" if isinstance(error, PositionError) else "bad_request"
