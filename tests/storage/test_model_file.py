"""Model files: whole, versioned, checksummed; a wrong or damaged one is refused by name."""

from __future__ import annotations

import json
import random
import struct
from pathlib import Path

import numpy as np
import pytest

from haiyomi.dealin.models import load_model
from haiyomi.errors import ModelError
from haiyomi.storage.model_file import MAX_BYTES, read_model, write_model
from haiyomi.storage.tensors_file import read_tensors, write_tensors

PAYLOAD = {"a": [1.5, 2.0], "b": {"c": "text"}}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "model.json"
    write_model(path, "kind", 3, PAYLOAD, {"made": "here"})
    return path


def test_round_trip(file: Path) -> None:
    assert read_model(file, "kind", 3) == (PAYLOAD, {"made": "here"})
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t[: len(t) // 2], "cannot be read as a model file"),
        (lambda t: "", "cannot be read as a model file"),
        (lambda t: "[" * 200_000, "cannot be read as a model file"),
        (lambda t: t.replace("1.5", "1.6"), "the checksum does not match"),
        (lambda t: t.replace("text", "test"), "the checksum does not match"),
        (lambda t: t.replace('"version": 3', '"version": 4'), "version 4"),
        (lambda t: t.replace('"kind"', '"other"'), "'kind' is wanted here"),
        (lambda t: "[]", "'kind' is wanted here"),
        (lambda t: t.replace('"payload"', '"nothing"'), "payload or manifest is missing"),
        (lambda t: t + " " * MAX_BYTES, "larger than"),
    ],
)
def test_a_wrong_file_is_refused_by_name(file: Path, change: object, message: str) -> None:
    assert callable(change)
    file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(ModelError, match=message) as caught:
        read_model(file, "kind", 3)
    assert "model.json" in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no model file"):
        read_model(tmp_path / "absent.json", "kind", 3)
    with pytest.raises(ModelError):
        read_model(tmp_path, "kind", 3)


@pytest.mark.parametrize(
    ("header", "why"),
    [
        (b'{"__metadata__":null}', "it is safetensors of another program"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"__metadata__":' + b"1" * 10_000 + b"}", "a number has too many digits"),
        (b"{,}", "Expecting property name enclosed in double quotes at column 2"),
        (
            b'{"__metadata__":{"haiyomi_model":"kind"}}',
            "its header lacks a field, or one is of another kind",
        ),
    ],
)
def test_a_wrong_header_is_named_without_the_words_of_python(
    header: bytes, why: str, tmp_path: Path
) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(struct.pack("<Q", len(header)) + header)
    with pytest.raises(ModelError) as caught:
        read_tensors(path, "kind", 3)
    assert str(caught.value) == f"model.safetensors: cannot be read as a model file ({why})"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device without an end")
def test_a_file_without_an_end_is_read_no_further_than_a_model_is_large() -> None:
    """Memory filled up before: such a file states a size of 0."""
    with pytest.raises(ModelError, match="larger than 20000000 bytes"):
        read_model(Path("/dev/zero"), "kind", 3)
    with pytest.raises(ModelError, match="larger than 64000000 bytes"):
        read_tensors(Path("/dev/zero"), "kind", 3)


def test_numbers_that_overflow_and_endless_nesting_are_refused_by_name(file: Path) -> None:
    """Tracebacks before: neither fails where JSON is read, but where the checksum is computed."""
    text = file.read_text(encoding="utf-8")
    for value in ("1e999", "[" * 900 + "]" * 900):
        file.write_text(text.replace("1.5", value), encoding="utf-8")
        with pytest.raises(ModelError, match=r"^model\.json: "):
            read_model(file, "kind", 3)


@pytest.mark.parametrize("name", ["dealin/kurita_hoki", "reading/nemoto_d"])
def test_no_flipped_byte_of_a_shipped_model_goes_unseen(
    name: str, root: Path, tmp_path: Path
) -> None:
    """A byte of the payload changed anywhere: refused, or the very same numbers."""
    source = root / "src" / "haiyomi" / f"{name}.json"
    data = source.read_bytes()
    start = data.index(b'"payload"')
    dice = random.Random(name)
    good = json.loads(data)["payload"]
    path = tmp_path / source.name
    for _ in range(4):
        broken = bytearray(data)
        broken[dice.randrange(start, len(data))] ^= 1 << dice.randrange(7)
        path.write_bytes(broken)
        try:
            same = json.loads(broken)["payload"] == good
        except (ValueError, KeyError, TypeError):
            same = False
        if not same:
            with pytest.raises(ModelError, match=path.name):
                load_model(str(path))


def test_what_a_file_says_of_itself_is_named_shortly(tmp_path: Path) -> None:
    long = "k" * 100_000
    table, other, shape = (tmp_path / name for name in ("a.json", "b.tensors", "c.tensors"))
    write_model(table, long, 3, {long: 1e11}, {})
    write_tensors(other, long, 3, {"a": np.zeros(2)}, {})
    write_tensors(shape, "kind", 3, {long: np.zeros(2)}, {})
    shape.write_bytes(shape.read_bytes().replace(b'"shape":[2]', b'"shape":[3]'))
    for read, path, kind in (
        (read_model, table, "kind"), (read_model, table, long),
        (read_tensors, other, "kind"), (read_tensors, shape, "kind"),
    ):  # fmt: skip
        with pytest.raises(ModelError) as caught:
            read(path, kind, 3)
        assert len(str(caught.value)) < 300
