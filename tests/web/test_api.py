"""The API: what it does, what it refuses, and what it never does."""

from __future__ import annotations

import gzip
import io
import json
import sys
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest
from served import demo_bytes, error_of, evil_record, typed

from haiyomi.apps.web.library import Library
from haiyomi.apps.web.library_errors import LibraryError
from haiyomi.apps.web.player_schemas import StatsReply, StyleReply
from haiyomi.apps.web.schemas import (
    EXAMPLE,
)
from haiyomi.logs.load import parse, write
from haiyomi.play.demo import demo_game
from haiyomi.review import stats_store
from haiyomi.review.json_out import review_json
from haiyomi.review.reviewer import review_game
from haiyomi.tiles import Seat

OCTETS = {"content-type": "application/octet-stream"}
JSON = {"content-type": "application/json"}
_OPENED: list[str] = []
_CONNECTED: list[Any] = []
_HOOKED: list[bool] = []


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(args[0], str | bytes):
        _OPENED.append(args[0] if isinstance(args[0], str) else args[0].decode("latin-1"))
    elif event == "socket.connect":
        _CONNECTED.append(args[1])


@pytest.fixture
def watched() -> None:
    """Every file that is opened and every connection made in this process from now on."""
    if not _HOOKED:
        sys.addaudithook(_watch)
        _HOOKED.append(True)
    _OPENED.clear()
    _CONNECTED.clear()


def _upload(client: Any, body: bytes, name: str = "game.mjlog") -> Any:
    return client.post("/api/v1/records", params={"name": name}, content=body, headers=OCTETS)


def _wait(client: Any, key: str) -> Any:
    for _ in range(600):
        review = client.get(f"/api/v1/reviews/{key}").json()
        if review["state"] in ("done", "failed"):
            return review
        time.sleep(0.1)
    raise AssertionError(f"not done in a minute: {review}")


def test_upload_review_result_page(client: Any) -> None:
    added = _upload(client, demo_bytes())
    assert added.status_code == 201
    (record,) = added.json()["records"]
    assert len(record["names"]) == 4
    response = client.post("/api/v1/reviews", json={"record_id": record["id"], "seat": 1})
    assert response.status_code == 202
    key = response.json()["id"]
    again = client.post(
        "/api/v1/reviews", json={"record_id": record["id"], "player": record["names"][1]}
    )
    assert again.json()["id"] == key
    review = _wait(client, key)
    assert (review["state"], review["done"]) == ("done", record["hands"])
    result = client.get(f"/api/v1/reviews/{key}/result").json()
    assert (result["schema"], result["seat"]) == ("haiyomi-review", 1)
    # The same floats as `haiyomi review --json`, without the distributions of points.
    mine = review_json(review_game(demo_game(), Seat(1)), points=False)
    assert result == json.loads(json.dumps(mine))
    page = client.get(f"/reviews/{key}")
    assert page.status_code == 200
    name = record["names"][1]
    assert {"name": name, "games": 1} in client.get("/api/v1/players").json()
    stats = client.get("/api/v1/players/stats", params={"name": name}).json()
    typed(StatsReply, stats)
    assert (stats["player"], len(stats["games"])) == (name, 1)
    assert stats["total"]["discards"] == result["totals"]["decisions"]
    assert client.get("/players", params={"name": name}).status_code == 200
    error_of(client.get("/api/v1/players/stats?name=nobody"), 404, "not_found")
    error_of(client.get(f"/api/v1/players/stats?name={name}&model=none"), 422, "invalid")
    file = client.get(f"/reviews/{key}/file")
    assert "attachment" in file.headers["content-disposition"]
    assert "Content-Security-Policy" in file.text
    assert [r["id"] for r in client.get("/api/v1/reviews").json()].count(key) == 1
    assert client.delete(f"/api/v1/reviews/{key}").status_code == 204
    error_of(client.get(f"/api/v1/reviews/{key}"), 404, "not_found")


