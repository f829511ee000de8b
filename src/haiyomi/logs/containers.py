"""What packs records: gzip and zip, opened within a budget of unpacked bytes.

One rule holds for every input: all its layers together unpack to at most ``Budget.base`` bytes
and ``Budget.ratio`` bytes more for each packed byte. A zip is checked against it by its list of
entries, before anything is unpacked; an entry never gives more than the list says.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from haiyomi.errors import FormatError, SizeError, TruncatedError

MAX_BYTES = 64 << 20
"""The most bytes a record may have, or unpack to."""
MAX_ENTRIES = 1_000_000
"""The most entries of a zip."""
RATIO: Final = 100
"""How many bytes a packed byte may become; records of every format stay below 40."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_OTHER_METHODS = {9: "deflate64", 12: "bzip2", 14: "lzma", 93: "zstandard"}
_ZEROS = re.compile(rb"\0*")


@dataclass(slots=True)
class Budget:
    """How many bytes one input may unpack to: ``base``, and ``ratio`` times ``packed``, the bytes
    that were read of it. ``spent`` counts what was unpacked, of refused and damaged parts too."""

    base: int = MAX_BYTES
    ratio: int = RATIO
    packed: int = 0
    spent: int = 0

    @property
    def limit(self) -> int:
        """The most bytes that the input may unpack to, as far as it has been read."""
        return self.base + self.ratio * self.packed

    def spend(self, size: int, name: str) -> None:
        """Count ``size`` more unpacked bytes. Raises SizeError past the limit."""
        self.spent += size
        if self.spent > self.limit:
            limit = f"{self.limit >> 20} MiB" if self.limit >> 20 else f"{self.limit} bytes"
            raise SizeError(f"the input unpacks to more than {limit} in all", name)


def is_zip(head: bytes) -> bool:
    """Whether an input that begins so is a zip: the first four bytes are enough."""
    return head[:4] in (b"PK\x03\x04", b"PK\x05\x06")  # the second one: a zip without entries


def is_gzip(head: bytes) -> bool:
    """Whether an input that begins so is gzipped."""
    return head[:2] == b"\x1f\x8b"


def gunzip(data: bytes, name: str, budget: Budget | None = None) -> bytes:
    """Unpacked gzip data, of one member or many, in time linear in input and output.

    Raises SizeError past MAX_BYTES or the budget, TruncatedError, FormatError.
    """
    budget = Budget(packed=len(data)) if budget is None else budget
    unpacked = bytearray()
    view, at = memoryview(data), 0
    while at < len(data):
        member = zlib.decompressobj(16 + zlib.MAX_WBITS)
        step = 256  # what follows a member is copied, and a member may be 20 bytes long
        while not member.eof:
            block = view[at : at + step]
            if not block:
                raise TruncatedError("is gzip that ends too early", name)
            before = len(unpacked)
            room = min(MAX_BYTES - before, budget.limit - budget.spent)
            try:
                unpacked += member.decompress(block, max(room, 0) + 1)
            except zlib.error as error:
                raise FormatError(f"is damaged gzip: {error}", name) from None
            if len(unpacked) > MAX_BYTES:
                raise SizeError(f"unpacks to more than {MAX_BYTES >> 20} MiB", name)
            budget.spend(len(unpacked) - before, name)
            at += len(block) - len(member.unused_data) - len(member.unconsumed_tail)
            step = min(2 * step, 1 << 16)
        padding = _ZEROS.match(data, at)
        at = at if padding is None else padding.end()
    return bytes(unpacked)


def open_zip(file: str | BinaryIO, name: str) -> zipfile.ZipFile:
    """A zip file, opened. Raises FormatError where it is damaged or cannot be read."""
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise FormatError(f"is a damaged zip: {error}", name) from None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", name) from None


def zip_entries(
    archive: zipfile.ZipFile, size: int, name: str, budget: Budget
) -> list[zipfile.ZipInfo]:
    """The entries of a zip of ``size`` bytes, folders left out, in the order of their names.

    Raises FormatError where an entry has no name or entries overlap, SizeError where there are too
    many or they unpack to more than the budget.
    """
    entries = [entry for entry in archive.infolist() if not entry.filename.endswith("/")]
    if not all(entry.filename for entry in entries):
        raise FormatError("is a damaged zip: an entry has no name", name)
    if len(entries) > MAX_ENTRIES:
        raise SizeError(f"is a zip of more than {MAX_ENTRIES} entries", name)
    if sum(entry.compress_size for entry in entries) > size:
        raise FormatError("is a damaged zip: its entries overlap", name)
    budget.packed += size
    # An entry over the limit is refused unread; one that says less than it holds is cut there.
    budget.spend(sum(e.file_size for e in entries if e.file_size <= MAX_BYTES), name)
    return sorted(entries, key=lambda entry: entry.filename)


def write_zip(file: Path, entries: Iterable[tuple[str, bytes]], mode: int = 0o644) -> None:
    """Write a zip of named bytes, in their order, as files of a Unix mode; the same entries give
    the same bytes."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            stored = zipfile.ZipInfo(name)  # 1980, the first day that a zip knows
            stored.compress_type = zipfile.ZIP_DEFLATED
            stored.create_system = 3  # Unix, on every system
            stored.external_attr = (0o100000 | mode) << 16
            archive.writestr(stored, data)


def zip_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> bytes:
    """The bytes of one entry, never more than the zip's list says.

    Raises SizeError, FormatError, TruncatedError.
    """
    if entry.file_size > MAX_BYTES:
        raise SizeError(f"unpacks to more than {MAX_BYTES >> 20} MiB", name)
    if entry.compress_type not in _METHODS:
        method = _OTHER_METHODS.get(entry.compress_type, f"method {entry.compress_type}")
        raise FormatError(f"is packed by {method}: only stored and deflated entries are read", name)
    try:
        with archive.open(entry) as file:
            return file.read(entry.file_size)
    except (zipfile.BadZipFile, zlib.error) as error:
        raise FormatError(f"is damaged in its zip: {error}", name) from None
    except EOFError:
        raise TruncatedError("ends too early in its zip", name) from None
    except (OSError, ValueError, NotImplementedError, RuntimeError) as error:
        raise FormatError(f"cannot be unpacked: {error}", name) from None
