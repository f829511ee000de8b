"""Checkpoints: what a changed byte or a second fit does to them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from haiyomi.errors import DamageError, DatasetError
from haiyomi.storage.arrays_file import load_arrays, read_arrays, save_arrays
from haiyomi.storage.folder_lock import only_writer

ARRAYS = {"mark": np.array("of these rows"), "w": np.arange(12.0).reshape(3, 4)}


def same(one: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[k], other[k]) for k in one)


def test_a_changed_byte_is_noticed_or_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "walk.npz"
    save_arrays(path, ARRAYS)
    whole = path.read_bytes()
    assert same(read_arrays(path), ARRAYS)
    noticed = 0
    for at in range(len(whole)):
        for bit in (1, 0x80):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :])
            try:
                found = read_arrays(path)
            except DamageError:
                noticed += 1
            else:
                # The time of writing, say, which nothing reads.
                assert same(found, ARRAYS)
    assert noticed > len(whole)
    for size in range(0, len(whole), 5):
        path.write_bytes(whole[:size])
        with pytest.raises(DamageError):
            read_arrays(path)


def test_a_damaged_checkpoint_is_named_and_its_fit_begins_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A traceback before: an empty file is the end of a file to numpy."""
    path = tmp_path / "walk.npz"
    for size in (0, 100, 200):
        save_arrays(path, ARRAYS)
        path.write_bytes(path.read_bytes()[:size])
        assert load_arrays(path) is None
        assert f"{path}: damaged (" in capsys.readouterr().err
    assert load_arrays(tmp_path / "none.npz") is None
    assert capsys.readouterr().err == ""


def test_a_second_fit_on_the_same_checkpoints_is_refused(tmp_path: Path) -> None:
    """Both would have written the same file, in turn."""
    pytest.importorskip("torch")
    from scale.kill import corpus

    from haiyomi.training.fit_networks import fit_all

    given, work = corpus(tmp_path / "corpus"), tmp_path / "work"
    work.mkdir()
    with only_writer(work), pytest.raises(DatasetError, match="another haiyomi is writing there"):
        fit_all([given], work)