@pytest.mark.parametrize("path", ["/api/v1/players/stats", "/players"])
def test_a_position_is_answered_while_many_games_are_summed(
    client: Any, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """5000 games kept everybody waiting for a second."""
    began, answered = threading.Event(), threading.Event()

    def read(_: object) -> None:
        began.set()
        assert answered.wait(20)
        raise ValueError

    monkeypatch.setattr(Library, "games_of", lambda *_: [("a", "{}")])
    monkeypatch.setattr(stats_store, "game_from_json", read)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(client.get, path, params={"name": "x"})
        assert began.wait(20)
        assert client.post("/api/v1/positions/risk", json=EXAMPLE).status_code == 200
        answered.set()
        error_of(asked.result(), 409, "damaged")


def test_names_are_data_on_every_page(client: Any) -> None:
    (record,) = _upload(client, evil_record(), "<b>&name").json()["records"]
    key = client.post("/api/v1/reviews", json={"record_id": record["id"], "seat": 0}).json()["id"]
    assert _wait(client, key)["state"] == "done"
    of_player = "/players?name=" + quote(record["names"][0])
    for path in ("/", f"/reviews/{key}", f"/reviews/{key}/file", of_player):
        text = client.get(path).text
        assert "<script>alert" not in text
        assert "<img" not in text
        assert "<b>&name" not in text
        assert text.count("</script>") == 2


@pytest.mark.parametrize("form", ["mjlog", "tenhou6", "mjai"])
def test_a_record_pasted_in_any_format(client: Any, form: str) -> None:
    game = parse(demo_bytes())
    from dataclasses import replace

    text = write(replace(game, hands=game.hands[:2]), form)
    response = client.post("/api/v1/reviews", json={"record": text, "seat": 3})
    assert response.status_code == 202, response.text
    assert _wait(client, response.json()["id"])["state"] == "done"
    # In three formats it is one game.
    assert {"name": game.header.names[3], "games": 1} in client.get("/api/v1/players").json()


def test_uploads_packed_and_not(client: Any) -> None:
    assert _upload(client, gzip.compress(demo_bytes())).status_code == 201
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("one.mjlog", demo_bytes())
        archive.writestr("../../etc/two.mjlog", gzip.compress(demo_bytes()))
        archive.writestr("bad.txt", "no record")
    reply = _upload(client, packed.getvalue(), "games.zip").json()
    assert len(reply["records"]) == 2
    assert len(reply["errors"]) == 1
    assert "bad.txt" in reply["errors"][0]


@pytest.mark.parametrize(
    ("whose", "code"),
    [({}, "bad_request"), ({"seat": None}, "bad_request"), ({"seat": True}, "invalid"),
     ({"seat": "0"}, "invalid"), ({"seat": 4}, "invalid"),
     ({"seat": 0, "player": "a"}, "bad_request")],
)  # fmt: skip
def test_a_review_without_a_seat_that_there_is_is_refused(
    client: Any, whose: dict[str, Any], code: str
) -> None:
    (record,) = _upload(client, demo_bytes()).json()["records"]
    reply = client.post("/api/v1/reviews", json={"record_id": record["id"], **whose})
    assert "--" not in error_of(reply, 422, code)


def test_what_is_too_much_is_refused(client: Any) -> None:
    error_of(_upload(client, b"x" * (1 << 20 | 1)), 413, "too_large")

    def pieces() -> Any:
        for _ in range(40):
            yield b"x" * 65536

    error_of(client.post("/api/v1/records", content=pieces(), headers=OCTETS), 413, "too_large")
    bomb = gzip.compress(b"<mjloggm>" + b" " * (8 << 20))
    assert len(bomb) < 1 << 20
    error_of(_upload(client, bomb), 413, "too_large")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.mjlog", b" " * (8 << 20))
    error_of(_upload(client, packed.getvalue()), 413, "too_large")
    game = parse(demo_bytes())
    from dataclasses import replace

    one = write(replace(game, hands=game.hands[:1]), "mjai")
    error_of(_upload(client, (one * 6).encode()), 413, "too_large")
    big = {"position": {**EXAMPLE["position"], "rules": "x" * 300_000}}
    error_of(client.post("/api/v1/positions/risk", json=big), 413, "too_large")


@pytest.mark.parametrize(
    ("body", "code"),
    [(b"", "bad_record"), (b"hello", "bad_record"), (b"\xff\xfe\x00", "bad_record")],
)
def test_what_is_no_record_is_said(client: Any, body: bytes, code: str) -> None:
    error_of(_upload(client, body), 422, code)


def test_an_upload_is_octets(client: Any) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        reply = client.post("/api/v1/records", content=b"x", headers={"content-type": kind})
        error_of(reply, 415, "content_type")


@pytest.mark.parametrize(
    "path", ["/etc/hostname", "../../../etc/hostname", "file:///etc/hostname", "C:\\x.json"]
)
def test_no_path_from_a_request_is_opened(client: Any, watched: None, path: str) -> None:
    error_of(_upload(client, path.encode(), path), 422, "bad_record")
    error_of(client.post("/api/v1/reviews", json={"record": path, "seat": 0}), 422, "bad_record")
    body = {**EXAMPLE, "model": path + ".json"}
    error = error_of(client.post("/api/v1/positions/risk", json=body), 422, "invalid")
    assert error.startswith("body.model: no such model: choose from posterior")
    for route in ("/reviews/", "/api/v1/reviews/", "/api/v1/records/"):
        assert client.get(route + path).status_code in (404, 405, 422)
    assert not [name for name in _OPENED if "hostname" in name or name.endswith("x.json")]


def test_nothing_is_fetched(client: Any, watched: None) -> None:
    for text in (
        "https://tenhou.net/0/?log=abc",
        "https://mahjongsoul.game.yo-star.com/?paipu=1",
        "http://127.0.0.1:1/x",
    ):
        reply = client.post("/api/v1/reviews", json={"record": text, "seat": 0})
        error_of(reply, 422, "bad_record")
    assert _CONNECTED == []


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 100_000, b'{"position": NaN}', b"\xff"])
def test_what_is_no_json_is_refused(client: Any, body: bytes) -> None:
    reply = client.post(
        "/api/v1/positions/risk", content=body, headers={"content-type": "application/json"}
    )
    assert reply.status_code in (400, 422)
    assert set(reply.json()["error"]) == {"code", "message"}


