"""Networks: mirrored records, batches, damaged records, and their files."""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from haiyomi.errors import ModelError
from haiyomi.game.decision_record import Decisions, as_bytes, without_tedashi
from haiyomi.game.observation import TSUMOGIRI
from haiyomi.kernels.network import STYLE
from haiyomi.networks.network import Network
from haiyomi.storage.tensors_file import read_tensors, write_tensors

BACK = [k // 9 * 9 + 8 - k % 9 if k < 27 else k for k in range(34)]


def _turned_round(rows: Decisions) -> Decisions:
    """The same decisions with 1 for 9 in every suit, by hand."""
    back = np.array(BACK + [255] * 222)
    out = rows.copy()

    def bits(mask: np.ndarray) -> np.ndarray:
        new = np.zeros_like(mask)
        for k in range(34):
            new |= (mask >> np.uint64(k) & np.uint64(1)) << np.uint64(back[k])
        return new

    kinds = np.arange(34)
    for name in ("hand", "efficiency"):
        out[name][:, kinds] = rows[name][:, back[:34]]
    for name in ("drawn", "offered"):
        out[name] = back[rows[name]]
    for name in ("discards", "kans", "waits"):
        out[name] = bits(rows[name])
    out["observation"]["unseen"][:, kinds] = rows["observation"]["unseen"][:, back[:34]]
    players, old = out["observation"]["players"], rows["observation"]["players"]
    players["kind"] = back[old["kind"]]
    for name in ("passed", "passed_riichi"):
        players[name] = bits(old[name])
    melds = old["melds"]
    low = back[melds[..., 1]]
    chi = melds[..., 0] == 0
    players["melds"][..., 1] = np.where(chi, low - 2, low)
    players["melds"][..., 2] = back[melds[..., 2]]
    low_bit = rows["legal"] >> 3 & 1
    out["legal"] = rows["legal"] & ~np.uint16(1 << 3 | 1 << 5)
    out["legal"] |= (rows["legal"] >> 5 & 1) << 3 | low_bit << 5
    out["calls"][:, [1, 3]] = rows["calls"][:, [3, 1]]
    return out


def test_a_mirrored_record_is_the_same_table_turned_round(
    records: Decisions, network: Network
) -> None:
    # A next-of-indicator in a suit is no mirror image: only honours indicate here.
    rows = records[records["observation"]["indicators"][:, 0] >= 27][:200]
    assert len(rows) > 50
    n = len(rows)
    style = np.zeros((n, STYLE), np.float32)
    mirrored = network.outputs(as_bytes(rows), np.ones(n, np.uint8), style)
    turned = network.outputs(as_bytes(_turned_round(rows)), np.zeros(n, np.uint8), style)
    for name in ("discard", "kan"):
        assert np.array_equal(mirrored[name], turned[name][:, BACK])
    assert np.array_equal(mirrored["acts"], turned["acts"][:, [0, 1, 2, 5, 4, 3, 6, 7, 8]])
    for name in ("ron", "count", "factors", "han"):
        assert np.array_equal(mirrored[name], turned[name][:, :, BACK])
    assert np.array_equal(mirrored["tenpai"], turned["tenpai"])


def test_the_bits_of_a_row_do_not_depend_on_the_others(
    records: Decisions, network: Network
) -> None:
    style = np.random.default_rng(2).normal(size=(37, STYLE)).astype(np.float32)
    mirror = np.arange(37, dtype=np.uint8) % 2
    whole = network.outputs(as_bytes(records[:37]), mirror, style)
    for i in (0, 8, 36):
        one = network.outputs(as_bytes(records[i : i + 1]), mirror[i : i + 1], style[i : i + 1])
        for name, part in whole.items():
            assert np.array_equal(part[i : i + 1], one[name]), name


def test_answers_are_the_mean_of_both_views(records: Decisions, network: Network) -> None:
    style = np.random.default_rng(3).normal(size=(9, STYLE)).astype(np.float32)
    rows = as_bytes(records[:9])
    plain = network.outputs(rows, np.zeros(9, np.uint8), style)
    mirrored = network.outputs(rows, np.ones(9, np.uint8), style)
    for name, part in network.answers(records[:9], style).items():
        assert np.array_equal(part, (plain[name] + mirrored[name]) * np.float32(0.5)), name


def test_a_viewer_who_forgets_tedashi_gets_answers_that_do_not_depend_on_them(
    records: Decisions, network: Network
) -> None:
    rows = records[-200:]
    other = rows.copy()
    players = other["observation"]["players"][:, 1:]
    early = players["riichi"] < 0
    players["flags"][early] ^= TSUMOGIRI
    seen, turned = network.answers(rows), network.answers(other)
    assert not np.array_equal(seen["ron"], turned["ron"])
    seen, turned = network.answers(without_tedashi(rows)), network.answers(without_tedashi(other))
    for name, part in seen.items():
        assert np.array_equal(part, turned[name]), name


def test_damaged_records_are_refused(records: Decisions, network: Network) -> None:
    one, none = np.zeros(1, np.uint8), np.zeros((1, STYLE), np.float32)
    for field, value in (("drawn", 77), ("from", 9)):
        row = records[:1].copy()
        row[field] = value
        with pytest.raises(ValueError, match="record 0 is damaged"):
            network.outputs(as_bytes(row), one, none)
    row = records[:1].copy()
    row["observation"]["players"]["kind"][0, 1, 0] = 99
    row["observation"]["players"]["n"][0, 1] = 1
    with pytest.raises(ValueError, match="record 0 is damaged"):
        network.outputs(as_bytes(row), one, none)
    with pytest.raises(ValueError, match="weights"):
        Network(network.shape, network.weights[:-1])


def test_no_number_and_huge_answers_are_refused(records: Decisions, network: Network) -> None:
    for value in (np.nan, 1e6):
        weights = network.weights.copy()
        weights[-50:] = value  # of the last layer
        broken = Network(network.shape, weights, file="broken.safetensors")
        for both in (True, False):
            with pytest.raises(ModelError, match=r"broken\.safetensors answers with no number"):
                broken.answers(records[:2], both=both)


def test_scores_as_far_apart_as_numbers_go(records: Decisions, network: Network) -> None:
    """A named case: the gap to another's score overflowed (found under the sanitizers)."""
    rows = records[:40].copy()
    scores = rows["observation"]["players"]["score"]
    scores[:, 0], scores[:, 1], scores[:, 2] = 2**31 - 1, -(2**31), 25_000
    assert all(np.isfinite(part).all() for part in network.answers(rows).values())


def test_a_file_comes_back(network: Network, tmp_path: Path) -> None:
    file = tmp_path / "network.safetensors"
    Network(network.shape, network.weights, {"style a": np.ones(8, np.float32)}, {"n": 3}).save(
        file
    )
    back = Network.load(file)
    assert back.shape == network.shape
    assert np.array_equal(back.weights, network.weights.astype("<f2").astype(np.float32))
    assert back.tables["style a"].tolist() == [1.0] * 8
    assert back.manifest["n"] == 3
    library = pytest.importorskip("safetensors.numpy").load_file(file)
    assert np.array_equal(
        library["in"].reshape(-1), network.weights.astype("<f2")[: library["in"].size]
    )


def _header(data: bytes) -> tuple[dict[str, Any], bytes]:
    (length,) = struct.unpack_from("<Q", data)
    return json.loads(data[8 : 8 + length]), data[8 + length :]


def _file(path: Path, header: Any, body: bytes) -> Path:
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)
    return path


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"data_offsets": [0, 6]}, "does not fit its type and shape"),
        ({"data_offsets": [2, 10]}, "does not fit its type and shape"),
        ({"shape": [1 << 40]}, "does not fit its type and shape"),
        ({"shape": [-4]}, "unknown type or shape"),
        ({"dtype": "I64"}, "unknown type or shape"),
        ({"shape": None}, "cannot be read"),
        ({"shape": [math.inf]}, "cannot be read"),
    ],
)
def test_a_header_that_does_not_fit_is_refused(
    tmp_path: Path, change: dict[str, Any], error: str
) -> None:
    file = tmp_path / "a.safetensors"
    write_tensors(file, "made", 1, {"a": np.arange(4.0)}, {})
    header, body = _header(file.read_bytes())
    header["a"] |= change
    with pytest.raises(ModelError, match=error):
        read_tensors(_file(file, header, body), "made", 1)


def test_damaged_and_other_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.safetensors"
    write_tensors(file, "made", 1, {"a": np.arange(4.0)}, {})
    data = file.read_bytes()
    for name, version, error in (("other", 1, "a model of 'made'"), ("made", 2, "version 1")):
        with pytest.raises(ModelError, match=error):
            read_tensors(file, name, version)
    for damaged, error in (
        (data[:-1] + bytes([data[-1] ^ 1]), "checksum"),
        (data + b"x", "bytes after its last tensor"),
        (data[:-2], "the file ends within tensor 'a'"),
        (data[:5], "no header"),
        (struct.pack("<Q", 1 << 60) + data[8:], "longer than the file"),
        (b"", "no header"),
        (b'{"haiyomi_model": "x"}', "it is JSON, where a network in safetensors is wanted"),
    ):
        file.write_bytes(damaged)
        with pytest.raises(ModelError, match=error):
            read_tensors(file, "made", 1)
    with pytest.raises(ModelError, match="no model file"):
        read_tensors(tmp_path / "none", "made", 1)
    with pytest.raises(ModelError, match="above"):
        write_tensors(file, "made", 1, {"a": np.array([1e6])}, {})
