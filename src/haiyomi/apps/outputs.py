"""Output files: tried before long work, and written whole or not at all."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from haiyomi.errors import HaiyomiError, printable
from haiyomi.storage.whole_file import is_stream, whole_file
from haiyomi.storage.whole_file import not_within as not_within


def try_outputs(*paths: Path | None) -> None:
    """Raise HaiyomiError where one of the files cannot be written, or two are one; None stands for
    no file."""
    given = [path for path in paths if path is not None]
    for number, path in enumerate(given):
        _a_file(path)
        if not is_stream(path):
            _try(path.parent, path)
        if path.resolve() in [other.resolve() for other in given[:number]]:
            raise HaiyomiError(f"{path} is named twice: name two files")


def try_folders(*paths: Path | None, beside: Path | None = None) -> None:
    """Raise HaiyomiError where one of the folders, which need not exist, cannot be written to, or
    is the file that is written ``beside`` them."""
    for path in paths:
        if path is None:
            continue
        _not_standard_input(path)
        if beside is not None and beside.resolve() == path.resolve():
            raise HaiyomiError(f"{path} is named as a file and as a folder: name two places")
        there = next((p for p in (path, *path.absolute().parents) if p.exists()), path)
        if not there.is_dir():
            raise HaiyomiError(f"{there} is a file: name a folder")
        _try(there, path)


def _try(folder: Path, wanted: Path) -> None:
    with _refused(wanted), tempfile.TemporaryFile(dir=folder):
        pass


def _not_standard_input(output: Path) -> None:
    if str(output) == "-":
        raise HaiyomiError("- is standard input and nothing to write to: name another place")


def _a_file(output: Path) -> None:
    _not_standard_input(output)
    if output.is_dir():
        raise HaiyomiError(f"{output} is a folder: name the file to write")


@contextmanager
def _refused(output: Path) -> Iterator[None]:
    """An OSError inside becomes the HaiyomiError of an output that cannot be written; but a reader
    of a pipe may leave."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise HaiyomiError(f"{output} cannot be written: {error.strerror or error}") from None


def not_an_input(output: Path | None, records: Iterable[str | Path]) -> None:
    """Raise HaiyomiError if writing ``output`` would overwrite a record that is read, one of some
    files or in one of some folders, or if it would count as a record of such a folder the next
    time."""
    if output is None:
        return
    from haiyomi.corpus.listing import may_be_a_record

    is_there = output.is_file()
    for record in records:
        with suppress(OSError, ValueError):
            place = Path(record)
            is_folder = place.is_dir()
            if is_folder and not may_be_a_record(output.name):
                continue
            if is_there:
                found = place.rglob(output.name) if is_folder else [place]
                if any(path.samefile(output) for path in found):
                    raise HaiyomiError(
                        f"{output} is one of the records that are read: name another"
                    )
            not_within(output, place)


FORMS = {
    ".html": "a page", ".htm": "a page", ".json": "JSON", ".csv": "CSV",
    ".mjlog": "mjlog", ".mjson": "mjai", ".gz": "gzip", ".zip": "a zip",
}  # fmt: skip
"""What a file's name says that it holds."""


def named_as(output: Path | None, what: str, how: str = "") -> None:
    """Raise HaiyomiError where a file is named for something else than ``what`` it is to hold, one
    of FORMS or a folder; ``how`` says what to do beside naming another."""
    named = None if output is None else FORMS.get(output.suffix.lower())
    if named is None or named == what or (output is not None and output.is_dir()):
        return
    raise HaiyomiError(f"{output} is named as {named} and would be {what}: name another{how}")


def ends_in(output: Path, ending: str) -> None:
    """Raise HaiyomiError where a model file is named for another format than it has: other commands
    would refuse it."""
    if output.suffix != ending:
        raise HaiyomiError(
            f"{output} would be a model file in {ending[1:]}: name it {output.stem}{ending}"
        )


def write_output(output: Path, text: str, more: str = "") -> None:
    """Write the output to a file, whole or not at all, and say so on standard error, with
    ``more`` behind. Raises HaiyomiError where it cannot be written."""
    data = text.encode()
    _a_file(output)
    with _refused(output), whole_file(output, single_writer=True) as part:
        part.write_bytes(data)
    size = f"{len(data) / 1e6:.2f} MB" if len(data) >= 10_000 else f"{len(data):,} bytes"
    print(f"{printable(str(output))}: {size}{more}", file=sys.stderr)


PAGE = ", open it in a browser"
"""What is printed after a page is written."""
