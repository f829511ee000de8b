r"""Hostile clients of a running server: after each round an honest one is answered in time.

    PYTHONPATH=tests python -m fuzz.server --rounds 500 [--seed N] [--out FILE]

A round opens connections that send nothing, half a request or noise, or read nothing; uploads
mutated, repeated and packed records; and writes wrong values into rows of the library. A finding is
an honest request that waits for more than a second, a reply of another shape than the documented
one, a status of 500, and more than 100 MB that the server's own process takes.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import io
import json
import random
import socket
import sqlite3
import sys
import tempfile
import time
import zipfile
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from fuzz.mutate import mutate
from fuzz.targets import make_targets

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "web"))
from served import Served, demo_bytes, served

OPEN = 300
LONGEST = 1.0
MEMORY = 100_000
UPLOAD = "/api/v1/records"
LISTS = ("/api/v1/records", "/api/v1/reviews", "/api/v1/players", "/")
COLUMNS = {
    "records": ("name", "names", "hands", "created", "body", "digest"),
    "reviews": ("seat", "model", "state", "done", "page", "stats", "error", "owner"),
}


class Hostile:
    """The clients of one run, and what they found."""

    def __init__(self, server: Served, library: Path, seed: int) -> None:
        self.server, self.library = server, library
        self.rng = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.findings: list[str] = []
        self.slowest = 0.0
        self._place = server.address.removeprefix("http://").split(":")
        self._open: deque[socket.socket] = deque()
        self._targets = list(make_targets().values())
        self._records = [t for t in self._targets if t.name in ("mjlog", "tenhou6", "mjai")]
        self._memory = self.memory()

    def memory(self) -> int:
        """The most kilobytes that the server's own process has had."""
        assert self.server.process is not None
        status = Path(f"/proc/{self.server.process.pid}/status").read_text(encoding="ascii")
        return int(next(x for x in status.splitlines() if x.startswith("VmHWM")).split()[1])

    # -- connections that are left open ------------------------------------------------------

    def connections(self) -> None:
        """Connections that wait for nothing good."""
        whole = b"GET /position HTTP/1.1\r\nhost: localhost\r\n\r\n"
        head = b"POST %s HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9999\r\n\r\n"
        kinds: list[Callable[[], bytes]] = [
            lambda: b"",
            lambda: whole[: self.rng.randrange(1, len(whole))],
            lambda: head % UPLOAD.encode() + b"x" * self.rng.randrange(5000),
            lambda: self.rng.randbytes(self.rng.randrange(1, 3000)),
            lambda: mutate(self.rng, [whole, head % UPLOAD.encode()]),
        ]
        kind = self.rng.choice(kinds)
        number = self.rng.choice((1, 5, 60))
        if self.rng.random() < 0.1:
            # They ask for much and read nothing.
            kind, number = (lambda: whole * 100), 3
        for _ in range(number):
            with suppress(OSError):
                made = socket.create_connection((self._place[0], int(self._place[1])), timeout=5)
                made.setblocking(False)
                self._open.append(made)
                made.send(kind())
                self.counts["connections"] += 1
            while len(self._open) > OPEN:
                self._open.popleft().close()

    # -- whole requests ----------------------------------------------------------------------

    def body(self) -> bytes:
        """An upload: mutated, or a part of it over and over, then packed in some way."""
        data = mutate(self.rng, self.rng.choice(self._records).seeds)
        if self.rng.random() < 0.4:
            at = self.rng.randrange(len(data) + 1)
            part = data[at : at + self.rng.choice((1, 7, 40, 400))]
            times = min(200_000, (24 << 20) // max(1, len(part)))
            data = data[:at] + part * self.rng.randrange(1, times) + data[at:]
        pack = self.rng.randrange(5)
        if pack == 0:
            return gzip.compress(data, 1)
        if pack == 1:
            return gzip.compress(b"") * self.rng.randrange(30_000) + gzip.compress(data, 1)
        if pack == 2:
            out = io.BytesIO()
            how = self.rng.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2))
            with zipfile.ZipFile(out, "w", how, compresslevel=1) as archive:
                for number in range(self.rng.choice((1, 3, 300))):
                    archive.writestr(f"{number}", data[: (8 << 20) // 300])
            return out.getvalue()
        return data[: 9 << 20]

    def request(self, method: str, path: str, body: bytes | None = None) -> int | None:
        """A request's status, its reply looked at; None where the connection was lost."""
        self.counts["requests"] += 1
        connection = http.client.HTTPConnection(self._place[0], int(self._place[1]), timeout=90)
        kind = "application/octet-stream" if path.startswith(UPLOAD) else "application/json"
        try:
            connection.request(method, path, body, {"content-type": kind})
            reply = connection.getresponse()
            text = reply.read()
        except OSError:
            return None
        finally:
            connection.close()
        self.counts[str(reply.status)] += 1
        if reply.status >= 400:
            try:
                shape = set(json.loads(text)) == {"error"}
                shape &= set(json.loads(text)["error"]) == {"code", "message"}
            except (ValueError, TypeError):
                shape = False
            if not shape or reply.status == 500:
                self.found(f"{method} {path[:60]}: {reply.status} {text[:200]!r}")
        return reply.status

    def damage(self) -> None:
        """A wrong value in a row; afterwards every list is there, and the rows can go."""
        table = self.rng.choice(list(COLUMNS))
        column = self.rng.choice(COLUMNS[table])
        junk = self.rng.randbytes(self.rng.randrange(30))
        values = (junk, junk.decode("latin-1"), "[1]", "null", -1, 7, 1 << 62, float("inf"), "")
        db = sqlite3.connect(self.library, timeout=10)
        # A strict table refuses some of them.
        with suppress(sqlite3.Error):
            some = f"(SELECT id FROM {table} ORDER BY random() LIMIT 1)"
            value = self.rng.choice(values)
            db.execute(f"UPDATE {table} SET {column} = ? WHERE id = {some}", (value,))
            db.commit()
            self.counts["damaged rows"] += 1
        keys = [row[0] for row in db.execute(f"SELECT id FROM {table}")]
        db.close()
        for path in LISTS:
            if self.request("GET", path) != 200:
                self.found(f"GET {path} after {column} was damaged")
        for key in keys[:5]:
            self.request("GET", f"/{table}/{key}")
            self.request("GET", f"/api/v1/reviews/{key}/result")
            review = json.dumps({"record_id": key, "seat": self.rng.randrange(4)})
            self.request("POST", "/api/v1/reviews", review.encode())
        for key in keys[20:]:
            if self.request("DELETE", f"/api/v1/{table}/{key}") != 204:
                self.found(f"DELETE of {table} after {column} was damaged")

    # -- what must hold ----------------------------------------------------------------------

    def honest(self) -> None:
        """Somebody else's request is answered in time."""
        for _ in range(2):
            began = time.monotonic()
            status = self.request("GET", "/api/v1/health")
            took = time.monotonic() - began
            self.slowest = max(self.slowest, took)
            self.counts["honest requests"] += 1
            if status == 200 and took < LONGEST:
                return
        # Not an accident of a busy machine: the second was as bad.
        self.found(f"an honest request: {status} after {took:.2f} s")

    def found(self, what: str) -> None:
        self.findings.append(what)
        print(f"FINDING {what}", flush=True)

    def round(self, pool: ThreadPoolExecutor) -> None:
        """Some attacks at once, and what must hold meanwhile and afterwards."""
        uploads = [
            pool.submit(self.request, "POST", UPLOAD, self.body())
            for _ in range(self.rng.randrange(4))
        ]
        for _ in range(self.rng.randrange(4)):
            self.connections()
        self.honest()
        for upload in uploads:
            upload.result()
        if self.rng.random() < 0.3:
            self.damage()
        self.honest()
        if self.memory() > self._memory + MEMORY:
            self.found(f"the server's process grew to {self.memory()} kB")
            self._memory = self.memory()
        self.counts["rounds"] += 1

    def close(self) -> None:
        """Close what is open."""
        for one in self._open:
            one.close()


def run(rounds: int, seed: int) -> dict[str, object]:
    """So many rounds against a server of its own."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "library.sqlite3"
        with served(library) as server, ThreadPoolExecutor(4) as pool:
            server.ask("POST", UPLOAD, raw=demo_bytes())
            hostile = Hostile(server, library, seed)
            memory = hostile.memory()
            for _ in range(rounds):
                hostile.round(pool)
            grew = hostile.memory() - memory
            hostile.close()
            # Other bytes: the first record may be damaged by now.
            if server.ask("POST", UPLOAD, raw=demo_bytes() + b"\n")[0] != 201:
                hostile.found("an honest upload at the end")
    return {
        "counts": dict(hostile.counts),
        "slowest_s": round(hostile.slowest, 3),
        "grew_mb": round(grew / 1000, 1),
        "findings": len(hostile.findings),
    }


def main() -> None:
    """Run, and write the counts where asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    result = run(given.rounds, given.seed)
    print(json.dumps(result, indent=1))
    if given.out:
        given.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    sys.exit(1 if result["findings"] else 0)


if __name__ == "__main__":
    main()