@pytest.mark.parametrize(
    ("method", "path", "what"),
    [
        ("GET", "/api/v1/reviews/999", "review"),
        ("GET", "/api/v1/reviews/999/result", "review"),
        ("DELETE", "/api/v1/reviews/999", "review"),
        ("DELETE", "/api/v1/records/999", "record"),
        ("GET", "/reviews/999", "review"),
    ],
)
def test_a_malformed_id_is_that_of_nothing(client: Any, method: str, path: str, what: str) -> None:
    """It was answered with a regular expression."""
    message = error_of(client.request(method, path), 404, "not_found")
    assert message == f"there is no such {what}"


@pytest.mark.parametrize("path", ["/reviews/999", "/nothing"])
def test_a_browser_gets_a_page_with_a_way_back(client: Any, path: str) -> None:
    """It showed raw JSON."""
    reply = client.get(path, headers={"accept": "text/html;q=0.9,*/*;q=0.8"})
    assert reply.status_code == 404
    assert reply.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in reply.headers["content-security-policy"]
    assert '<a href="/">library</a>' in reply.text
    assert client.get(path).json()["error"]["code"] == "not_found"
    for accept in ("application/json", "text/html;q=0", "*/*"):
        assert client.get(path, headers={"accept": accept}).json()["error"]["code"] == "not_found"
    unnamed = client.get("/players", headers={"accept": "TEXT/HTML"})
    assert unnamed.status_code == 422
    assert "name: Field required" in unnamed.text
    api = client.get("/api/v1/reviews/999", headers={"accept": "text/html"})
    assert api.json()["error"]["code"] == "not_found"


