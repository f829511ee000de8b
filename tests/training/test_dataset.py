"""The dataset: same bytes however it is built, killed and resumed; bad records are counted."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from haiyomi.corpus.splits import split_by_name
from haiyomi.errors import DatasetError
from haiyomi.training.dataset import build, read_manifest, read_table


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """Records of every format under many names, so that there are several shards."""
    folder = tmp_path_factory.mktemp("records")
    samples = sorted(p for p in (root / "tests" / "samples").iterdir() if p.suffix != ".md")
    for i in range(60):
        source = samples[i % len(samples)]
        shutil.copy(source, folder / f"game-{i:03d}{source.suffix}")
    return folder


@pytest.fixture(scope="module")
def built(records: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dataset")
    build(records, out, jobs=1)
    return out


def contents(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


def test_rows_agree_with_each_other(built: Path) -> None:
    manifest = read_manifest(built)
    assert sum(manifest["games"].values()) == 60
    assert manifest["skipped"] == []
    rows = manifest["rows"]
    assert rows["opponents"] == 3 * rows["decisions"]
    assert rows["riichi"] > 0
    assert rows["facing"] > rows["riichi"] / 2
    for split in ("train", "valid", "test"):
        opponents = read_table(built, "opponents", split)
        decisions = read_table(built, "decisions", split)
        won = sum(bin(v).count("1") for v in decisions["ronned"].to_pylist())
        assert won == sum(opponents["ronned"].to_pylist())
        assert won == len(read_table(built, "dealins", split))
        # Who won could have won: its mask holds the tile.
        games = set(decisions["game"].to_pylist())
        assert all(split_by_name(g) == split for g in games)


def test_processes_do_not_change_a_byte(records: Path, built: Path, tmp_path: Path) -> None:
    build(records, tmp_path / "two", jobs=2)
    assert contents(tmp_path / "two") == contents(built)


def test_missing_shards_are_built_and_nothing_else(
    records: Path, built: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    shutil.copytree(built, out)
    shard = min(p.parent for p in out.glob("*/*/shard.json"))
    kept = {p: p.stat().st_mtime_ns for p in out.rglob("*.parquet") if p.parent != shard}
    shutil.rmtree(shard)
    (out / "manifest.json").unlink()
    build(records, out, jobs=1)
    assert contents(out) == contents(built)
    assert all(p.stat().st_mtime_ns == t for p, t in kept.items())


@pytest.mark.slow
def test_killed_at_any_moment_nothing_is_lost_or_doubled(
    records: Path, built: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "haiyomi", "dataset", "build", str(records), "--out", str(out)]
    began = time.monotonic()
    subprocess.run([*command, "--jobs", "1"], check=True, capture_output=True)
    whole = time.monotonic() - began
    for attempt in range(8):
        shutil.rmtree(out)
        process = subprocess.Popen(
            [*command, "--jobs", "2"],
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(whole * (attempt + 1) / 9)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        subprocess.run(command, check=True, capture_output=True)
        assert contents(out) == contents(built)


def test_bad_records_are_skipped_with_reasons(records: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    good = sorted(records.iterdir())[0]
    shutil.copy(good, folder / good.name)
    (folder / "cut.mjlog").write_bytes(good.read_bytes()[:2000])
    (folder / "noise.json").write_bytes(b"\x00\xff\x12")
    report = build(folder, tmp_path / "out", jobs=1)
    assert sum(report.games.values()) == 1
    assert {name for name, _ in report.skipped} == {"cut", "noise"}
    assert all(reason for _, reason in report.skipped)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert len(manifest["skipped"]) == 2


def test_refusals(records: Path, built: Path, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no such"):
        build(tmp_path / "nowhere", tmp_path / "a")
    occupied = tmp_path / "occupied"
    occupied.mkdir()
    (occupied / "letter.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(DatasetError, match="neither empty"):
        build(records, occupied)
    file = occupied / "letter.txt"
    with pytest.raises(DatasetError, match=f"^{re.escape(str(file))} is a file: name a folder$"):
        build(records, file)
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(sorted(records.iterdir())[0], other)
    with pytest.raises(DatasetError, match="other records"):
        build(other, built)
    with pytest.raises(DatasetError, match="no finished dataset"):
        read_manifest(tmp_path)


def test_a_damaged_entry_of_a_zip_is_skipped(records: Path, tmp_path: Path) -> None:
    """A named case: one such entry ended the whole build."""
    name = sorted(p.name for p in records.iterdir())[0]
    path = tmp_path / "records.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(records / name, "a")
        archive.write(records / name, "b")
    data = bytearray(path.read_bytes())
    data[len(data) // 4] ^= 0xFF  # in the first entry: its checksum is then wrong
    path.write_bytes(data)
    report = build(path, tmp_path / "out", jobs=1)
    assert sum(report.games.values()) == 1
    ((skipped, reason),) = report.skipped
    assert skipped == "a"
    assert "damaged in its zip" in reason
