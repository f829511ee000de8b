"""The records that an evaluation is made on: by split or by name, never overwritten."""

from __future__ import annotations

import pathlib

import pytest
import typer
from apps.in_process import haiyomi

from haiyomi.apps.evaluated import finish, sources_of, tell_skipped
from haiyomi.errors import DatasetError, HaiyomiError
from haiyomi.evaluation.report import Report, Scope


@pytest.fixture
def corpus(tmp_path: pathlib.Path) -> pathlib.Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for split in ("train", "valid", "test"):
        (folder / f"{split}.zip").touch()
    return folder


def test_the_test_split_is_read_unless_another_is_named(corpus: pathlib.Path) -> None:
    assert sources_of(None, None, corpus) == ([corpus / "test.zip"], "test")
    assert sources_of("valid", None, corpus) == ([corpus / "valid.zip"], "valid")
    with pytest.raises(DatasetError, match="no split 'later'"):
        sources_of("later", None, corpus)


def test_records_are_read_in_place_of_a_split(corpus: pathlib.Path, tmp_path: pathlib.Path) -> None:
    record = tmp_path / "game.mjlog"
    record.touch()
    assert sources_of(None, [record], None) == ([record], "game.mjlog")
    with pytest.raises(DatasetError, match="exclude each other"):
        sources_of("valid", [record], corpus)
    with pytest.raises(DatasetError, match=r"missing: no such file or folder$"):
        sources_of(None, [tmp_path / "missing"], None)
    with pytest.raises(HaiyomiError, match="one of the records"):
        sources_of(None, [record], None, None, record)


def test_one_game_is_one_game_without_an_interval() -> None:
    samples = pathlib.Path(__file__).parents[1] / "samples"
    done = haiyomi("evaluate", "dealin", str(samples), "--games", "1", "--model", "kurita-hoki",
                   "--against", "kurita-hoki-literal", "--jobs", "1")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("kurita-hoki on samples: 1 game, 6 hands, ")
    scope = "1 game of samples; fewer than 6 games have no interval"
    title = f"Tile-opponent rows, threat decisions ({scope})"
    scores = done.stdout.partition(f"{title}\n")[2].partition("\n\n")[0]
    assert "skill" in scores
    assert "[" not in scores
    beside = done.stdout.partition("beside kurita-hoki-literal")[2]
    assert "difference" in beside
    assert "[" not in beside


def test_what_was_left_out_is_listed_and_sets_the_status(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tell_skipped([])
    assert capsys.readouterr().out == ""
    with pytest.raises(typer.Exit) as end:
        tell_skipped(
            [
                ("a.mjlog", "a.mjlog, hand 2: cut"),
                ("b.mjlog", "three players"),
                ("c\x1b[31m\nd", "c\\x1b[31m\\nd.mjlog: cut"),
            ]
        )
    assert end.value.exit_code == 1
    assert capsys.readouterr().out.splitlines()[1:] == [
        "3 skipped:",
        "  a.mjlog, hand 2: cut",
        "  b.mjlog: three players",
        "  c\\x1b[31m\\nd.mjlog: cut",
    ]


@pytest.mark.parametrize(
    "words",
    ["blunders", "wins", "mistakes -o OUT", "playouts -o OUT", "outcomes --train OTHER",
     "placement --train OTHER"],
)  # fmt: skip
def test_where_no_record_can_be_read_the_first_reason_is_given(
    words: str, tmp_path: pathlib.Path
) -> None:
    if words.startswith("placement"):
        pytest.importorskip("torch")
    for name in ("a.mjlog", "OTHER"):
        (tmp_path / name).write_bytes(b"\xb3")
    what, *more = (str(tmp_path / w) if w.isupper() else w for w in words.split())
    record = str(tmp_path / "a.mjlog")
    done = haiyomi("evaluate", what, record, *more)
    assert done.returncode == 2
    assert done.stderr.startswith("haiyomi: no record could be read: ")
    assert "is not text in UTF-8" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("share", ["nan", "0", "1.5"])
def test_a_share_is_above_nothing_and_at_most_all(share: str, tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "out"
    done = haiyomi("evaluate", "mistakes", str(tmp_path), "-o", str(folder), "--share", share)
    assert done.returncode == 2
    assert done.stderr == f"haiyomi: --share {share}: expected a number above 0, at most 1\n"
    assert not folder.exists()


def test_the_results_are_written_before_a_reader_of_the_tables_can_leave(
    tmp_path: pathlib.Path,
) -> None:
    class Left(Report):
        def text(self) -> str:
            raise BrokenPipeError

    file = tmp_path / "results.json"
    with pytest.raises(BrokenPipeError):
        finish({"n": 1}, [Left("t", ("a",), (), Scope.of({}))], file)
    assert file.is_file()
