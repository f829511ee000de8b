"""The benchmark: its games, the score of predictions, the baselines and the check of results."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import zipfile
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from apps import in_process
from training.made_corpus import made_corpus

from haiyomi.benchmark import games as own
from haiyomi.benchmark import results
from haiyomi.benchmark.baselines import BASELINES, Sample
from haiyomi.benchmark.folder import Benchmark, make_benchmark
from haiyomi.benchmark.predictions import Predictions, read_predictions, write_predictions
from haiyomi.benchmark.results import (
    Entry,
    append_results,
    differences,
    read_results,
    reports_of,
    results_of,
)
from haiyomi.benchmark.tasks import BY_NAME, TASKS, Questions, bits_of, wins_of
from haiyomi.errors import ArgumentError, DatasetError

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "how-to" / "benchmark.md"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    """The smallest size; making it compares its games with the recorded hash."""
    return make_benchmark(tmp_path_factory.mktemp("tiny"), "tiny", jobs=1)[0]


@pytest.fixture(scope="module")
def asked(tiny: Benchmark) -> Questions:
    return tiny.questions("test")


def haiyomi(*arguments: str | pathlib.Path) -> subprocess.CompletedProcess[str]:
    return in_process.haiyomi(*map(str, arguments))


def truth_of(asked: Questions) -> Predictions:
    """Predictions that know everything."""
    n, columns = len(asked), asked.columns
    choice = columns["choice_discard"].astype(np.int64)
    counts = columns["hands"].reshape(n, 3, 34)
    return {
        "tenpai": columns["tenpai"].astype(np.float64),
        "deal-in": bits_of(columns["ron"]).astype(np.float64),
        "counts": (counts[..., None] == np.arange(5)).astype(np.float64),
        "discard": (choice[:, None] == np.arange(34)).astype(np.float64),
        "win": wins_of(asked).astype(np.float64),
        "placement": (columns["places"][:, :1] == np.arange(4)).astype(np.float64),
    }


def test_questions_come_with_more_columns_in_the_same_order(
    tiny: Benchmark, asked: Questions
) -> None:
    found = tiny.questions("test", ["unseen", "riichi"])
    assert found.keys == asked.keys
    assert set(found.columns) == {*asked.columns, "unseen"}
    assert found.columns["unseen"].shape == (len(asked), 34)
    with pytest.raises(DatasetError, match="no column 'rivers'"):
        tiny.questions("test", ["rivers"])


def test_a_file_is_no_benchmark(tmp_path: pathlib.Path) -> None:
    """It was a damaged one: [Errno 20]."""
    file = tmp_path / "bench.zip"
    file.touch()
    for place in (file, tmp_path):
        with pytest.raises(DatasetError, match="is not a benchmark: make one by `haiyomi bench"):
            Benchmark.open(place)


@pytest.mark.parametrize("change", [{"data": []}, {"source": None}, {"benchmark": True}])
def test_a_benchmark_that_states_something_else_is_damaged(
    tiny: Benchmark, tmp_path: pathlib.Path, change: dict[str, object]
) -> None:
    stated = json.loads((tiny.path / "benchmark.json").read_text())
    (tmp_path / "benchmark.json").write_text(json.dumps(stated | change))
    with pytest.raises(DatasetError, match=r"damaged|is benchmark True"):
        Benchmark.open(tmp_path)


def test_other_games_are_refused(tiny: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(own.RECORDED, 20, "0" * 64)
    with pytest.raises(DatasetError, match="the first 20 games are not those that this haiyomi"):
        own.make_games(tiny.games, "tiny", 1)


def test_a_game_does_not_depend_on_the_games_beside_it() -> None:
    assert own.play([5])[0] == own.play([4, 5, 6])[1]


def test_results_name_the_recorded_hash_of_the_games(tiny: Benchmark) -> None:
    assert tiny.about.data == own.RECORDED[40] == own.digest_of_games(tiny.games)


def test_the_figures_of_the_truth(tiny: Benchmark, asked: Questions) -> None:
    found = {task.name: task.figures(asked, truth_of(asked)[task.name]) for task in TASKS}
    assert {name: tuple(figures) for name, figures in found.items()} == {
        task.name: task.metrics for task in TASKS
    }
    for figures in found.values():
        for metric, estimate in figures.items():
            best = 0 if metric in ("log loss", "bits") else 1
            assert estimate.value == pytest.approx(best, abs=1e-4), metric


def test_equal_probabilities_earn_their_share_of_the_discards(asked: Questions) -> None:
    known = asked.columns["choice_discard"] < 34
    legal = bits_of(asked.columns["legal_discards"][known]).sum(axis=1)
    figures = BY_NAME["discard"].figures(asked, np.full((len(asked), 34), 1 / 34))
    assert figures["top 1"].value == pytest.approx((1 / legal).mean())
    assert figures["top 3"].value == pytest.approx(np.minimum(3 / legal, 1).mean())
    assert figures["log loss"].value == pytest.approx(np.log(legal).mean())


def test_the_order_of_the_rows_does_not_matter(asked: Questions, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "p.parquet"
    write_predictions(file, asked, truth_of(asked))
    table = pq.read_table(file)
    pq.write_table(table.take(np.arange(len(asked))[::-1]), file)
    found = read_predictions(file, asked)
    for name, values in truth_of(asked).items():
        np.testing.assert_array_equal(found[name], values)


def test_what_is_no_submission_is_refused(asked: Questions, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "p.parquet"
    write_predictions(file, asked, {"win": truth_of(asked)["win"]})
    table = pq.read_table(file)

    def refused(changed: pa.Table, because: str) -> None:
        pq.write_table(changed, file)
        with pytest.raises(DatasetError, match=because):
            read_predictions(file, asked)

    n = len(table)
    refused(table.slice(1), f"1 of {n} questions have no row, the first is game benchmark-1-")
    refused(pa.concat_tables([table, table.slice(2, 1)]), "is there twice")
    refused(table.drop_columns(["win"]), "one or more of tenpai, deal-in")
    refused(table.set_column(3, "win", pa.array([2.0] * n)), "are no probabilities")
    refused(
        table.drop_columns(["win"]).append_column("placement", pa.array([[0.5] * 4] * n)),
        "are no probabilities that sum to one by 4",
    )
    refused(
        table.drop_columns(["win"]).append_column("placement", pa.array([[0.5] * 2] * n)),
        "expected 4",
    )
    refused(table.set_column(0, "game", pa.array([["a"]] * n)), "not lists$")
    refused(table.append_column("game", table["game"]), r"Multiple matches .*game[^\n]*$")
    file.write_bytes(b"PAR1")
    with pytest.raises(DatasetError):
        read_predictions(file, asked)
    with pytest.raises(DatasetError, match=r"none\.parquet: no such file$"):
        read_predictions(tmp_path / "none.parquet", asked)
    with pytest.raises(DatasetError, match=r"is a folder: name the file of the predictions$"):
        read_predictions(tmp_path, asked)


def test_predictions_that_fit_no_task_are_not_written(
    asked: Questions, tmp_path: pathlib.Path
) -> None:
    file, n = tmp_path / "p.parquet", len(asked)
    for name, shape, because in (
        ("tenpay", (n, 3), "no task 'tenpay': the tasks are tenpai, "),
        ("tenpai", (n, 2), rf"tenpai: predictions of shape \({n}, 2\), expected \({n}, 3\)"),
        ("win", (n - 1,), rf"win: predictions of shape \({n - 1},\), expected \({n},\)"),
    ):
        with pytest.raises(DatasetError, match=because):
            write_predictions(file, asked, {name: np.full(shape, 0.5)})
    for wrong in (["x"] * n, [[0.1], [0.1, 0.2]], None):
        with pytest.raises(DatasetError, match=rf"^win: .*{n}"):
            write_predictions(file, asked, {"win": wrong})  # type: ignore[dict-item]
    for wrong in ([None] * n, [10**400] * n, ["0.5"] * n, [1e300] * n, [float("nan")] * n):
        with pytest.raises(DatasetError, match=r"^win: .* numbers"):
            write_predictions(file, asked, {"win": wrong})  # type: ignore[dict-item]
    assert not file.exists()
    write_predictions(file, asked, {"win": [0.25] * n})
    assert read_predictions(file, asked)["win"].tolist() == [0.25] * n


def test_every_baseline_answers(tiny: Benchmark, tmp_path: pathlib.Path) -> None:
    sample = Sample.of(tiny, "test")
    skills = {}
    for name, baseline in BASELINES.items():
        file = tmp_path / f"{name}.parquet"
        write_predictions(file, sample.asked, baseline(sample))
        for result in results_of(tiny, "test", sample.asked, Entry(name), file):
            if result.metric == BY_NAME[result.task].metrics[0]:
                skills[name, result.task] = result.value
    assert {task for name, task in skills if name == "haiyomi"} == set(BY_NAME)
    for task in ("tenpai", "deal-in"):
        assert skills["constant", task] < skills["kurita-hoki", task]
    assert (
        skills["constant", "counts"] < skills["random deal", "counts"] < skills["nemoto", "counts"]
    )
    discards = [skills[name, "discard"] for name in ("random deal", "maekawa-takeuchi", "haiyomi")]
    assert discards == sorted(discards)
    assert skills["constant", "win"] < skills["tomohxx", "win"]


def test_results_are_appended_and_checked(
    tiny: Benchmark, asked: Questions, tmp_path: pathlib.Path
) -> None:
    file, lines = tmp_path / "p.parquet", tmp_path / "results.jsonl"
    half = {"win": np.full(len(asked), 0.5), "placement": np.full((len(asked), 4), 0.25)}
    write_predictions(file, asked, half)
    found = results_of(tiny, "test", asked, Entry("half", "1"), file)
    append_results(lines, found)
    append_results(lines, results_of(tiny, "test", asked, Entry("other"), file))
    append_results(lines, found)
    with pytest.raises(DatasetError, match="is left as it is: model is empty"):
        append_results(lines, [replace(found[0], model="")])
    for name, wrong in (("", "the model's name is empty"), ("a\nb", "a character that does not")):
        with pytest.raises(ArgumentError, match=wrong):
            Entry(name)
    every = read_results(lines)
    assert len(every) == 2 * len(found)
    files = [file, tmp_path / "pipe.parquet"]
    if os.name == "posix":
        os.mkfifo(files[1])
    assert differences(tiny, every, files) == (len(every), [])

    # Of so few games no interval is known.
    assert {(r.games < 6, r.low, r.high) for r in every} == {(True, None, None)}
    assert "[" not in "".join(str(cell) for row in reports_of(every)[0].rows for cell in row)
    first = json.loads(lines.read_text().splitlines()[0])
    changed = json.dumps(first | {"value": first["value"] + 0.001, "low": -1.0, "high": 1.0})
    lines.write_text(changed + "\n")
    done = haiyomi("benchmark", "check", lines, "--benchmark", tiny.path, "--predictions", tmp_path)
    assert done.returncode == 1
    assert "half: win, skill is" in done.stdout


@pytest.mark.parametrize(
    ("change", "because"),
    [
        ({"benchmark": 2}, "this haiyomi has benchmark 1"),
        ({"data": "0" * 64}, "are not the games of tiny"),
        ({"source": "huge"}, "source 'huge'"),
        ({"split": "all"}, "split 'all'"),
        ({"task": "luck"}, "no metric 'skill' of a task 'luck'"),
        ({"metric": "bits"}, "no metric 'bits'"),
        ({"low": 0.9}, "with the interval"),
        ({"value": "0.5"}, "expected float"),
        ({"value": 10**400}, "above 1e+10"),
        ({"low": -(10**400), "high": 10**400}, "above 1e+10"),
        ({"model": "\x1b[2J"}, "a character that does not print"),
        ({"model": "\ud800"}, "a character that does not print"),
        ({"more": 1}, "unknown fields"),
    ],
)
def test_a_line_that_is_no_result_is_named(
    tmp_path: pathlib.Path, change: dict[str, object], because: str
) -> None:
    line = {
        "benchmark": 1, "source": "tiny", "data": own.RECORDED[40], "split": "test",
        "model": "m", "version": "", "url": "", "task": "win", "metric": "skill", "value": 0.5,
        "low": 0.4, "high": 0.6, "questions": 10, "games": 2,
    }  # fmt: skip
    file = tmp_path / "results.jsonl"
    file.write_text(json.dumps(line) + "\n")
    assert read_results(file)[0].value == 0.5
    file.write_text(json.dumps(line) + "\n" + json.dumps(line | change) + "\n")
    with pytest.raises(DatasetError, match=r"line 2: ") as refused:
        read_results(file)
    assert because in str(refused.value)


def test_a_line_that_is_nested_too_deeply_is_named(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "results.jsonl"
    for depth in (2_000, 200_000):
        file.write_text("[" * depth + "]" * depth)
        with pytest.raises(DatasetError, match=r"results\.jsonl, line 1: .*nested"):
            read_results(file)


def test_a_line_that_is_no_json_has_its_column_named(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "results.jsonl"
    file.write_text('{"benchmark" 1}')
    with pytest.raises(DatasetError, match=r"line 1 is not JSON: Expecting .* at column 14$"):
        read_results(file)


def test_the_program_of_the_manual(
    tiny: Benchmark, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bench").symlink_to(tiny.path)
    monkeypatch.chdir(tmp_path)
    (program,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    exec(compile(program, str(PAGE), "exec"), {})
    done = haiyomi("benchmark", "score", "bench", "--predictions", "mine.parquet", "--name", "mine")
    assert done.returncode == 0, done.stderr
    assert "mine" in done.stdout


def test_the_page_names_every_task_and_metric() -> None:
    text = PAGE.read_text("utf-8")
    for task in TASKS:
        assert f"| `{task.name}` |" in text
        assert task.answer in text


def test_own_records(tmp_path: pathlib.Path) -> None:
    corpus = made_corpus(tmp_path / "corpus", range(2), (2,), (3,))
    out, scored = tmp_path / "bench", tmp_path / "scored"
    done = haiyomi("benchmark", "make", corpus, "-o", out, "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert ", records, data " in done.stdout
    done = haiyomi(
        "benchmark", "baselines", out, "-o", scored, "--only", "constant", "--results",
        tmp_path / "results.jsonl", "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert {result["task"] for result in json.loads(done.stdout)} >= {"tenpai", "discard"}
    again = haiyomi("benchmark", "baselines", out, "-o", scored, "--only", "constant")
    assert again.returncode == 0, again.stderr
    for wrong, why in (
        (corpus, "is neither empty nor a folder of predictions (test.zip)"),
        (corpus / "test.zip", "is a file: name a folder"),
    ):
        done = haiyomi("benchmark", "baselines", out, "-o", wrong, "--only", "constant")
        assert (done.returncode, done.stderr) == (2, f"haiyomi: {wrong} {why}\n")
    done = haiyomi(
        "benchmark", "check", tmp_path / "results.jsonl", "--benchmark", out, "--predictions",
        scored / "constant.parquet",
    )  # fmt: skip
    assert "constant.parquet is no folder: name the folder of the predictions" in done.stderr
    done = haiyomi(
        "benchmark", "score", out, "--predictions", scored / "constant.parquet", "--name", "again",
        "--results", tmp_path / "results.jsonl",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    done = haiyomi("benchmark", "check", tmp_path / "results.jsonl")
    assert done.returncode == 0
    assert "sound: " in done.stdout


def test_own_records_that_are_skipped_are_listed(tmp_path: pathlib.Path) -> None:
    corpus = made_corpus(tmp_path / "corpus", range(2), (2,), (3,))
    with zipfile.ZipFile(corpus / "train.zip", "a") as archive:
        archive.writestr("bad.mjlog", b"no record")
    done = haiyomi("benchmark", "make", corpus, "-o", tmp_path / "bench", "--jobs", "1")
    assert done.returncode == 1, done.stderr
    assert "bad.mjlog" in done.stdout
    assert ", records, data " in done.stdout


def test_a_file_of_results_is_read_up_to_a_limit(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "MOST_BYTES", 1 << 20)
    file = tmp_path / "results.jsonl"
    file.write_bytes(b" " * (1 << 20))
    with pytest.raises(DatasetError, match="holds no results"):
        read_results(file)
    file.write_bytes(b" " * ((1 << 20) + 1))
    with pytest.raises(DatasetError, match="larger than 1 MiB"):
        read_results(file)
