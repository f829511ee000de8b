"""Long work that is killed, that finds no room, that may not write, whose input goes."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from scale.campaign import contents
from scale.kill import Killer, commands, records, works
from scale.power import PowerCutter

from haiyomi.apps.batch_review import ReviewOptions, review_all
from haiyomi.errors import DatasetError
from haiyomi.events import Discard
from haiyomi.logs.load import parse, write
from haiyomi.storage.whole_file import drop_parts, whole_file, write_json
from haiyomi.training.dataset import build

RUN = [sys.executable, "-m", "haiyomi"]
SAMPLES = Path(__file__).parents[1] / "samples"


def test_a_file_is_whole_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_json(path, [1])
    with pytest.raises(OSError, match=r"a\.json"), whole_file(path) as part:  # noqa: PT012
        part.write_text("half")
        raise OSError(28, "No space left on device")
    assert path.read_text() == "[\n 1\n]\n"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_writer_left_goes_with_the_next(tmp_path: Path) -> None:
    (tmp_path / ".a.json.012345.part").write_text("half")
    (tmp_path / ".b.json.012345.part").write_text("another's")
    with whole_file(tmp_path / "a.json", single_writer=True) as part:
        part.write_text("whole")
    assert contents(tmp_path) == {"a.json": b"whole", ".b.json.012345.part": b"another's"}
    drop_parts(tmp_path)
    assert list(contents(tmp_path)) == ["a.json"]


def test_a_kill_before_the_plan_was_written_blocks_nothing(tmp_path: Path) -> None:
    """A named case: the half-written plan made the folder neither empty nor a dataset."""
    given = records(tmp_path / "records", 2)
    out = tmp_path / "out"
    out.mkdir()
    (out / ".plan.json.012345.part").write_text('{"form')
    build(given, out, jobs=1)
    build(given, tmp_path / "plain", jobs=1)
    assert contents(out) == contents(tmp_path / "plain")


def test_what_a_killed_batch_of_reviews_left_goes(tmp_path: Path) -> None:
    """A named case: a half-written game's folder stayed beside the finished ones for good."""
    given = records(tmp_path / "records", 1)
    options = ReviewOptions(player="nobody", model="kurita-hoki", form="json")
    review_all(given, tmp_path / "plain", options, jobs=1)
    out = tmp_path / "out"
    review_all(given, out, options, jobs=1)
    (out / "manifest.json").unlink()
    left = out / ".00000-game-000.0123456789ab.part"
    left.mkdir()
    (left / "seat0.json").write_text("half")
    review_all(given, out, options, jobs=1)
    assert not left.exists()
    assert contents(out) == contents(tmp_path / "plain")


def test_half_a_character_in_a_name(tmp_path: Path) -> None:
    """A named case: what JSON may name and UTF-8 cannot write ended a whole batch."""
    given = records(tmp_path / "records", 1)
    game = parse((given / "game-000.mjlog").read_bytes(), "game")
    value = json.loads(write(game, "tenhou6"))
    value["name"][0] = "\ud800x"
    (given / "half.json").write_text(json.dumps(value))
    options = ReviewOptions(seat=0, model="kurita-hoki", form="json")
    report = review_all(given, tmp_path / "out", options, jobs=1)
    assert report.pages == 2
    found = parse((given / "half.json").read_bytes(), "half")
    assert found.header.names[0] == "\ufffdx"
    for form in ("mjlog", "tenhou6", "mjai"):
        assert parse(write(found, form).encode(), "again").header.names[0] == "\ufffdx"


# -- the batch of reviews ---------------------------------------------------------------------


