"""review, risk and demo as they are called; the model is a fake one."""

from __future__ import annotations

import io
import json
import os
import pathlib
import re
import sys
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from review.fake_model import FakeModel
from review.made_games import made_game

from haiyomi.apps import cli
from haiyomi.events import Chi, Discard, Game, Hand, Header, Riichi
from haiyomi.game.position import Position
from haiyomi.game.position_fold import positions
from haiyomi.logs.load import write
from haiyomi.review.columns import WIDTH, width
from haiyomi.tiles import Seat, Tile

GAME = Game(Header(names=("Aoi", "Botan", "千恵", "Dai")), made_game(4, 4).hands)
DOC = pathlib.Path(__file__).parents[2] / "docs" / "reference" / "position-json.md"


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr(
        "haiyomi.analysis.models.load_model", lambda name="kurita-hoki": FakeModel()
    )
    # Made hands need not be possible, and outcomes are of possible ones alone.
    monkeypatch.setattr("haiyomi.review.review_text.TEXT_PARTS", ("deal_in", "own_wins", "waits"))
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def record(tmp_path: pathlib.Path) -> str:
    path = tmp_path / "record"
    path.write_text(write(GAME, "mjai"), encoding="utf-8")
    return str(path)


class Ran:
    """What a call printed, and its exit status."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: str, stdin: str = "") -> Ran:
        monkeypatch.setattr(sys, "argv", ["haiyomi", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8"))
        status = 0
        try:
            cli.main()
        except SystemExit as left:
            status = left.code if isinstance(left.code, int) else int(left.code is not None)
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    return call


def narrow(text: str) -> bool:
    return all(width(line) <= WIDTH for line in text.splitlines()) and "\x1b" not in text


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_review_of_a_player(run: Any, record: str, lang: str) -> None:
    ran = run("review", record, "--player", "Botan", "--lang", lang)
    assert (ran.status, ran.err) == (0, "")
    assert narrow(ran.out)
    assert "S Botan (you)" in ran.out or "南 Botan (自分)" in ran.out
    assert ("Most dangerous discards" in ran.out) == (lang == "en")


def test_review_as_json(run: Any, record: str) -> None:
    ran = run("review", record, "--seat", "2", "--json", "--hand", "E2.1")
    value = json.loads(ran.out)
    assert value["seat"] == 2
    assert [h["name"] for h in value["hands"]] == ["E2.1"]
    for tile in value["hands"][0]["decisions"][0]["tiles"]:
        total = sum(row[3] for row in tile["points"])
        assert total == pytest.approx(tile["risk_sum"], abs=1e-9)


def test_json_may_go_to_a_file(run: Any, record: str, tmp_path: pathlib.Path) -> None:
    """A named case: with both a page was written."""
    arguments = ("review", record, "--seat", "2", "--json", "--hand", "E2.1")
    file = tmp_path / "review.json"
    ran = run(*arguments, "-o", str(file))
    assert (ran.status, ran.out) == (0, "")
    assert file.read_text(encoding="utf-8") == run(*arguments).out


def test_review_from_standard_input(run: Any, record: str) -> None:
    text = pathlib.Path(record).read_text(encoding="utf-8")
    assert run("review", "-", "--seat", "0", stdin=text).status == 0


def test_the_viewer_of_an_address(run: Any) -> None:
    small = Game(GAME.header, GAME.hands[1:2])
    text = urllib.parse.quote(write(small, "tenhou6").strip())
    address = f"https://tenhou.net/6/?tw=2#json={text}"
    ran = run("review", address, "--json")
    assert ran.status == 0, ran.err
    assert json.loads(ran.out)["seat"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (),
            "name the player to review with --seat or --player: "
            "the seats are 0 Aoi, 1 Botan, 2 千恵, 3 Dai",
        ),
        (("--seat", "7"), "no seat 7"),
        (("--player", "Zoe"), "no player is named 'Zoe'"),
        (("--seat", "0", "--hand", "W1"), "hand W1 was not played: the record has E1"),
        (("--seat", "0", "--hand", "??"), "no hand is named"),
        (("--seat", "0", "--jobs", "2"), "--jobs and --engine are for many records"),
    ],
)
def test_a_bad_call_is_one_sentence(
    run: Any, record: str, arguments: tuple[str, ...], message: str
) -> None:
    ran = run("review", record, *arguments)
    assert ran.status == 2
    assert ran.out == ""
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_a_bad_record_is_one_sentence(run: Any, tmp_path: pathlib.Path) -> None:
    bad = tmp_path / "bad"
    bad.write_bytes(b"\xff\xfenothing")
    for name in (str(bad), str(tmp_path / "absent"), str(tmp_path)):
        ran = run("review", name, "--seat", "0")
        assert ran.status == 2
        assert ran.err.count("\n") == 1
        assert "Traceback" not in ran.err


@pytest.mark.parametrize("text", re.findall(r"```json\n(.*?)```", DOC.read_text("utf-8"), re.S))
def test_risk_of_the_page_s_examples(run: Any, text: str) -> None:
    for lang in ("en", "ja"):
        ran = run("risk", "--lang", lang, stdin=text)
        assert (ran.status, ran.err) == (0, "")
        assert narrow(ran.out)
    value = json.loads(run("risk", "--json", stdin=text).out)
    assert value["schema"] == "haiyomi-risk"
    assert {t["tile"] for t in value["tiles"]} == {str(t) for t in Position.from_json(text).hand}


def test_risk_of_a_file(run: Any, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "position.json"
    file.write_text(re.findall(r"```json\n(.*?)```", DOC.read_text("utf-8"), re.S)[0], "utf-8")
    assert run("risk", str(file)).status == 0
    assert run("risk", str(tmp_path / "absent")).status == 2


def test_risk_of_mjai_lines_is_that_of_the_position(run: Any) -> None:
    """All four hands shown, or as the seat sees them, or the position itself: one answer."""
    seat = Seat(1)
    hand = GAME.hands[0]
    index, _, position = [
        p for p in positions(hand.events, seat) if isinstance(hand.events[p[0]], Discard)
    ][6]
    # A riichi declared but not yet discarded belongs to the position.
    assert not isinstance(hand.events[index], Riichi)
    lines = write(Game(GAME.header, (hand,)), "mjai").splitlines()
    shown = lines[:index]  # start_kyoku is two events, start_game none
    masked = []
    for line in shown:
        message = json.loads(line)
        if message["type"] == "start_kyoku":
            message["tehais"] = [
                t if i == seat else ["?"] * 13 for i, t in enumerate(message["tehais"])
            ]
        elif message["type"] == "tsumo" and message["actor"] != seat:
            message["pai"] = "?"
        masked.append(json.dumps(message))
    full = run("risk", "--json", "--seat", "1", stdin="\n".join(shown))
    own = run("risk", "--json", stdin="\n".join(masked))
    plain = run("risk", "--json", stdin=json.dumps(position.to_json()))
    assert full.status == own.status == plain.status == 0, full.err + own.err + plain.err
    one, two, three = (json.loads(r.out) for r in (full, own, plain))
    assert one == two
    assert one["tiles"][0]["risk_sum"] == three["tiles"][0]["risk_sum"]
    assert [o["seat"] for o in one["opponents"]] == [2, 3, 0]
    assert one["opponents"][0]["name"] == "千恵"
    ran = run("risk", stdin="\n".join(shown))
    assert ran.status == 2
    assert "choose the viewer with --seat" in ran.err


def test_an_impossible_event_is_named_with_its_place(run: Any, tmp_path: pathlib.Path) -> None:
    """A named case: the sentence named neither the file nor where in it."""
    first, second = GAME.hands[:2]
    at = next(i for i, e in enumerate(second.events) if isinstance(e, Discard))
    wrong = Chi(Seat(3), Seat(2), Tile.parse("1m"), (Tile.parse("2m"), Tile.parse("3m")))
    events = (*second.events[:at], wrong, *second.events[at:])
    path = tmp_path / "wrong"
    path.write_text(write(Game(GAME.header, (first, Hand(events))), "mjai"), encoding="utf-8")
    ran = run("review", str(path), "--seat", "0")
    assert ran.status == 2
    assert f"{path}, hand 1, event {at}: chi of 1m, which was not just discarded" in ran.err
    lines = write(Game(GAME.header, (Hand(events),)), "mjai").splitlines()
    ran = run("risk", "--seat", "0", stdin="\n".join(lines[: at + 3]))
    assert f"mjai lines, event {at}: chi of 1m" in ran.err


def test_risk_when_it_is_not_the_seat_s_turn(run: Any) -> None:
    lines = write(Game(GAME.header, GAME.hands[:1]), "mjai").splitlines()[:2]
    ran = run("risk", "--seat", "2", stdin="\n".join(lines))
    assert ran.status == 2
    assert "this seat has nothing to choose" in ran.err


@pytest.mark.parametrize("text", ["", " \n", "{", '{"seat": "E"}', '{"type": "tsumo"}', "hello"])
def test_risk_of_nonsense_is_one_sentence(run: Any, text: str) -> None:
    ran = run("risk", stdin=text)
    assert ran.status == 2
    assert ran.err.startswith("haiyomi: ")
    assert ran.err.count("\n") == 1


def test_a_folder_of_one_record_is_that_record(run: Any, record: str) -> None:
    folder = str(pathlib.Path(record).parent)
    assert run("review", folder, "--seat", "0").out == run("review", record, "--seat", "0").out
    assert "name is empty" in run("review", "", "--seat", "0").err


def test_the_record_itself_is_not_overwritten(run: Any, record: str) -> None:
    before = pathlib.Path(record).read_bytes()
    ran = run("review", record, "--seat", "0", "-o", record)
    assert (ran.status, ran.err.count("is one of the records")) == (2, 1)
    assert pathlib.Path(record).read_bytes() == before


def test_a_link_stays_a_link_and_a_pipe_a_pipe(
    run: Any, record: str, tmp_path: pathlib.Path
) -> None:
    """A named case: they were replaced by regular files."""
    link, file = tmp_path / "link", tmp_path / "page.html"
    link.symlink_to(file)
    assert run("review", record, "--seat", "0", "--json", "-o", str(link)).status == 0
    assert link.is_symlink()
    assert json.loads(file.read_text(encoding="utf-8"))["seat"] == 0
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_text, encoding="utf-8")
        assert run("review", record, "--seat", "0", "--json", "-o", str(pipe)).status == 0
        assert read.result() == file.read_text(encoding="utf-8")
    assert pipe.is_fifo()


def test_a_position_has_its_own_viewer(run: Any) -> None:
    _, _, position = next(positions(GAME.hands[0].events, Seat(1)))
    ran = run("risk", "--seat", "2", stdin=json.dumps(position.to_json()))
    assert (ran.status, ran.out) == (2, "")
    assert "--seat is for mjai lines" in ran.err


def test_an_evaluation_is_of_records_or_of_a_split(run: Any, record: str) -> None:
    for what in ("dealin", "reading"):
        ran = run("evaluate", what, record, "--split", "test")
        assert ran.status == 2
        assert ran.err == "haiyomi: RECORDS and --split exclude each other\n"


def test_places_that_cannot_be_written_are_named_before_any_work(
    run: Any, record: str, tmp_path: pathlib.Path
) -> None:
    ran = run("evaluate", "dealin", record, "--results", f"{record}/results.json")
    assert ran.status == 2
    assert record in ran.err
    assert ran.err.count("\n") == 1


def test_help_explains_the_terms(run: Any) -> None:
    text = run("review", "--help").out
    for term in ("genbutsu", "tenpai", "tsumogiri", "tedashi", "honba", "ron"):
        assert term in text


def test_help_breaks_lines_only_at_the_screen_s_end() -> None:
    """A named case: lines broken where the docstring's were, and again at the width."""

    def command() -> None:
        """One.

        Two is
        ``three``.
        """

    assert cli.help_of(command) == "One.\n\nTwo is `three`."


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["demo", "--lang", "xx"], "Invalid value for '--lang': 'xx' is not one of 'en', 'ja'"),
        (["demo", "--seat", "east"], "Invalid value for '--seat'"),
        (["revue"], "No such command 'revue'"),
        (["review"], "Missing argument"),
    ],
)
def test_a_wrong_call_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    args: list[str],
    message: str,
) -> None:
    monkeypatch.setattr(sys, "argv", ["haiyomi", *args])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 2
    report = capsys.readouterr().err
    assert message in report
    assert report.startswith("haiyomi: ")
    assert report.count("\n") == 1


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("-o", "x.json"), "x.json is named as JSON and would be a page: name another, or add"),
        (("-o", "x.csv"), "x.csv is named as CSV and would be a page: name another"),
        (("--json", "-o", "x.HTML"), "x.HTML is named as a page and would be JSON"),
    ],
)
def test_a_file_named_for_something_else(
    run: Any, tmp_path: pathlib.Path, more: tuple[str, ...], message: str
) -> None:
    """``-o x.json`` wrote a page under that name."""
    given = [str(tmp_path / each) if each[:2] == "x." else each for each in more]
    ran = run("demo", *given)
    assert ran.status == 2
    assert message in ran.err
    assert list(tmp_path.iterdir()) == []


def test_many_reviews_in_a_folder_named_as_a_page(run: Any, tmp_path: pathlib.Path) -> None:
    """``-o all.html`` made a folder of that name."""
    (tmp_path / "records").mkdir()
    ran = run("review", str(tmp_path / "records"), "-o", str(tmp_path / "all.html"))
    assert ran.status == 2
    assert "all.html is named as a page and would be a folder of many reviews" in ran.err