def test_a_malformed_id_in_a_body_is_that_of_nothing(client: Any) -> None:
    for path, body in (
        ("/api/v1/reviews", {"record_id": "999", "seat": 0}),
        ("/api/v1/players/style", {"player": "x", "record_ids": ["999"]}),
    ):
        message = error_of(client.post(path, json=body), 404, "not_found")
        assert message == "there is no such record"


@pytest.mark.parametrize(
    ("headers", "body", "message"),
    [
        (JSON, b"[0]", "the body is to be a JSON object, sent with content-type: "
         "application/json"),
        (JSON, b"", "the body is to be a JSON object, sent with content-type: application/json"),
        (JSON, b"{broken", "the body is not JSON: it goes wrong at character 1"),
    ],
)  # fmt: skip
def test_a_body_that_is_no_object_is_said_in_a_sentence(
    client: Any, headers: dict[str, str], body: bytes, message: str
) -> None:
    """pydantic's own words were sent on."""
    reply = client.post("/api/v1/reviews", content=body, headers=headers)
    assert error_of(reply, 422, "invalid") == message


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded"])
@pytest.mark.parametrize("path", ["/reviews", "/positions/risk", "/hands/win"])
def test_json_is_sent_as_json(client: Any, path: str, kind: str) -> None:
    """It was 422, where the manual says 415."""
    reply = client.post(f"/api/v1{path}", content=b"{}", headers={"content-type": kind})
    error_of(reply, 415, "content_type")
    same = {"content-type": "Application/JSON; charset=utf-8"}
    error_of(client.post(f"/api/v1{path}", content=b"[]", headers=same), 422, "invalid")


@pytest.mark.parametrize("path", ["/", "/api", "/api/v1/health", "/api/v1/openapi.json"])
def test_head_is_get_without_a_body(client: Any, path: str) -> None:
    """Every page and the API answered 405."""
    got, head = client.get(path), client.head(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == got.headers["content-length"]
    assert head.headers["x-content-type-options"] == "nosniff"


def test_allow_names_every_method_of_a_path(client: Any) -> None:
    """It named those of the first route alone."""
    key = "0" * 16
    for path, methods in (
        ("/api/v1/records", "GET, HEAD, POST"),
        ("/api/v1/reviews", "GET, HEAD, POST"),
        (f"/api/v1/reviews/{key}", "DELETE, GET, HEAD"),
        (f"/api/v1/reviews/{key}/played", "POST"),
        ("/position", "GET, HEAD"),
    ):
        reply = client.put(path)
        error_of(reply, 405, "wrong_method")
        assert reply.headers["allow"] == methods
    assert client.head(f"/api/v1/reviews/{key}").status_code == 404


def test_another_site_may_not_ask(client: Any) -> None:
    for headers in (
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"origin": "http://localhost:9"},
    ):
        error_of(
            client.post("/api/v1/positions/risk", json=EXAMPLE, headers=headers),
            403,
            "other_site",
        )
    own = {"origin": "http://localhost", "sec-fetch-site": "same-origin"}
    assert client.post("/api/v1/positions/risk", json=EXAMPLE, headers=own).status_code == 200


def test_another_name_is_not_this_server(client: Any) -> None:
    for host in (
        "evil.example", "evil.example:8642", "localhost.evil.example",
        "localhost:8642.evil.example", "[localhost]", "[[::1]]", "[::1", "::1", "",
    ):  # fmt: skip
        error_of(client.get("/api/v1/health", headers={"host": host}), 421, "wrong_host")
    for host in ("127.0.0.1:8642", "[::1]:8642", "[::1]", "LOCALHOST", "localhost:"):
        assert client.get("/api/v1/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/position", "/api", "/api/v1/health", "/nowhere"])
