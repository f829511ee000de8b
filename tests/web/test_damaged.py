"""Rows of the library that were damaged from outside: one error in one shape, and deletion."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from served import Served, running

from haiyomi.apps.web.claims import Claims
from haiyomi.apps.web.intake import Packed
from haiyomi.apps.web.library import Library
from haiyomi.apps.web.limits import Limits
from haiyomi.dealin.models import DEFAULT

NAMES = ("ann", "bob", "cid", "dan")


class Made:
    """A library of two records with a review each, and a server on it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        library = Library(path)
        claims = Claims(library, "me")
        self.records, self.reviews = [], []
        for body in (b"one", b"two"):
            game = Packed("game", NAMES, 4, sha256(body).hexdigest(), zlib.compress(body))
            (record,) = library.add_records([game], 10) or ()
            key = library.ask(record.id, 0, DEFAULT, 4, 10)
            assert key is not None
            claims.claim()
            assert claims.finish(key, {"kind": "review"}, {}, {"costly": []})
            self.records.append(record.id)
            self.reviews.append(key)
        library.close()

    def damage(self, table: str, column: str, value: object) -> None:
        """Write that into the first row."""
        key = {"records": self.records, "reviews": self.reviews}[table][0]
        db = sqlite3.connect(self.path)
        db.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (value, key))
        db.commit()
        db.close()


@pytest.fixture
def made(tmp_path: Path) -> Iterator[tuple[Made, Served]]:
    made = Made(tmp_path / "library.sqlite3")
    with running(made.path, Limits(processes=0, readers=0)) as (server, _):
        yield made, server


RECORD = [("names", "no JSON"), ("names", "[1, 2]"), ("names", '["a"]'), ("created", float("inf"))]
REVIEW = [("seat", 9), ("seat", -1), ("state", "dancing"), ("created", float("-inf"))]


@pytest.mark.parametrize(("column", "value"), RECORD)
def test_a_damaged_record_is_listed_refused_and_deleted(
    made: tuple[Made, Served], column: str, value: object
) -> None:
    library, server = made
    library.damage("records", column, value)
    status, listed = server.ask("GET", "/api/v1/records")
    assert status == 200
    assert [r["id"] for r in listed if r["error"]] == [library.records[0]]
    assert server.ask("GET", "/api/v1/reviews")[0] == 200
    assert server.ask("GET", "/api/v1/players")[0] == 200
    request = {"record_id": library.records[0], "seat": 0}
    status, reply = server.ask("POST", "/api/v1/reviews", request)
    assert (status, reply["error"]["code"]) == (409, "damaged")
    assert library.records[0] in reply["error"]["message"]
    style = {"player": "ann", "record_ids": [library.records[0]]}
    assert server.ask("POST", "/api/v1/players/style", style)[0] == 409
    assert server.ask("DELETE", f"/api/v1/records/{library.records[0]}")[0] == 204
    assert [r["error"] for r in server.ask("GET", "/api/v1/records")[1]] == [None]


@pytest.mark.parametrize(("column", "value"), REVIEW)
def test_a_damaged_review_has_failed_and_is_deleted(
    made: tuple[Made, Served], column: str, value: object
) -> None:
    library, server = made
    library.damage("reviews", column, value)
    status, listed = server.ask("GET", "/api/v1/reviews")
    assert status == 200
    (damaged,) = [r for r in listed if r["error"]]
    assert (damaged["id"], damaged["state"]) == (library.reviews[0], "failed")
    assert "damaged" in damaged["error"]
    assert server.ask("GET", f"/api/v1/reviews/{library.reviews[0]}")[0] == 200
    assert server.ask("DELETE", f"/api/v1/reviews/{library.reviews[0]}")[0] == 204


@pytest.mark.parametrize("blob", [b"", b"no zlib", zlib.compress(b"{"), zlib.compress(b"[1]")])
def test_a_damaged_page_or_result_is_one_error(made: tuple[Made, Served], blob: bytes) -> None:
    library, server = made
    library.damage("reviews", "page", blob)
    library.damage("reviews", "result", blob)
    path = f"/reviews/{library.reviews[0]}"
    for place in (f"/api/v1{path}/result", path, f"{path}/file"):
        status, reply = server.ask("GET", place)
        assert (status, reply["error"]["code"]) == (409, "damaged")


@pytest.mark.parametrize("stats", ["", "{", "[]", '"x"', '{"costly": [{"tile": 5}]}', "null"])
def test_damaged_figures_are_one_error(made: tuple[Made, Served], stats: str) -> None:
    library, server = made
    library.damage("reviews", "stats", stats)
    for place in ("/api/v1/players/stats?name=ann", "/players?name=ann"):
        status, reply = server.ask("GET", place)
        assert (status, reply["error"]["code"]) == (409, "damaged")
        assert library.reviews[0] in reply["error"]["message"]


@pytest.mark.parametrize("body", [b"no zlib", zlib.compress(b"another"), b""])
def test_a_damaged_body_is_one_error(made: tuple[Made, Served], body: bytes) -> None:
    library, server = made
    library.damage("records", "body", body)
    style = {"player": "ann", "record_ids": [library.records[0]]}
    status, reply = server.ask("POST", "/api/v1/players/style", style)
    assert (status, reply["error"]["code"]) == (409, "damaged")


def test_text_that_is_no_utf8_reaches_clients_as_json(made: tuple[Made, Served]) -> None:
    library, server = made
    db = sqlite3.connect(library.path)
    db.execute("UPDATE records SET name = CAST(X'ff80' AS TEXT)")
    db.commit()
    db.close()
    status, listed = server.ask("GET", "/api/v1/records")
    assert status == 200
    assert json.dumps([r["name"] for r in listed]) == '["\\ufffd\\ufffd", "\\ufffd\\ufffd"]'
