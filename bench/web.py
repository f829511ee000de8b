"""How long 20 clients at once wait for the risk of a position.

    pip install -e '.[web]' && python -m bench.web [--json OUT] [--clients N] [--each N]

Starts ``haiyomi serve`` on a free port and asks from one other process: each client is a thread
with one connection that asks again as soon as it is answered, so the server is never idle. The
positions differ. An answer that is no success is an error, and stops the run.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any

from bench.machine import protocol, store

POSITIONS: tuple[dict[str, Any], ...] = (
    {
        "seat": "E",
        "indicators": "6s",
        "hand": "234m556799p34s66z",
        "drawn": "9s",
        "players": {
            "E": {"river": "1s"},
            "S": {"river": "9s!"},
            "W": {"river": "2z"},
            "N": {"river": "9p"},
        },
    },
    {
        "round": "S2",
        "honba": 1,
        "seat": "W",
        "indicators": "6s",
        "hand": "234m5567p340s667z",
        "drawn": "7p",
        "players": {
            "E": {"score": 31000, "river": "9m 1z 2m* 8p 3s", "melds": ["pon 5z55z from S"]},
            "S": {"score": 22000, "river": "5z^ 1p 9s! 4z* 6m*"},
            "W": {"score": 24000, "river": "1s 9p 2z"},
            "N": {"score": 22000, "river": "1m 9p* 3z*"},
        },
    },
    {"seat": "E", "indicators": "3p", "hand": "123m406p789s1122z", "drawn": "5p"},
)


def start(library: pathlib.Path) -> tuple[subprocess.Popen[str], int]:
    """The server and its port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "haiyomi", "serve", "--port", "0", "--library", str(library)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r":(\d+)/", line)
    if found is None:
        raise SystemExit(f"the server did not start: {line}")
    return process, int(found[1])


def ask(port: int, each: int, first: int, waits: list[float]) -> None:
    """One client: ``each`` questions, one after the other."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for i in range(each):
        body = json.dumps({"position": POSITIONS[(first + i) % len(POSITIONS)]})
        began = time.perf_counter()
        connection.request(
            "POST", "/api/v1/positions/risk", body, {"content-type": "application/json"}
        )
        reply = connection.getresponse()
        text = reply.read()
        waits.append(time.perf_counter() - began)
        if reply.status != 200:
            raise SystemExit(f"{reply.status}: {text[:200]!r}")
    connection.close()


def run(port: int, clients: int, each: int) -> dict[str, float]:
    """Milliseconds waited, and answers a second."""
    waits: list[float] = []
    threads = [threading.Thread(target=ask, args=(port, each, i, waits)) for i in range(clients)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - began
    if len(waits) != clients * each:
        raise SystemExit(f"{clients * each - len(waits)} questions had no answer")
    waits.sort()
    at = {name: 1e3 * waits[int(q * (len(waits) - 1))] for name, q in (("p50", 0.5), ("p95", 0.95))}
    return {"answers": len(waits), "per_s": len(waits) / took, **at, "max": 1e3 * waits[-1]}


def cpu_of(pid: int) -> float:
    """Seconds of processor that a process and its children have used; Linux alone tells."""
    total, ticks = 0.0, os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
    for file in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if pid in (int(file.parent.name), int(fields[1])):
            total += (int(fields[11]) + int(fields[12])) / ticks
    return total


def main() -> None:
    """Print the waits, and write them with the protocol where asked to."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--each", type=int, default=50)
    options = parser.parse_args()
    answer = protocol() | {"clients": options.clients, "each": options.each}
    with tempfile.TemporaryDirectory() as folder:
        process, port = start(pathlib.Path(folder) / "library.sqlite3")
        try:
            run(port, options.clients, 5)  # the models are loaded, the connections opened
            before = cpu_of(process.pid)
            result = run(port, options.clients, options.each)
            result["cpu_ms"] = 1e3 * (cpu_of(process.pid) - before) / result["answers"]
        finally:
            process.terminate()
            process.wait(20)
    print(
        f"{options.clients} clients, {result['answers']:.0f} answers, "
        f"{result['per_s']:.0f} a second: "
        f"p50 {result['p50']:.0f} ms, p95 {result['p95']:.0f} ms, longest {result['max']:.0f} ms "
        f"({answer['machine']}, load {answer['load_before']}), "
        f"{result['cpu_ms']:.1f} ms of processor each"
    )
    if options.json:
        store(options.json, answer | {"result": result})


if __name__ == "__main__":
    main()
