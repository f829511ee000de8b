"""The decision data set: its files are what the columns' list says, and every reader gets them."""

from __future__ import annotations

import pathlib
import re

import numpy as np
import pytest
from apps.in_process import haiyomi
from training.made_corpus import made_corpus

pytest.importorskip("pyarrow", reason="needs the extra [data]")

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from haiyomi.errors import ArgumentError, DatasetError
from haiyomi.game.decision_labels import LABELS
from haiyomi.game.packed_games import decode_games
from haiyomi.training import packed_corpus
from haiyomi.training.decision_columns import COLUMNS, KNOWN, arrow_schema, columns_table
from haiyomi.training.decision_files import DecisionFiles
from haiyomi.training.decision_stream import DecisionStream
from haiyomi.training.decision_table import CARD, DECISIONS, Sampling, write_table
from haiyomi.training.packed_corpus import pack_corpora
from haiyomi.training.packed_reader import read_shard, shards_of

DRAW = Sampling(share=0.5, seed=3)


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Four shards of train games, one of valid."""
    folder = tmp_path_factory.mktemp("packed")
    corpus = made_corpus(folder / "corpus", range(4), range(4, 5), range(0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packed_corpus, "GAMES_A_SHARD", 1)
        pack_corpora([corpus], folder / "out", 1)
    return folder / "out"


@pytest.fixture(scope="module")
def decisions(tmp_path_factory: pytest.TempPathFactory, packed: pathlib.Path) -> pathlib.Path:
    out = tmp_path_factory.mktemp("decisions") / "out"
    report = write_table(packed, out, DRAW, 1)
    assert report.games == {"train": 4, "valid": 1, "test": 0}
    assert report.size == sum(f.stat().st_size for f in out.glob(f"*/*/{DECISIONS}"))
    return out


def test_the_command_counts_one_game(packed: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """It said "1 games"."""
    done = haiyomi("dataset", "decisions", str(packed), "--out", str(tmp_path / "out"))
    assert re.search(r"^  valid +1 game +[\d,]+ decisions$", done.stdout, re.MULTILINE)


def test_the_files_have_the_listed_columns_types_and_field_ids(decisions: pathlib.Path) -> None:
    files = list(decisions.glob(f"*/*/{DECISIONS}"))
    assert files
    for file in files:
        schema = pq.read_schema(file)
        assert schema.names == [c.name for c in COLUMNS]
        assert schema.equals(arrow_schema())
        ids = [int(field.metadata[b"PARQUET:field_id"]) for field in schema]
        assert ids == [c.field_id for c in COLUMNS]


def test_arrow_opens_a_split_as_a_folder(decisions: pathlib.Path) -> None:
    """A named case: the seal of a shard was taken for a table."""
    rows = sum(pq.read_metadata(f).num_rows for f in decisions.glob(f"train/*/{DECISIONS}"))
    assert ds.dataset(decisions / "train").count_rows() == rows > 0


def test_field_ids_names_and_knowledge_are_sound() -> None:
    assert len({c.field_id for c in COLUMNS}) == len({c.name for c in COLUMNS}) == len(COLUMNS)
    assert {c.known for c in COLUMNS} == set(KNOWN)
    assert columns_table().count("\n") == len(COLUMNS) + 2
    assert all(c.meaning for c in COLUMNS)


def test_every_label_of_the_core_is_a_column_or_left_out_by_name(packed: pathlib.Path) -> None:
    """A field of LABELS that is added later is added to the data set, or listed here."""
    records, labels = decode_games(read_shard(shards_of(packed, "train")[0]).words)
    used = set()
    for name in LABELS.names:
        altered = labels.copy()
        altered.view(np.uint8).reshape(len(labels), -1)[:] = labels.view(np.uint8).reshape(
            len(labels), -1
        )
        altered[name] = np.zeros_like(labels[name])
        flipped = altered.view(np.uint8).reshape(len(labels), -1)
        start, size = LABELS.fields[name][1], LABELS.fields[name][0].itemsize
        flipped[:, start : start + size] = (
            0xFF ^ labels.view(np.uint8).reshape(len(labels), -1)[:, start : start + size]
        )
        for column in COLUMNS:
            if column.source is not None and not np.array_equal(
                column.source(records, labels), column.source(records, altered)
            ):
                used.add(name)
    assert set(LABELS.names) - used == {"game", "worth"}


def test_the_rows_are_those_that_the_core_decodes(
    decisions: pathlib.Path, packed: pathlib.Path
) -> None:
    files = DecisionFiles(decisions, "train")
    for number, shard in enumerate(shards_of(packed, "train")):
        games = read_shard(shard)
        records, labels = decode_games(games.words, False, DRAW.share, DRAW.seed)
        found = files.read(number)
        assert np.array_equal(found["game"], games.game[labels["game"]])
        assert np.array_equal(found["concealed"], records["hand"])
        assert np.array_equal(found["scores"], records["observation"]["players"]["score"])
        assert np.array_equal(found["hands"].reshape(-1, 3, 34), labels["opponents"]["concealed"])
        assert np.array_equal(found["tenpai"], labels["opponents"]["waits"] != 0)
        assert np.array_equal(found["choice_discard"], labels["choice"]["discard"])
        assert np.array_equal(found["places"], labels["places"])


def test_a_second_run_changes_nothing_and_other_options_are_refused(
    decisions: pathlib.Path, packed: pathlib.Path
) -> None:
    before = {f: f.stat().st_mtime_ns for f in decisions.rglob("*") if f.is_file()}
    write_table(packed, decisions, DRAW, 1)
    assert {f: f.stat().st_mtime_ns for f in decisions.rglob("*") if f.is_file()} == before
    with pytest.raises(DatasetError, match="other options"):
        write_table(packed, decisions, Sampling(share=0.25), 1)
    with pytest.raises(DatasetError, match="holds no packed games"):
        write_table(decisions / "train", decisions, DRAW, 1)


def test_what_is_no_packed_games_makes_no_empty_data_set(
    decisions: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    with pytest.raises(DatasetError, match="holds no packed games"):
        write_table(decisions, tmp_path / "out", DRAW, 1)
    (tmp_path / "manifest.json").write_text('{"format": 1')
    with pytest.raises(DatasetError, match=r"manifest\.json: damaged"):
        write_table(tmp_path, tmp_path / "out", DRAW, 1)
    assert not (tmp_path / "out").exists()


def test_a_seed_or_a_share_that_is_none_is_named(packed: pathlib.Path) -> None:
    for seed in (-1, 2**64):
        with pytest.raises(ArgumentError, match=f"seed is {seed}: expected 0 to"):
            DecisionStream(packed, seed=seed)
        with pytest.raises(ArgumentError, match=f"seed is {seed}: expected 0 to"):
            write_table(packed, packed.parent / "other", Sampling(seed=seed), 1)
    for share in (0.0, 1.5, float("nan")):
        with pytest.raises(ArgumentError, match="expected a number above 0, at most 1"):
            DecisionStream(packed, share=share)
    with pytest.raises(DatasetError, match="no games of the other split"):
        DecisionStream(packed, "other")  # type: ignore[arg-type]


def test_a_pass_has_each_row_once_and_another_order_each_epoch(decisions: pathlib.Path) -> None:
    files = DecisionFiles(decisions, "train", ("game", "hand", "event", "seat"))
    keys = ("game", "hand", "event", "seat")

    def rows(epoch: int, rank: int = 0, ranks: int = 1) -> list[tuple[object, ...]]:
        parts = files.batches(100, 1, epoch, rank, ranks)
        return [row for b in parts for row in zip(*(b[k].tolist() for k in keys), strict=True)]

    first = rows(0)
    assert first == rows(0)
    assert first != rows(1)
    assert len(first) == len(set(first)) == len(files)
    assert sorted(first) == sorted(rows(1)) == sorted(rows(0, 0, 2) + rows(0, 1, 2))


def test_what_does_not_exist_is_named(decisions: pathlib.Path) -> None:
    with pytest.raises(DatasetError, match="no column 'nope'"):
        DecisionFiles(decisions, "train", ("nope",))
    with pytest.raises(DatasetError, match="holds no decisions of the test split"):
        DecisionFiles(decisions, "test")
    with pytest.raises(DatasetError, match=r"^columns are a list, such as \['unseen'\], not"):
        DecisionFiles(decisions, "train", "unseen")


@pytest.mark.parametrize("value", [None, [1], b"\xff", -1, float("nan")])
def test_a_column_of_something_else_is_named(
    decisions: pathlib.Path, tmp_path: pathlib.Path, value: object
) -> None:
    """A column of bytes ended in a UnicodeDecodeError, and one of nulls was read as NaN."""
    file = tmp_path / "train" / "0" / "decisions.parquet"
    file.parent.mkdir(parents=True)
    pq.write_table(pa.table({"concealed": [value], "seat": [value]}), file)
    for name in ("concealed", "seat"):
        with pytest.raises(DatasetError, match=rf"decisions\.parquet: {name} is no column of"):
            DecisionFiles(tmp_path, "train", [name]).read(0)


def test_passes_that_would_be_empty_are_refused(decisions: pathlib.Path) -> None:
    """A size below 0 gave no batch, a rank past the last the rows of another."""
    files = DecisionFiles(decisions, "train", ("seat", "seat"))
    assert set(next(files.batches(8))) == {"seat"}
    for size in (0, -8):
        with pytest.raises(ArgumentError, match=rf"^size is {size}: expected 1 or more$"):
            next(files.batches(size))
    for rank in (-1, 2):
        with pytest.raises(ArgumentError, match=rf"^rank {rank} of 2: expected 0 to 1$"):
            next(files.batches(8, rank=rank, ranks=2))
    with pytest.raises(ArgumentError, match=r"^epoch is -1: expected 0 or more$"):
        next(files.batches(8, epoch=-1))


def test_a_file_that_there_is_none_of_is_named(decisions: pathlib.Path) -> None:
    files = DecisionFiles(decisions, "train", ("seat",))
    n = len(files.files)
    for number in (n, -1):
        with pytest.raises(ArgumentError, match=rf"^no file {number}: there are {n}, numbered"):
            files.read(number)


def test_torch_reads_each_row_once_in_any_number_of_workers(decisions: pathlib.Path) -> None:
    torch = pytest.importorskip("torch", reason="needs the extra [torch]")
    from torch.utils.data import DataLoader

    from haiyomi.training.decision_torch import DecisionBatches, DecisionDataset

    columns = ("hand", "event", "seat", "waits")
    rows = DecisionDataset(decisions, "train", columns)
    wanted = sorted(
        (int(r["hand"]), int(r["event"]), int(r["seat"]), *r["waits"].tolist())
        for r in (rows[i] for i in range(len(rows)))
    )
    assert rows[-1]["waits"].dtype == torch.int64
    with pytest.raises(IndexError):
        rows[len(rows)]
    for workers in (0, 2):
        stream = DecisionBatches(decisions, "train", columns, size=64, seed=1)
        found = []
        for batch in DataLoader(stream, batch_size=None, num_workers=workers):
            assert len(batch["hand"]) <= 64
            found += zip(*(batch[c].tolist() for c in columns[:3]), batch["waits"], strict=True)
        assert sorted((h, e, s, *w.tolist()) for h, e, s, w in found) == wanted
    with pytest.raises(DatasetError, match="game is text"):
        DecisionDataset(decisions, "train", ("game",))


def test_the_card_opens_the_folder_in_datasets(
    decisions: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    assert f"path: train/*/{DECISIONS}" in (decisions / CARD).read_text(encoding="utf-8")
    datasets = pytest.importorskip("datasets", reason="the library is not installed")
    found = datasets.load_dataset(str(decisions), cache_dir=str(tmp_path))
    assert set(found) == {"train", "valid"}
    assert len(found["train"]) == len(DecisionFiles(decisions, "train"))
    assert len(found["train"][0]["concealed"]) == 34
