"""The Corpus: one order, whatever the processes; what cannot be read is listed with its reason."""

from __future__ import annotations

import io
import os
import pathlib
import pickle
import zipfile
from functools import partial

import pytest
from logs.made_games import made_game

from haiyomi.apps.batch_review import ReviewOptions, review_all
from haiyomi.corpus import Corpus, Entry
from haiyomi.corpus.partition import Shares, write_split
from haiyomi.corpus.walk import REPEATED
from haiyomi.errors import DatasetError, FormatError, HaiyomiError, RecordError, SizeError
from haiyomi.events import Game
from haiyomi.logs.load import write

GAMES = [made_game(s, hands=1) for s in range(3)]


def zipped(**entries: bytes | str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(f"{name}.mjlog", data)
    return out.getvalue()


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """Two games in a zip, one beside it that comes again, and one that is not a record."""
    place = tmp_path / "records"
    (place / "sub").mkdir(parents=True)
    texts = [write(game, "mjlog") for game in GAMES]
    (place / "sub" / "games.zip").write_bytes(zipped(one=texts[0], two=texts[1]))
    (place / "last.mjlog").write_text(texts[2], encoding="utf-8")
    (place / "one.xml").write_text(texts[0], encoding="utf-8")
    (place / "noise.json").write_text("hello", encoding="utf-8")
    return place


def test_a_walk_has_one_order_and_lists_what_it_skips(folder: pathlib.Path) -> None:
    corpus = Corpus(folder)
    assert len(corpus) == 5
    found = list(corpus)
    names = [name.removeprefix(f"{folder}/") for name, _ in found]
    assert names == ["last.mjlog", "one.xml", "sub/games.zip/one.mjlog", "sub/games.zip/two.mjlog"]
    assert [game for _, game in found] == [GAMES[2], GAMES[0], GAMES[0], GAMES[1]]
    ((name, reason),) = corpus.skipped
    assert name == f"{folder}/noise.json"
    assert reason.startswith(f"{folder}/noise.json: ")
    list(corpus)
    assert len(corpus.skipped) == 1


def hands_of(extra: int, name: str, game: Game) -> tuple[str, int]:
    if name.endswith("one.xml"):
        raise FormatError("is not wanted", name)
    return name, len(game.hands) + extra


def test_map_is_the_same_for_any_number_of_processes(folder: pathlib.Path) -> None:
    corpus = Corpus(folder)
    seen: list[tuple[int, int]] = []
    one = corpus.map(partial(hands_of, 7), progress=lambda *at: seen.append(at))
    skipped = corpus.skipped
    assert [name.rsplit("/", 1)[1] for name, _ in one] == ["last.mjlog", "one.mjlog", "two.mjlog"]
    assert {count for _, count in one} == {8}
    assert [line.name.rsplit("/", 1)[1] for line in skipped] == ["noise.json", "one.xml"]
    assert seen[0] == (0, 5)
    assert seen[-1] == (5, 5)
    assert corpus.map(partial(hands_of, 7), engine=2) == one
    assert corpus.skipped == skipped


def faulty(name: str, game: Game) -> int:
    return 1 // (not name.endswith("two.mjlog"))


@pytest.mark.parametrize("engine", [1, 2])
def test_an_error_of_a_study_names_the_record(folder: pathlib.Path, engine: int) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        Corpus(folder).map(faulty, engine=engine)
    assert caught.value.__notes__ == [f"in the record {folder}/sub/games.zip/two.mjlog"]


def test_map_takes_an_engine_by_name_and_refuses_what_is_none(folder: pathlib.Path) -> None:
    corpus = Corpus(folder)
    count = partial(hands_of, 7)
    assert corpus.map(count, engine="processes") == corpus.map(count)
    for engine, why in ((-3, "-3 processes"), (0, "0 processes"), ("dask", "no engine 'dask'")):
        with pytest.raises(HaiyomiError, match=f"^{why}: expected"):
            corpus.map(count, engine=engine)
    with pytest.raises(HaiyomiError, match=r"^the function must be importable by name: .*lambda"):
        corpus.map(lambda name, game: name, engine=2)


def test_pieces_can_be_sent_and_read_elsewhere(folder: pathlib.Path) -> None:
    pieces = Corpus([folder, folder / "one.xml"]).pieces(2)
    assert [len(piece) for piece in pieces] == [2, 2, 1, 1]
    again = [pickle.loads(pickle.dumps(piece)) for piece in pieces]
    assert [e.game_name for piece in again for e in piece.entries] == [
        "last", "noise", "one", "one", "two", "one",
    ]  # fmt: skip
    assert again[2].entries[0].game() == GAMES[1]


def test_one_record_a_name(folder: pathlib.Path) -> None:
    corpus = Corpus([folder, folder / "last.mjlog"]).distinct()
    assert [e.label for e in corpus.entries] == [
        "last.mjlog", "noise.json", "one.xml", "sub/games.zip/two.mjlog",
    ]  # fmt: skip
    assert corpus.skipped == [
        ("sub/games.zip/one.mjlog", REPEATED),
        ("last.mjlog", REPEATED),
    ]


def named(name: str, _: Game) -> str:
    return name


def test_several_games_of_a_record_are_numbered(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "two.mjson"
    path.write_text(write(GAMES[0], "mjai") + write(GAMES[1], "mjai"), encoding="utf-8")
    corpus = Corpus(path)
    assert len(corpus) == 1
    found = list(corpus.games_and_errors())
    assert [e.name for e, _ in found] == [f"{path}#1", f"{path}#2"]
    assert [e.game_name for e, _ in found] == ["two#1", "two#2"]
    assert [e.game() for e, _ in found] == [game for _, game in found]
    with pytest.raises(FormatError, match="holds 2 games where one is wanted"):
        corpus.entries[0].game()
    names, skipped = corpus.map_rows(named, 1, 1)
    assert names == ["two#1", "two#2"]
    assert not skipped


def test_a_short_answer_takes_the_place_of_a_game(folder: pathlib.Path) -> None:
    wanted = write(GAMES[0], "mjlog").encode()

    def short(data: bytes) -> int | None:
        return len(data) if data == wanted else None

    corpus = Corpus(folder)
    usual, found = list(corpus.games_and_errors()), list(corpus.games_and_errors(short))
    assert [entry for entry, _ in found] == [entry for entry, _ in usual]
    for (_, game), (_, made) in zip(usual, found, strict=True):
        if isinstance(game, RecordError):
            assert str(made) == str(game)
        else:
            assert made == (len(wanted) if game == GAMES[0] else game)


def test_a_path_that_is_not_there_is_an_error_unless_it_may_be(tmp_path: pathlib.Path) -> None:
    with pytest.raises(DatasetError, match="no such file or folder"):
        Corpus(tmp_path / "none")
    corpus = Corpus([tmp_path / "none"], strict=False)
    assert list(corpus) == []
    assert "no such file or folder" in corpus.skipped[0].reason


def test_a_name_that_is_no_text_is_one_record_left_out(tmp_path: pathlib.Path) -> None:
    """One such name ended ``review FOLDER -o``, ``corpus split`` and ``dataset build``, and the
    message did not say which."""
    (tmp_path / "good.mjlog").write_text(write(GAMES[0], "mjlog"), encoding="utf-8")
    try:
        pathlib.Path(os.fsdecode(os.fsencode(tmp_path) + b"/\x93\x8c.mjlog")).write_text(
            write(GAMES[1], "mjlog"), encoding="utf-8"
        )
    except OSError:
        pytest.skip("this file system takes no such name")
    corpus = Corpus(tmp_path)
    assert [game for _, game in corpus] == [GAMES[0]]
    why = "its name is not valid UTF-8: rename it"
    name = f"{tmp_path}/\\x93\\x8c.mjlog"
    assert corpus.skipped == [(name, f"{name}: {why}")]
    corpus.sha256()
    assert len(list(Corpus(tmp_path, strict=False))) == 2

    out = tmp_path.parent / f"{tmp_path.name}-reviews"
    (skipped,) = review_all(tmp_path, out, ReviewOptions(seat=0, form="json"), 1).skipped
    assert skipped == ("\\x93\\x8c.mjlog", why)
    for seed in (1, 2):
        (tmp_path / f"{seed}.mjlog").write_text(write(GAMES[seed], "mjlog"), encoding="utf-8")
    report = write_split(Corpus(tmp_path), out.with_name("split"), "game", 7, Shares(1 / 3, 1 / 3))
    assert sum(report.games.values()) == 3
    assert [line.name for line in report.skipped] == ["\\x93\\x8c.mjlog"]


def test_the_digest_is_that_of_the_bytes(folder: pathlib.Path) -> None:
    before = Corpus(folder).sha256()
    assert Corpus(folder).sha256() == before
    (folder / "noise.json").write_text("hello you", encoding="utf-8")
    assert Corpus(folder).sha256() != before


def test_an_entry_of_a_changed_zip_is_read_anew(folder: pathlib.Path) -> None:
    path = folder / "sub" / "games.zip"
    first, second = Corpus(path).entries
    assert first.game() == GAMES[0]
    path.write_bytes(zipped(one=write(GAMES[2], "mjlog")))
    assert first.game() == GAMES[2]
    with pytest.raises(FormatError, match="is gone from its zip"):
        second.game()


def test_bytes_of_an_upload_share_one_budget() -> None:
    data = zipped(**{str(i): b"<" * (1 << 20) for i in range(40)})
    with pytest.raises(SizeError, match="the input unpacks to more than 32 MiB in all"):
        Corpus.of_bytes("upload", data, 32 << 20)
    corpus = Corpus.of_bytes("upload", data, 64 << 20)
    assert all(isinstance(game, RecordError) for _, game in corpus.games_and_errors())


def test_nested_gzip_counts_against_the_budget_of_its_zip() -> None:
    import gzip

    inner = gzip.compress(b" " * (4 << 20))
    data = zipped(**{str(i): inner for i in range(40)})
    corpus = Corpus.of_bytes("upload", data, 16 << 20)
    errors = [error for _, error in corpus.games_and_errors()]
    sizes = [error for error in errors if isinstance(error, SizeError)]
    assert len(sizes) > 30
    assert "the input unpacks to more than 16 MiB in all" in str(sizes[0])
    assert corpus.budget is not None
    assert corpus.budget.spent < 64 << 20


def test_a_name_says_where_and_a_label_what() -> None:
    entry = Entry("up/folder", "a/games.zip", "x/one.mjlog.gz", 2)
    assert entry.name == "up/folder/a/games.zip/x/one.mjlog.gz#2"
    assert entry.label == "a/games.zip/x/one.mjlog.gz#2"
    assert entry.place == "a/games.zip/x/one.mjlog.gz"
    assert entry.game_name == "one#2"
    assert Entry("up/one.mjlog").label == "one.mjlog"
    saved = Entry("up/one&tw=2.mjlog.gz")
    assert (saved.game_name, saved.label) == ("one", "one&tw=2.mjlog.gz")
    assert Entry("up/one&tw=two.mjlog").game_name == "one&tw=two"
