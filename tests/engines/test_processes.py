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
from haiyomi.shards import map_shards
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
