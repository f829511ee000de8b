"""Gathers what the long runs wrote into docs/results/faults.json.

    python docs/gather_faults.py --fuzz FOLDER... --kernels FILE... --server FILE... --kills FILE...
        --sizes FILE... --contradictions FILE... --records FILE... [--more]

``--fuzz``: folders of ``fuzz.run``; ``--kernels``: JSON of ``fuzz.kernels``; ``--server``: JSON of
``fuzz.server``; ``--kills``: JSON of ``scale.kill``; ``--sizes``: JSON of ``fuzz.sizes``;
``--contradictions``: JSON of ``fuzz.contradictions``; ``--records``: JSON of ``haiyomi verify
--json``. Counts of several runs add up; what no run is
given of stays as it is in the file, and ``--more`` adds to it.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "docs" / "results" / "faults.json"
TESTED = "tests/"
TESTS = {
    "full disk (a file system of 200 kB, a limit on file sizes)": (
        "scale/test_resume.py::test_a_full_disk",
        "scale/test_resume.py::test_a_full_disk_under_a_review",
        "scale/test_resume.py::test_a_limit_on_files",
    ),
    "read-only file system, folder that may not be written": (
        "scale/test_resume.py::test_a_read_only_file_system",
        "scale/test_resume.py::test_a_folder_that_may_not_be_written",
    ),
    "input that vanishes": ("scale/test_resume.py::test_input_that_vanishes",),
    "a shard, page, cache or checkpoint emptied, cut, changed or gone": (
        "storage/test_damage.py::test_it_is_named_and_made_again",
        "storage/test_damage.py::test_reading_a_damaged_file_is_one_sentence",
        "storage/test_arrays_file.py::test_a_damaged_checkpoint_is_named_and_its_fit_begins_anew",
    ),
    "two commands at once on one folder": (
        "storage/test_arrays_file.py::test_a_second_fit_on_the_same_checkpoints_is_refused",
        "storage/test_folder_lock.py::test_the_second_is_refused_and_takes_nothing",
        "storage/test_folder_lock.py::test_a_kill_leaves_the_folder_free",
    ),
    "a worker lost, a parent killed": (
        "scale/test_shards.py::test_a_lost_worker_s_shard_runs_again",
        "scale/test_shards.py::test_a_shard_that_kills_every_worker_is_named",
        "scale/test_shards.py::test_workers_end_with_a_parent_that_is_killed",
    ),
    "server: uploads that take too much memory or time, or whose client has gone": (
        "web/test_uploads.py::test_an_upload_past_its_time_is_killed_and_its_neighbour_succeeds",
        "web/test_uploads.py::test_uploads_wait_behind_hanging_ones_and_are_read",
        "web/test_uploads.py::test_an_upload_ends_with_its_client",
        "web/test_uploads.py::test_an_upload_past_its_memory_is_refused",
        "web/test_uploads.py::test_a_bomb_leaves_the_servers_memory_as_it_was",
    ),
    "server: 230 connections that wait, headers that do not end, replies that nobody reads": (
        "web/test_connections.py::test_a_new_client_is_answered_beside_230_that_wait",
        "web/test_connections.py::test_headers_that_do_not_end_are_given_up_in_time",
        "web/test_connections.py::test_a_connection_without_a_request_is_closed_in_time",
        "web/test_connections.py::test_a_client_that_reads_nothing_is_given_up",
        "web/test_connections.py::test_an_address_with_all_its_connections_at_work_is_refused",
    ),
    "server: a full disk": (
        "web/test_full_disk.py::test_deleting_works_on_a_full_disk_and_gives_its_room_back",
        "web/test_full_disk.py::test_a_large_record_is_deleted_on_a_full_disk",
        "web/test_full_disk.py::test_a_server_begins_and_deletes_on_a_full_disk",
        "web/test_full_disk.py::test_what_cannot_be_kept_is_507_in_the_shape_of_every_error",
        "web/test_full_disk.py::test_a_review_made_on_a_full_disk_is_stored_once_there_is_room",
    ),
    "server: a second one on the same library, kill -9 in the middle of a review": (
        "web/test_claims.py::test_a_second_server_leaves_a_running_review_alone",
        "web/test_claims.py::test_a_claim_that_is_not_renewed_goes_to_another",
        "web/test_kill.py::test_kill_in_the_middle_of_a_review",
        "web/test_kill.py::test_two_servers_review_on_one_library",
    ),
    "server: damaged rows and a damaged file": (
        "web/test_damaged.py::test_a_damaged_record_is_listed_refused_and_deleted",
        "web/test_damaged.py::test_a_damaged_review_has_failed_and_is_deleted",
        "web/test_damaged.py::test_a_damaged_page_or_result_is_one_error",
        "web/test_damaged.py::test_damaged_figures_are_one_error",
        "web/test_damaged.py::test_a_damaged_body_is_one_error",
        "web/test_full_disk.py::test_a_damaged_file_is_one_error",
    ),
    "Ray: a worker killed, a machine lost": (
        "scale/test_ray.py::test_a_worker_killed_in_the_middle",
        "scale/test_ray.py::test_a_node_lost_in_the_middle",
    ),
}
"""Faults that tests inject, every time that they run."""
FOUND = (
    "`ron_distribution` wrote past its answer for a fu above 110, which no score has but a wrong "
    "call can pass (`test_a_score_beyond_the_table_of_fu_is_refused`). Scores of a damaged "
    "decision overflowed in the policy's features (`test_scores_as_far_apart_as_numbers_go`). "
    "Reading the code found both while the fuzzer left out 14 functions of the core; now it calls "
    "all of them.",
    "`hand_samples` accepted any number of draws: a large number ended in a MemoryError, and the "
    "size of the answer could overflow to a small one. The limit is now a million a row "
    "(`test_more_samples_than_fit_into_memory`).",
    "`Posterior.sample` allocated 73 GB for 2^31 - 1 hands "
    "(`test_more_hands_than_fit_into_memory`).",
    "A build that was killed while it wrote its plan left a folder that was neither empty nor a "
    "dataset (`test_a_kill_before_the_plan_was_written_blocks_nothing`).",
    "A batch of reviews that was killed five times kept the half-written folder of a game beside "
    "the finished ones. This is the only loss that the kills found; the kills counted above came "
    "after it (`test_what_a_killed_batch_of_reviews_left_goes`).",
    "Simulated power cuts ended 27 of 60 resumed runs in an error or in other contents (dataset "
    "build 5, fit 13 and batch review 9 of 20 each): no file was brought to the disk before its "
    "rename. Resuming did not notice an emptied or changed shard. Files are now synced, and sizes "
    "and hashes are kept and checked (`test_the_power_is_cut`, `test_it_is_named_and_made_again`).",
    "An array that another thread changed behind the check of its indices ended the process in two "
    "functions of the core (`test_an_array_that_another_thread_changes`). `hand_samples` limited "
    "the draws of a row and not their product with the rows "
    "(`test_rows_times_draws_have_a_limit`).",
    "Model files with numbers such as 1e300 under a right checksum ended in tracebacks "
    "(`test_a_number_beyond_all_models_is_one_sentence`, "
    "`test_changed_numbers_are_refused_or_usable`).",
    "When a zip vanished in the middle of a build, the finished dataset lacked its records. Now "
    "the build stops (`test_input_that_vanishes`).",
    "A zip with an entry without a name ended in an IndexError, twice in the two longest runs "
    "(`test_a_zip_with_an_entry_without_a_name`).",
    "A 47 KB upload took the server to 4.3 GB, and an upload that was given up went on while "
    "everybody else had to wait (`test_a_bomb_leaves_the_servers_memory_as_it_was`, "
    "`test_uploads_wait_behind_hanging_ones_and_are_read`).",
    "230 connections without a request shut everybody out "
    "(`test_a_new_client_is_answered_beside_230_that_wait`).",
    "On a full disk nothing could be deleted from the server's library "
    "(`test_deleting_works_on_a_full_disk_and_gives_its_room_back`).",
    'Tags of many attributes took 137 bytes of memory for each of their bytes, `{"log":[[],[]` '
    "about 70, and 200,000 empty gzip members 8 s and four times that at double "
    "(`test_memory_and_time_are_bounded_by_the_size`).",
    "`verify` passed records that contradict themselves: one unknown yaku switched off the check "
    "of han, and scores, shown hands, sets, indicators and limits stated a second time were "
    "not compared (`test_what_passes_is_sound`, "
    "`test_fields_that_are_reported_twice_refuse_every_change`).",
    "A record cut between two hands counted as whole "
    "(`test_what_is_not_stated_is_counted_and_a_missing_end_named`).",
    "Control characters of names and records reached the terminal "
    "(`test_no_name_or_message_reaches_the_terminal_unescaped`), and one name of 300 letters ended "
    "a batch of `convert` (`test_names_of_a_batch_are_portable`).",
    "A second server on the same library marked the first one's review as failed "
    "(`test_a_second_server_leaves_a_running_review_alone`).",
)


def tested(fault: str, names: Sequence[str]) -> dict[str, Any]:
    """How many cases the tests of a fault have, as pytest collects them."""
    nodes = [TESTED + name for name in names]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "slow or not slow"]
    ran = subprocess.run([*command, *nodes], cwd=ROOT, capture_output=True, text=True, check=False)
    cases = [line for line in ran.stdout.splitlines() if "::" in line]
    if ran.returncode or len({line.partition("[")[0] for line in cases}) != len(names):
        raise SystemExit(f"tests of {fault!r} are not there, or cannot be collected:\n{ran.stdout}")
    files = sorted({name.partition("::")[0] for name in names})
    return {"fault": fault, "files": [TESTED + file for file in files], "tests": len(cases)}


def named(found: Sequence[str]) -> list[str]:
    """The findings; each names a test that is there."""
    tests = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("tests/**/test_*.py"))
    for text in found:
        for name in re.findall(r"`(test_\w+)`", text):
            if f"def {name}(" not in tests and not list(ROOT.glob(f"tests/**/{name}.py")):
                raise SystemExit(f"no test {name}")
    return list(found)


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    kinds = ("fuzz", "kernels", "server", "kills", "sizes", "contradictions", "records")
    for name in (f"--{kind}" for kind in kinds):
        parser.add_argument(name, type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--more", action="store_true", help="add to what the file has")
    given = parser.parse_args()
    stored = json.loads(OUT.read_text(encoding="utf-8")) if OUT.exists() else {}
    dates = dict(stored.get("dates", {}))
    answer: dict[str, Any] = {"dates": dates}
    for name, gather in (
        ("fuzz", gather_fuzz),
        ("kernels", gather_kernels),
        ("server", gather_server),
        ("kills", gather_kills),
        ("sizes", gather_sizes),
        ("contradictions", gather_contradictions),
        ("records", gather_records),
    ):
        runs = getattr(given, name)
        before = stored.get(name) if given.more or not runs else None
        answer[name] = gather(runs, before)
        if runs:
            dates[name] = max(map(date_of, runs))
    answer |= {
        "tests": [tested(fault, names) for fault, names in TESTS.items()],
        "found": named(FOUND),
    }
    OUT.write_text(json.dumps(answer, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def date_of(run: pathlib.Path) -> str:
    """The day on which a run ended."""
    file = run / "progress.json" if run.is_dir() else run
    return datetime.fromtimestamp(file.stat().st_mtime, UTC).date().isoformat()


def gather_fuzz(folders: Sequence[pathlib.Path], before: dict[str, Any] | None) -> dict[str, Any]:
    """Of each target how many inputs and findings."""
    fuzz = dict(before or {})
    for folder in folders:
        run = json.loads((folder / "progress.json").read_text(encoding="utf-8"))
        for name, row in run.items():
            kept = fuzz.setdefault(name, {"inputs": 0, "findings": 0})
            kept["inputs"] += row["inputs"]
            kept["findings"] += len(list(folder.glob(f"{name}-*.txt")))
    return fuzz


def gather_kernels(paths: Sequence[pathlib.Path], before: list[Any] | None) -> list[Any]:
    """Of each run how many calls of how many functions. A run ends at its first finding and
    counts the calls before it, which are sound."""
    kernels = list(before or ())
    for path in paths:
        run = json.loads(path.read_text(encoding="utf-8"))
        by = {name: n for name, n in run["by"].items() if name not in ("answered", "refused")}
        kernels.append(
            {
                "how": "under ASan and UBSan" if run["sanitized"] else "optimised build",
                "calls": run["calls"],
                "functions": len(by),
                "refused": run["by"]["refused"],
                "least": min(by.values()),
                "least_called": min(by, key=by.__getitem__),
                "findings": 0,
            }
        )
    return kernels


def gather_server(paths: Sequence[pathlib.Path], before: dict[str, Any] | None) -> dict[str, Any]:
    """What hostile clients did, the longest that an honest one waited, and the findings."""
    sums = dict(before or {})
    for path in paths:
        run = json.loads(path.read_text(encoding="utf-8"))
        counts = run["counts"]
        for key in ("rounds", "connections", "requests", "honest requests", "damaged rows"):
            sums[key] = sums.get(key, 0) + counts[key]
        sums["findings"] = sums.get("findings", 0) + run["findings"]
        for key in ("slowest_s", "grew_mb"):
            sums[key] = max(sums.get(key, 0.0), run[key])
    return sums


def gather_kills(paths: Sequence[pathlib.Path], before: list[Any] | None) -> list[Any]:
    """Of each kind of work and means how often it was stopped, finished folders and losses."""
    rows = {(row["means"], row["work"]): dict(row) for row in before or ()}
    for path in paths:
        for run in json.loads(path.read_text(encoding="utf-8")):
            names = {"work": run["work"], "means": run["means"]}
            sums = rows.setdefault((run["means"], run["work"]), dict.fromkeys(run, 0) | names)
            for key in ("stops", "rounds", "losses"):
                sums[key] += run[key]
    return [rows[key] for key in sorted(rows)]


def gather_sizes(paths: Sequence[pathlib.Path], before: dict[str, Any] | None) -> dict[str, Any]:
    """How many large inputs, and the most memory and time that one took."""
    sums = dict(before or {"inputs": 0, "megabytes": 0, "bytes_a_byte": 0.0, "seconds": 0.0})
    for path in paths:
        run = json.loads(path.read_text(encoding="utf-8"))
        sums["inputs"] += run["inputs"]
        sums["megabytes"] = max(sums["megabytes"], run["megabytes"])
        sums["bytes_a_byte"] = max(sums["bytes_a_byte"], run["most_bytes_a_byte"])
        sums["seconds"] = max(sums["seconds"], run["most_seconds"])
    return sums


def gather_contradictions(
    paths: Sequence[pathlib.Path], before: dict[str, Any] | None
) -> dict[str, Any]:
    """Of each format how many values were changed, and what came of it."""
    sums: dict[str, Any] = {name: dict(row) for name, row in (before or {}).items()}
    for path in paths:
        for name, row in json.loads(path.read_text(encoding="utf-8")).items():
            kept = sums.setdefault(name, dict.fromkeys(row, 0))
            for key, n in row.items():
                kept[key] = max(kept[key], n) if key == "fields" else kept[key] + n
    return sums


def gather_records(paths: Sequence[pathlib.Path], before: dict[str, Any] | None) -> dict[str, Any]:
    """How many real records were verified, and how many of them failed."""
    sums = dict(before or {"games": 0, "hands": 0, "events": 0, "failed": 0})
    for path in paths:
        run = json.loads(path.read_text(encoding="utf-8"))
        for key in sums:
            sums[key] += run[key]
        sums["failed"] += run.get("unreadable", 0)
    return sums


if __name__ == "__main__":
    main()
