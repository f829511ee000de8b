"""Gzip and zip within a budget: bombs of every kind end at once, with one clear error."""

from __future__ import annotations

import bz2
import gzip
import io
import struct
import time
import zipfile
import zlib

import pytest

from haiyomi.errors import FormatError, RecordError, SizeError, TruncatedError
from haiyomi.logs import containers
from haiyomi.logs.containers import Budget, gunzip, open_zip, zip_entries, zip_entry


def packed(entries: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return out.getvalue()


def overlapped(data: bytes, times: int) -> bytes:
    """A zip whose list names one deflated entry many times."""
    squeezed = zlib.compress(data, 9)[2:-4]
    crc, sizes = zlib.crc32(data), (len(squeezed), len(data))
    head = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 8, 0, 0, crc, *sizes, 1, 0) + b"a"
    out = head + squeezed
    entry = struct.pack(
        "<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, crc, *sizes, 1, 0, 0, 0, 0, 0, 0
    )
    listed = (entry + b"a") * times
    counts = (0, 0, times, times, len(listed), len(out), 0)
    return out + listed + struct.pack("<4s4H2LH", b"PK\x05\x06", *counts)


def opened(data: bytes, budget: Budget | None = None) -> list[bytes | RecordError]:
    """Every entry of a zip, or its error."""
    found: list[bytes | RecordError] = []
    with open_zip(io.BytesIO(data), "x.zip") as archive:
        for entry in zip_entries(archive, len(data), "x.zip", budget or Budget()):
            try:
                found.append(zip_entry(archive, entry, entry.filename))
            except RecordError as error:
                found.append(error)
    return found


def test_gzip_of_one_member_and_of_many() -> None:
    parts = [b"", b"a" * 100_000, b"b" * 5, bytes(range(256)) * 400]
    data = b"\0\0\0".join(gzip.compress(p) for p in parts) + b"\0" * 9
    assert gunzip(data, "x") == b"".join(parts)


def test_gzip_that_is_cut_damaged_or_followed_by_something() -> None:
    data = gzip.compress(bytes(range(256)) * 40)
    with pytest.raises(TruncatedError, match="ends too early"):
        gunzip(data[:-9], "x")
    with pytest.raises(FormatError, match="damaged gzip"):
        gunzip(data[:-8] + b"\xff" * 8, "x")
    with pytest.raises(FormatError, match="damaged gzip"):
        gunzip(data + b"more", "x")


def test_gunzip_is_linear_in_its_members() -> None:
    """It copied the rest of the input once a member: 8 s for these, four times that at double."""
    small, large = (gzip.compress(b"") * n for n in (50_000, 400_000))

    def seconds(data: bytes) -> float:
        begun = time.process_time()
        gunzip(data, "x")
        return time.process_time() - begun

    assert seconds(large) < 8 * 4 * seconds(small) + 0.05


def test_a_gzip_bomb_stops_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = gzip.compress(gzip.compress(b"<" * 50_000_000) + b"\0" * 30_000_000)
    monkeypatch.setattr(containers, "MAX_BYTES", 1 << 20)
    with pytest.raises(SizeError, match="unpacks to more than 1 MiB"):
        gunzip(bomb, "bomb")


def test_many_gzip_parts_share_one_budget() -> None:
    """Parts that are refused count as well: the next is refused before any work."""
    part = gzip.compress(b"<" * (8 << 20))
    budget = Budget(base=20 << 20, ratio=0)
    for _ in range(2):
        gunzip(part, "x", budget)
    for _ in range(1000):
        with pytest.raises(SizeError, match="the input unpacks to more than 20 MiB in all"):
            gunzip(part, "x", budget)
    damaged = part[:-4] + b"\xff" * 4
    budget = Budget(base=20 << 20, ratio=0)
    with pytest.raises(FormatError):
        gunzip(damaged, "x", budget)
    assert 7 << 20 < budget.spent <= 8 << 20


def test_a_zip_of_bzip2_bombs_is_refused_unread() -> None:
    """Twenty of 80 MB each in 3 KB held a reader for 25 s."""
    bombs = {str(i): b"<" * (1 << 20) for i in range(20)}
    found = opened(packed(bombs, zipfile.ZIP_BZIP2))
    assert len(found) == 20
    for error in found:
        assert isinstance(error, FormatError)
        assert "is packed by bzip2: only stored and deflated entries are read" in str(error)
    assert bz2.decompress(bz2.compress(b"x")) == b"x"


def test_a_zip_of_entries_over_the_limit_is_refused_unread() -> None:
    data = packed({"big": b"<" * (65 << 20), "good": b"fine"})
    begun = time.process_time()
    big, good = opened(data)
    assert time.process_time() - begun < 0.1
    assert isinstance(big, SizeError)
    assert good == b"fine"


@pytest.mark.parametrize("times", [2, 2000])
def test_overlapping_entries_of_a_zip_are_refused(times: int) -> None:
    """30 MiB named 2,000 times ran past a minute."""
    with pytest.raises(FormatError, match="its entries overlap"):
        opened(overlapped(bytes(range(256)) * 4096 * (30 if times > 2 else 1), times))
    assert opened(overlapped(b"a" * 100, 1)) == [b"a" * 100]


def test_a_zip_that_lists_more_than_the_budget_is_refused_unread() -> None:
    data = packed({str(i): b"<" * (1 << 20) for i in range(200)})
    with pytest.raises(SizeError, match=r"the input unpacks to more than \d+ MiB in all"):
        opened(data)
    assert len(opened(data, Budget(base=200 << 20, ratio=0))) == 200


def test_an_entry_gives_no_more_than_the_list_says() -> None:
    data = bytearray(packed({"a": b"<" * 1_000_000}))
    at = data.rindex(b"PK\x01\x02") + 24
    assert struct.unpack_from("<L", data, at) == (1_000_000,)
    struct.pack_into("<L", data, at, 10)
    (found,) = opened(bytes(data))
    assert isinstance(found, FormatError)
    assert "damaged in its zip" in str(found)
