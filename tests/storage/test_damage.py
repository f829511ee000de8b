"""A shard, page, summary or checkpoint that is emptied, cut or changed is named and made again."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from scale.campaign import contents
from scale.kill import records

from haiyomi.apps.batch_review import ReviewOptions, review_all
from haiyomi.benchmark.folder import Benchmark
from haiyomi.errors import DatasetError
from haiyomi.storage.seal import is_sound
from haiyomi.training.dataset import build, read_table
from haiyomi.training.packed_reader import every_shard

OPTIONS = ReviewOptions(seat=1, model="kurita-hoki", form="html")


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def changed(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def other_json(path: Path) -> None:
    path.write_text("{}")


def gone(path: Path) -> None:
    path.unlink()


DAMAGES = [emptied, cut, changed, other_json, gone]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records, and the dataset and the batch that nothing disturbed."""
    place = tmp_path_factory.mktemp("place")
    build(records(place / "records", 12), place / "dataset", jobs=1)
    review_all(records(place / "few", 2), place / "batch", OPTIONS, jobs=1)
    return place


MAKERS: dict[str, Callable[[Path, Path], object]] = {
    "dataset": lambda place, out: build(place / "records", out, jobs=1),
    "batch": lambda place, out: review_all(place / "few", out, OPTIONS, jobs=1),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("what", MAKERS)
def test_it_is_named_and_made_again(
    what: str,
    damage: Callable[[Path], None],
    place: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A file of each folder at a time: the whole ends as if nothing had disturbed it."""
    out = tmp_path / "out"
    whole = contents(place / what)
    shutil.copytree(place / what, out)
    folders: dict[str, list[str]] = {}
    for name in sorted(whole.keys() - {"plan.json"}):
        folders.setdefault(name.rpartition("/")[0], []).append(name)
    # Each folder begins with another file, so that all sorts are hit.
    chosen = [files[number % len(files)] for number, files in enumerate(folders.values())]
    for name in chosen:
        damage(out / name)
    MAKERS[what](place, out)
    assert contents(out) == whole
    message = capsys.readouterr().err.splitlines()
    seals = {"shard.json", "review.json"}
    named = [n for n in chosen if "/" in n and not (damage is gone and Path(n).name in seals)]
    assert len(message) == len(named)
    for name in named:
        (line,) = (each for each in message if f"{name}: damaged (" in each)
        assert line.endswith("it is made again")


@pytest.mark.parametrize("damage", [emptied, changed, other_json, gone])
def test_a_damaged_plan_is_one_sentence(
    damage: Callable[[Path], None], place: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    shutil.copytree(place / "dataset", out)
    damage(out / "plan.json")
    with pytest.raises(DatasetError) as error:
        build(place / "records", out, jobs=1)
    assert str(out) in str(error.value)
    assert "remove" in str(error.value) or "neither empty nor" in str(error.value)


@pytest.mark.parametrize("damage", [emptied, cut, changed, gone])
def test_reading_a_damaged_file_is_one_sentence(
    damage: Callable[[Path], None], place: Path, tmp_path: Path
) -> None:
    """A changed table was read as if it were whole."""
    dataset = tmp_path / "dataset"
    shutil.copytree(place / "dataset", dataset)
    table = min(dataset.glob("train/*/opponents.parquet"))
    damage(table)
    with pytest.raises(DatasetError, match=r"opponents\.parquet: damaged"):
        read_table(dataset, "opponents", "train")


@pytest.mark.parametrize("files", ["null", "[null]", '{"train/0/opponents.parquet": {}}'])
def test_a_manifest_with_another_list_of_files_is_one_sentence(
    files: str, place: Path, tmp_path: Path
) -> None:
    manifest = json.loads((place / "dataset" / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps(manifest | {"files": json.loads(files)}))
    with pytest.raises(DatasetError, match=r"manifest\.json: damaged \(its list of files\)$"):
        read_table(tmp_path, "opponents", "train")


@pytest.mark.skipif(os.name != "posix", reason="pipes and links")
@pytest.mark.parametrize("kind", ["pipe", "device", "loop"])
def test_no_pipe_and_no_device_is_waited_for(kind: str, place: Path, tmp_path: Path) -> None:
    """A pipe in the place of a manifest was waited for, and /dev/zero read until memory ended."""
    for name in ("manifest.json", "plan.json", "benchmark.json"):
        if kind == "pipe":
            os.mkfifo(tmp_path / name)
        else:
            (tmp_path / name).symlink_to("/dev/zero" if kind == "device" else name)
    for read in (
        lambda: read_table(tmp_path, "opponents", "train"),
        lambda: every_shard(tmp_path),
        lambda: Benchmark.open(tmp_path),
        lambda: build(place / "records", tmp_path, jobs=1),
    ):
        with pytest.raises(DatasetError, match=r"json: .*(pipe or a device|levels of symbolic)"):
            read()


def test_a_seal_holds_any_change_of_one_byte(tmp_path: Path, place: Path) -> None:
    shutil.copytree(min((place / "dataset").glob("train/*")), tmp_path / "shard")
    seal = tmp_path / "shard" / "shard.json"
    text = seal.read_bytes()
    assert is_sound(seal)
    for at in range(0, len(text), 7):
        seal.write_bytes(text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :])
        assert not is_sound(seal)
