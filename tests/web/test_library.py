"""The library by itself: what is stored stays, what was half done is begun again."""

from __future__ import annotations

import json
import sqlite3
import zlib
from hashlib import sha256
from pathlib import Path

import pytest

from haiyomi.apps.web.claims import Claims
from haiyomi.apps.web.intake import Packed
from haiyomi.apps.web.library import Library
from haiyomi.apps.web.library_rows import unpacked
from haiyomi.errors import HaiyomiError

NAMES = ("a", "b", "c", "d")


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "deep" / "library.sqlite3")


def _packed(body: bytes) -> Packed:
    return Packed("game", NAMES, 4, sha256(body).hexdigest(), zlib.compress(body))


def _record(library: Library, body: bytes = b"one") -> str:
    (record,) = library.add_records([_packed(body)], 10) or ()
    return record.id


def test_the_same_bytes_are_stored_once(library: Library) -> None:
    assert _record(library) == _record(library)
    assert _record(library, b"two") != _record(library)
    assert library.body(_record(library, b"two")) == b"two"
    assert len(library.records()) == 2


def test_a_full_library_takes_no_more(library: Library) -> None:
    assert library.add_records([_packed(b"1")], 1) is not None
    assert library.add_records([_packed(b"2")], 1) is None
    assert library.add_records([_packed(b"1")], 1) is not None


def test_an_upload_that_finds_no_room_is_not_stored_in_part(library: Library) -> None:
    games = [_packed(b"%d" % number) for number in range(3)]
    assert library.add_records(games, 2) is None
    assert library.records() == []
    assert len(library.add_records(games, 3) or ()) == 3


def test_the_way_of_a_review(library: Library) -> None:
    key = library.ask(_record(library), 2, "m", 4, 10)
    assert key is not None
    assert library.ask(_record(library), 2, "m", 4, 10) == key
    claims = Claims(library, "me")
    claimed = claims.claim()
    assert claimed is not None
    assert (claimed.id, claimed.state, claimed.player, claimed.total) == (key, "running", "c", 4)
    assert claims.claim() is None
    claims.progress(key, 3)
    assert library.page(key) is None
    assert claims.finish(key, {"names": ["\ud800 lone"]}, {})
    done = library.review(key)
    assert done is not None
    assert (done.state, done.done) == ("done", 4)
    assert unpacked(key, library.page(key) or b"") == {"names": ["\ud800 lone"]}


def test_a_long_queue_is_refused(library: Library) -> None:
    record = _record(library)
    assert library.ask(record, 0, "m", 4, 1) is not None
    assert library.ask(record, 1, "m", 4, 1) is None


def test_removing_a_record_removes_its_reviews(library: Library) -> None:
    record = _record(library)
    key = library.ask(record, 0, "m", 4, 10)
    assert key is not None
    assert library.delete_record(record)
    assert library.review(key) is None
    assert not library.delete_record(record)
    assert not library.delete_review(key)


def test_players_are_those_of_finished_reviews(library: Library) -> None:
    one, two = _record(library), _record(library, b"two")
    for record, seat in ((one, 2), (one, 0), (two, 2)):
        key = library.ask(record, seat, "m", 4, 10)
        assert key is not None
        claims = Claims(library, "me")
        claims.claim()
        assert claims.finish(key, {}, {}, {"game": record, "seat": seat})
    waiting = library.ask(two, 1, "m", 4, 10)
    assert waiting is not None
    assert library.players("m") == [("c", 2), ("a", 1)]
    assert library.players("another") == []
    games = [json.loads(text) for _, text in library.games_of("c", "m")]
    assert [g["game"] for g in games] == [one, two]
    assert library.games_of("b", "m") == []
    library.delete_record(one)
    assert library.players("m") == [("c", 1)]


def test_a_game_in_two_formats_counts_once(library: Library) -> None:
    """The server counted it twice, ``haiyomi stats`` once."""
    claims = Claims(library, "me")
    for body, seat, played in ((b"1", 2, "x"), (b"2", 2, "x"), (b"2", 0, "x"), (b"3", 2, "y")):
        library.ask(_record(library, body), seat, "m", 4, 10)
        claimed = claims.claim()
        assert claimed is not None
        assert claims.finish(claimed.id, {}, {}, {"body": body.decode(), "played": played})
    assert library.players("m") == [("c", 2), ("a", 1)]
    assert [json.loads(text)["body"] for _, text in library.games_of("c", "m")] == ["1", "3"]
    library.delete_record(_record(library, b"1"))
    assert [json.loads(text)["body"] for _, text in library.games_of("c", "m")] == ["2", "3"]


@pytest.mark.parametrize("version", [3, 99])
def test_a_library_of_another_version_is_refused(tmp_path: Path, version: int) -> None:
    path = tmp_path / "other.sqlite3"
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {version}")
    db.commit()
    db.close()
    with pytest.raises(HaiyomiError, match=f"has version {version}; this haiyomi reads 6"):
        Library(path)


def test_what_is_no_library_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "text.sqlite3"
    other.write_text("no database at all, but long enough to be looked at" * 20)
    with pytest.raises(
        HaiyomiError, match=r"^[^:]+: the library cannot be used: file is not a database$"
    ):
        Library(other)


@pytest.mark.parametrize("version", [4, 5])
def test_a_library_of_a_version_before_keeps_its_records_and_reviews_them_again(
    tmp_path: Path, version: int
) -> None:
    path = tmp_path / "library.sqlite3"
    library = Library(path)
    key = library.ask(_record(library), 2, "m", 4, 10)
    assert key is not None
    claims = Claims(library, "me")
    claims.claim()
    assert claims.finish(key, {"old": 1}, {"old": 1}, {"old": 1})
    library.close()
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {version}")
    db.commit()
    db.close()
    library = Library(path)
    assert library.page(key) is None
    review = library.review(key)
    assert review is not None
    assert review.state == "queued"
    assert [record.name for record in library.records()] == ["game"]


def test_a_review_that_is_done_has_place_points_and_score(library: Library) -> None:
    key = library.ask(_record(library), 2, "m", 4, 10)
    assert key is not None
    claims = Claims(library, "me")
    claims.claim()
    assert claims.finish(
        key,
        {},
        {},
        {"career": {"place": 2, "points": 31000}, "given_up": {"cost": 90.0, "decisions": 60}},
    )
    found = library.review(key)
    assert found is not None
    assert (found.place, found.points, found.given_up) == (2, 31000, 1.5)
