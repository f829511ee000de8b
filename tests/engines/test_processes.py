"""Working processes and signals."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

CALLER = """
import signal
import time
from haiyomi.engines.shards import map_shards
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    print("begun", flush=True)
    try:
        list(map_shards(time.sleep, [60.0, 60.0, 60.0], 2))
    except KeyboardInterrupt:
        print("stopped", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_an_interrupt_of_the_main_process_alone_waits_for_no_shard(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "caller.py"
    program.write_text(CALLER)
    with subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        time.sleep(3)  # the workers start, and each takes a shard
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert time.monotonic() - begun < 20
        assert process.stdout.read() == b"stopped\n"


IMPORTER = """
import os
from haiyomi.engines.shards import map_shards
if __name__ == "__main__":
    assert [found for _, found in map_shards(os.getenv, ["PYTHONSAFEPATH"] * 3, 2)] == [None] * 3
    assert "PYTHONSAFEPATH" not in os.environ
"""


def test_nothing_is_imported_from_the_current_folder(tmp_path: pathlib.Path) -> None:
    """A multiprocessing.py among records that somebody gave away was run by each process. What the
    processes start themselves may lie in its own folder."""
    program, folder = tmp_path / "importer.py", tmp_path / "records"
    program.write_text(IMPORTER)
    folder.mkdir()
    (folder / "multiprocessing.py").write_text("open('run', 'w')\n")
    environment = {n: v for n, v in os.environ.items() if n != "PYTHONSAFEPATH"}
    subprocess.run([sys.executable, str(program)], cwd=folder, env=environment, check=True)
    assert not (folder / "run").exists()