def test_the_list_of_a_batch(tmp_path: Path) -> None:
    """A row for each page, with the sums of the page's own discards; none for JSON. A record left
    out is named once."""
    given = records(tmp_path / "records", 2)
    lines = (SAMPLES / "haiyomi-7-00003.mjson").read_text(encoding="utf-8").splitlines()
    (given / "cut.mjson").write_text("\n".join(lines[: len(lines) // 2]), encoding="utf-8")
    (given / "noise.json").write_bytes(b"\x00\x01")
    out = tmp_path / "out"
    review_all(given, out, ReviewOptions(seat=1, model="kurita-hoki"), jobs=1)
    text = (out / "index.html").read_text(encoding="utf-8")
    at = text.index('id="data">') + len('id="data">')
    data = json.loads(text[at : text.index("</script>", at)])
    assert [(game["f"], game["r"]) for game in data["games"]] == [
        ("00001-game-000", "game-000.mjlog"),
        ("00002-game-001", "game-001.mjlog"),
    ]
    assert [name for name, _ in data["left"]] == ["cut.mjson", "noise.json"]
    assert not any(name in why for name, why in data["left"])
    assert data["left"][0][1].startswith("hand ")
    for game in data["games"]:
        [[seat, discards, *_]] = game["s"]
        assert (out / game["f"] / f"seat{seat}.html").is_file()
        result = parse((given / game["r"]).read_bytes(), game["r"])
        events = [event for hand in result.hands for event in hand.events]
        assert discards == sum(isinstance(e, Discard) and e.seat == 1 for e in events)
    (given / "game-000.mjlog").unlink()
    options = ReviewOptions(seat=1, form="json", model="kurita-hoki")
    review_all(given, tmp_path / "plain", options, jobs=1)
    assert not (tmp_path / "plain" / "index.html").exists()


def review(given: Path, out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [*RUN, "review", str(given), "-o", str(out), "--model", "kurita-hoki", *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_folder_of_other_reviews_is_left_as_it_is(tmp_path: Path) -> None:
    """Even one that lost a page: it is not this command's to mend."""
    given = records(tmp_path / "records", 1)
    out = tmp_path / "out"
    review_all(given, out, ReviewOptions(seat=1, model="kurita-hoki"), jobs=1)
    (out / "00000-game-000" / "seat1.html").unlink()
    before = contents(out)
    with pytest.raises(DatasetError, match=r"another version \(options\)"):
        review_all(given, out, ReviewOptions(seat=2, model="kurita-hoki"), jobs=1)
    assert contents(out) == before
    review_all(given, out, ReviewOptions(seat=1, model="kurita-hoki"), jobs=1)
    assert (out / "00000-game-000" / "seat1.html").is_file()


@pytest.mark.slow
def test_a_batch_of_reviews(tmp_path: Path) -> None:
    given = records(tmp_path / "records", 3)
    (given / "noise.json").write_bytes(b"\x00\x01")
    ran = review(given, tmp_path / "out", "--json", "--seat", "2")
    assert ran.returncode == 1
    assert "3 games, 3 reviews" in ran.stderr
    assert "left out: noise.json" in ran.stderr
    made = sorted(contents(tmp_path / "out"))
    assert "00000-game-000/seat2.json" in made
    assert "manifest.json" in made
    assert "00003-noise/review.json" in made
    again = review(given, tmp_path / "out", "--json", "--seat", "2")
    assert again.returncode == 1
    other = review(given, tmp_path / "out", "--json", "--seat", "1")
    assert other.returncode == 2
    assert other.stderr.count("\n") == 1
    assert "other records, other options or another version (options)" in other.stderr


@pytest.mark.slow
def test_a_page_of_a_batch_is_the_page_of_its_record(tmp_path: Path, root: Path) -> None:
    given = tmp_path / "records"
    given.mkdir()
    record = root / "tests" / "samples" / "haiyomi-7-00000.mjlog"
    shutil.copy(record, given)
    assert review(given, tmp_path / "out", "--player", "i-3").returncode == 0
    (page,) = (tmp_path / "out").glob("*/seat*.html")
    seat = page.stem.removeprefix("seat")
    one = review(record, tmp_path / "one.html", "--seat", seat)
    assert one.returncode == 0, one.stderr
    # But for the way back to the list.
    text = page.read_text(encoding="utf-8").replace(',"list":"../index.html"', "")
    assert text == (tmp_path / "one.html").read_text(encoding="utf-8")
    page.unlink()
    assert review(given, tmp_path / "out", "--player", "i-3").returncode == 0
    assert page.read_text(encoding="utf-8") != text  # made again, as it was
    assert page.read_text(encoding="utf-8").replace(',"list":"../index.html"', "") == text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "message"),
    [((), "--out"), (("-o", "out", "--hand", "E1"), "--hand is for one record")],
)
def test_a_folder_that_cannot_be_reviewed_so(
    tmp_path: Path, more: tuple[str, ...], message: str
) -> None:
    given = records(tmp_path / "records", 2)
    ran = subprocess.run(
        [*RUN, "review", str(given), *more], capture_output=True, text=True, check=False,
        cwd=tmp_path,
    )  # fmt: skip
    assert ran.returncode == 2
    assert message in ran.stderr
    assert ran.stderr.count("\n") == 1


# -- no room, no permission, no input ---------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 200 kB."""
    place = Path(tempfile.mkdtemp(dir=tmp_path))
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(place)],
        capture_output=True,
        check=False,
    )
    if done.returncode:
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def sound(folder: Path) -> None:
    """Nothing half-written under a final name: each shard that is there is as in a whole run."""
    assert not (folder / "manifest.json").exists()
    assert not [p for p in contents(folder) if p.endswith(".part")]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_full_disk(small_disk: Path, tmp_path: Path, jobs: str) -> None:
    given = records(tmp_path / "records", 60)
    out = small_disk / "out"
    ran = subprocess.run(
        [*RUN, "dataset", "build", str(given), "--out", str(out), "--jobs", jobs],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert "No space left on device" in ran.stderr
    assert ran.stderr.count("\n") == 1, ran.stderr
    sound(out)


@pytest.mark.slow
def test_a_full_disk_under_a_review(small_disk: Path, root: Path) -> None:
    (small_disk / "filler").write_bytes(bytes(150_000))
    record = root / "tests" / "samples" / "haiyomi-7-00000.mjlog"
    ran = review(record, small_disk / "page.html", "--seat", "0")
    assert ran.returncode == 2
    assert "No space left on device" in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert list(contents(small_disk)) == ["filler"]


def _no_large_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


@pytest.mark.slow
def test_a_limit_on_files(tmp_path: Path) -> None:
    """The same where nothing can be mounted: files may not grow beyond 20 kB."""
    given = records(tmp_path / "records", 30)
    out = tmp_path / "out"
    ran = subprocess.run(
        [*RUN, "dataset", "build", str(given), "--out", str(out), "--jobs", "1"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=_no_large_files,
    )
    assert ran.returncode == 2
    assert "File too large" in ran.stderr
    assert ran.stderr.count("\n") == 1, ran.stderr
    sound(out)
    build(given, out, jobs=1)
    build(given, tmp_path / "plain", jobs=1)
    assert contents(out) == contents(tmp_path / "plain")


@pytest.mark.slow
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    given = records(tmp_path / "records", 2)
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o500)
    if os.access(locked, os.W_OK):
        # Root may write anyway: a file in the folder's place is as closed to it.
        locked.rmdir()
        locked.write_text("")
    for command in (
        ["dataset", "build", str(given), "--out", str(locked / "out")],
        ["review", str(given), "-o", str(locked / "out"), "--seat", "0"],
        ["review", str(given / "game-000.mjlog"), "-o", str(locked / "a.html"), "--seat", "0"],
        ["play", "-o", str(locked / "out")],
    ):
        ran = subprocess.run([*RUN, *command], capture_output=True, text=True, check=False)
        assert ran.returncode == 2, command
        assert ran.stderr.count("\n") == 1, ran.stderr
        assert "locked" in ran.stderr


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may mount")
def test_a_read_only_file_system(tmp_path: Path) -> None:
    given = records(tmp_path / "records", 2)
    place = tmp_path / "place"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "ro,size=64k", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        for command in (
            ["dataset", "build", str(given), "--out", str(place / "out")],
            ["review", str(given), "-o", str(place / "out"), "--seat", "0"],
            ["review", str(given / "game-000.mjlog"), "-o", str(place / "a.html"), "--seat", "0"],
        ):
            ran = subprocess.run([*RUN, *command], capture_output=True, text=True, check=False)
            assert ran.returncode == 2, command
            assert "Read-only file system" in ran.stderr
            assert ran.stderr.count("\n") == 1, ran.stderr
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_input_that_vanishes(tmp_path: Path) -> None:
    """A zip that goes in the middle is named; a record of a folder is left out with its reason."""
    given = records(tmp_path / "records", 60)
    archive = Path(shutil.make_archive(str(tmp_path / "records"), "zip", given))

    def progress(done: int, total: int) -> None:
        if done:
            archive.unlink(missing_ok=True)

    with pytest.raises(DatasetError, match=r"records\.zip was there .* and is gone"):
        build(archive, tmp_path / "out", jobs=1, progress=progress)
    sound(tmp_path / "out")
    late = sorted(given.iterdir())

    def remove(done: int, total: int) -> None:
        for path in late:
            path.unlink(missing_ok=True)

    report = build(given, tmp_path / "other", jobs=1, progress=remove)
    assert len(report.skipped) == 60
    assert all("no such file" in reason for _, reason in report.skipped)


@pytest.mark.slow
@pytest.mark.parametrize("work", ["dataset build", "batch review", "tournament"])
def test_killed_at_random_moments(work: str, tmp_path: Path) -> None:
    """Five moments here; fifty and more in the runs of docs/explanation/reliability.md."""
    killer = Killer(work, commands(tmp_path)[work], 3, tmp_path / "place")
    killer.round()
    assert killer.campaign.losses == 0


@pytest.mark.skipif(sys.platform != "linux", reason="open files are named by /proc")
@pytest.mark.parametrize(
    ("work", "cuts"), [("dataset build", 6), ("batch review", 2), ("tournament", 3)]
)
def test_the_power_is_cut(work: str, cuts: int, tmp_path: Path) -> None:
    """A few moments here; two hundred in the runs that docs/explanation/reliability.md tells of."""
    cutter = PowerCutter(work, works(tmp_path / "works")[work], 5, tmp_path / "place")
    for _ in range(cuts):
        cutter.round()
    assert cutter.campaign.losses == 0