def test_every_reply_carries_its_headers(client: Any, path: str) -> None:
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "server" not in headers


def test_a_field_is_named_without_its_control_characters(client: Any) -> None:
    reply = client.post("/api/v1/positions/risk", json={**EXAMPLE, "a\x1b[31m\nb": 1})
    error = error_of(reply, 422, "invalid")
    assert error.startswith("body.a\\x1b[31m\\nb")
    assert error.isprintable()


def test_errors_have_one_shape(client: Any) -> None:
    for reply in (
        client.get("/nowhere"),
        client.put("/api/v1/records"),
        client.get("/api/v1/reviews/zz"),
        client.get("/api/v1/reviews/" + "0" * 16 + "/result"),
        client.post("/api/v1/reviews", json={"seat": 0}),
        client.post("/api/v1/reviews", json={"record_id": "0" * 16, "seat": 0}),
    ):
        assert reply.status_code >= 400
        assert set(reply.json()) == {"error"}
        assert set(reply.json()["error"]) == {"code", "message"}


def test_records_of_one_question_are_limited_together(client: Any) -> None:
    state = client.app.state.haiyomi
    key = client.post("/api/v1/records/bundled", content=b"").json()["records"][0]["id"]
    limits = state.limits
    state.limits = replace(limits, upload=100)
    try:
        asked = {"player": "x", "record_ids": [key]}
        error_of(client.post("/api/v1/players/style", json=asked), 413, "too_large")
    finally:
        state.limits = limits


def test_health_names_the_reviewing_process_and_a_library_that_cannot_be_read(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = client.app.state.haiyomi
    assert client.get("/api/v1/health").json()["reviewing"] is True

    def broken(limit: int) -> None:
        raise LibraryError(f"{state.library.path}: the library cannot be used: it is gone")

    monkeypatch.setattr(state.library, "records", broken)
    reply = client.get("/api/v1/health")
    assert error_of(reply, 503, "library") == "the library cannot be used: it is gone"


def test_the_style_of_a_player(client: Any) -> None:
    from haiyomi.play.rule_games import simulate_rule_players
    from haiyomi.rules import TENHOU_EAST

    keys = []
    for number in range(2):
        game = simulate_rule_players(91, number, names=("Style One", "b", "c", "d"))
        (record,) = _upload(client, write(game, "mjlog").encode(), f"s{number}").json()["records"]
        keys.append(record["id"])
    response = client.post("/api/v1/players/style", json={"player": "style one"})
    assert response.status_code == 200, response.text
    reply = typed(StyleReply, response.json())
    assert (reply.player, reply.games, len(reply.statistics)) == ("Style One", 2, 19)
    assert reply.style == min(reply.distances, key=lambda name: reply.distances[name])
    one = client.post(
        "/api/v1/players/style", json={"player": "Style One", "record_ids": [keys[0], keys[0]]}
    )
    assert one.json()["games"] == 1
    path = "/api/v1/players/style"
    nobody = error_of(client.post(path, json={"player": "nobody"}), 422, "bad_request")
    assert nobody == "no record in the library has a player named 'nobody'"
    error_of(client.post(path, json={"player": "x", "record_ids": ["0" * 16]}), 404, "not_found")
    for bad in ({}, {"player": ""}, {"player": "x", "record_ids": []}, {"player": 1, "more": 2}):
        assert client.post(path, json=bad).status_code == 422
    east = simulate_rule_players(92, 0, rules=TENHOU_EAST, names=("Easterner", "b", "c", "d"))
    _upload(client, write(east, "mjlog").encode(), "east")
    sentence = error_of(client.post(path, json={"player": "Easterner"}), 422, "bad_request")
    assert "hanchan" in sentence


def test_the_api_describes_itself(client: Any) -> None:
    text = client.get("/api").text
    for path in client.get("/api/v1/openapi.json").json()["paths"]:
        assert path in text
    assert "<script" not in text
