r"""Inputs that are large or repeat one thing: the memory and time that reading them takes.

    PYTHONPATH=tests python -m fuzz.sizes --inputs 300 [--megabytes 16] [--seed N] [--out FILE]

An input is a beginning, one unit again and again, and an end: the named ``SHAPES`` (attacks that
once worked, and honest records), then random ones. Each is read in a process of its own.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import json
import os
import random
import resource
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from haiyomi.errors import RecordError
from haiyomi.kernels.mjlog import read_mjlog
from haiyomi.kernels.statistic_sums import tally
from haiyomi.logs.containers import gunzip
from haiyomi.logs.load import parse_all

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
HAND = (SAMPLES / "haiyomi-7-00000.mjlog").read_bytes().split(b"<INIT")[1]
INIT, TURN = b"<INIT" + HAND[: HAND.index(b">") + 1], b'<RYUUKYOKU sc="250,0,250,0,250,0,250,0"/>'
LINES = (SAMPLES / "haiyomi-7-00003.mjson").read_bytes().splitlines(keepends=True)
KYOKU = b"".join(LINES[:2])
HORA = b'{"type":"hora","actor":0,"target":0,"pai":"1m","deltas":[0,0,0,0],"yakus":[["reach",1]]}\n'
TENHOU6 = (SAMPLES / "haiyomi-7-00002.json").read_bytes().strip()
ROW = json.dumps(json.loads(TENHOU6)["log"][0], separators=(",", ":")).encode()
DRAWN = ROW[: ROW.rindex(b'["')] + '["全員聴牌"]]'.encode()
CALL = json.dumps({"log": [[*json.loads(DRAWN)[:5], ["X"], *json.loads(DRAWN)[6:]]]}).encode()

SHAPES: dict[str, tuple[bytes, bytes, bytes]] = {
    "mjlog: attributes": (b"<UN ", b'a="b" ', b"/>"),
    "mjlog: other attributes": (b"<UN ", b"a='b' ", b"/>"),
    "mjlog: names in percent": (b'<UN n0="', b"%41", b'"/>'),
    "mjlog: names in UTF-8 percent": (b'<UN n0="', b"%E9%BA%BB", b'"/>'),
    "mjlog: draws": (INIT, b"<T7/>", TURN),
    "mjlog: draws after one wide letter": ("<UN n0='\U0001f600'/>".encode() + INIT, b"<T7/>", TURN),
    "mjlog: indicators": (INIT, b'<DORA hai="0"/>', TURN),
    "mjlog: melds": (INIT, b'<N who="0" m="31769"/>', TURN),
    "mjlog: deposits": (INIT, b'<REACH who="0" step="2"/>', TURN),
    "mjlog: hands": (b"", INIT + TURN, b""),
    "mjlog: empty tags": (b"", b"<TAIKYOKU/>", INIT + TURN),
    "mjlog: unknown tags": (b"", b"<A/>", b""),
    "mjlog: absences": (b"", b'<BYE who="0"/>', INIT + TURN),
    "mjlog: signs": (b"", b"<", b""),
    "mjlog: white space": (b"<INIT", b" ", b"/>"),
    "mjlog: entities": (b'<UN n0="', b"&amp;", b'"/>'),
    "mjlog: yaku": (INIT + b'<AGARI who="0" fromWho="0" machi="1" yaku="', b"1,1,", b'1,1"/>'),
    "mjlog: ura": (INIT + b'<AGARI who="0" fromWho="0" machi="1" sc="0,0,0,0,0,0,0,0" doraHaiUra="',
                   b"1,", b'1"/>'),
    "mjlog: wins": (INIT, b'<AGARI who="0" fromWho="0" machi="1" sc="0,0,0,0,0,0,0,0"/>', b""),
    "mjlog: a long number": (b'<GO type="', b"9", b'"/>'),
    "mjlog: comments": (b"", b"<!-- -->", INIT + TURN),
    "tenhou6: arrays": (b'{"log":[', b"[],", b"[]]}"),
    "tenhou6: objects": (b'{"log":[', b'{"":0},', b"{}]}"),
    "tenhou6: depth": (b'{"log":', b"[", b""),
    "tenhou6: numbers": (b'{"log":[[', b"1e5,", b"1]]}"),
    "tenhou6: whole numbers": (b'{"log":[[', b"999,", b"1]]}"),
    "tenhou6: a long number": (b'{"log":[', b"9", b"]}"),
    "tenhou6: texts": (b'{"log":[["', b'ab","', b'"]]}'),
    "tenhou6: a wide title": ('{"log":[],"title":["\U0001f600'.encode(), b"a", b'"]}'),
    "tenhou6: escapes": (b'{"log":[],"title":["', b"\\u9ebb", b'"]}'),
    "tenhou6: quotes": (b'{"log":[],"title":["', b'\\"', b'"]}'),
    "tenhou6: keys": (b'{"log":[],', b'"a":1,', b'"b":1}'),
    "tenhou6: a long call": (CALL.split(b"X")[0], b"11", CALL.split(b"X")[1]),
    "tenhou6: hands": (b'{"log":[', DRAWN + b",", DRAWN + b"]}"),
    "tenhou6: games": (b"", TENHOU6 + b"\n", b""),
    "tenhou6: games without hands": (b"", b'{"log":[]}\n', b""),
    "mjai: empty lines": (KYOKU, b"\n", b""),
    "mjai: short lines": (KYOKU, b"ab\n", b""),
    "mjai: ignored lines": (KYOKU, b'{"type":"none"}\n', b""),
    "mjai: draws": (KYOKU, b'{"type":"tsumo","actor":0,"pai":"1m"}\n', b""),
    "mjai: wins": (KYOKU, HORA, b""),
    "mjai: draws, then wins": (KYOKU + b'{"type":"dora","dora_marker":"1m"}\n' * 20_000, HORA, b""),
    "mjai: games without hands": (b"", b'{"type":"start_game"}\n', b""),
    "mjai: hands": (b"", KYOKU + b'{"type":"ryukyoku","reason":"fanpai"}\n', b""),
    "mjai: a long line": (b'{"type":"start_game","names":[', b'"",', b'""]}\n'),
    "mjai: arrays": (b'{"type":"start_game","x":[', b"[],", b"[]]}\n"),
    "mjai: depth": (b'{"type":"start_game","x":', b"[", b"\n"),
    "mjai: games": (b"", b"".join(LINES), b""),
    "majsoul: entries": (b'{"head":{},"data":[', b'{"name":"RecordDealTile"},', b"{}]}"),
    "majsoul: draws": (
        b'[{"name":"RecordNewRound"},', b'{"name":"RecordDealTile","data":{"tile":"1m"}},', b"{}]"
    ),
    "majsoul: arrays": (b'[{"name":"RecordNewRound","data":{"x":[', b"[],", b"[]]}}]"),
    "majsoul: humps": (b'[{"name":"RecordNewRound","data":{"x":[', b'{"isLiqi":1},', b"{}]}}]"),
    "majsoul: base64": (b'{"head":{},"data":"', b"CgAKAAoA", b'"}'),
    "majsoul: protobuf entries": (b"", b"\x0a\x16\x0a\x12.lq.RecordDealTile\x12\x00", b""),
    "gzip: members": (gzip.compress(INIT + TURN), gzip.compress(b""), b""),
    "gzip: padding": (gzip.compress(INIT + TURN), b"\0", b""),
    "white space": (b"", b" ", b""),
}  # fmt: skip
"""Name -> beginning, unit, end."""


def made(shape: tuple[bytes, bytes, bytes], size: int) -> bytes:
    """An input of about so many bytes."""
    first, unit, last = shape
    return first + unit * max(1, (size - len(first) - len(last)) // len(unit)) + last


def random_shape(rng: random.Random) -> tuple[bytes, bytes, bytes]:
    """Parts of one sample: a beginning cut anywhere, a unit out of it, and perhaps its end."""
    data = rng.choice([*SAMPLES.glob("*.mj*"), SAMPLES / "haiyomi-7-00002.json"]).read_bytes()
    cut, at = rng.randrange(len(data)), rng.randrange(len(data))
    unit = data[at : at + rng.choice((1, 2, 3, 5, 8, 20, 60, 400, 3000))] or b"<"
    if rng.random() < 0.5:  # whole tags or lines
        mark = b"<" if data[:1] == b"<" else b"\n" if b"\n" in data[:500] else b"["
        cut, at = max(0, data.rfind(mark, 0, cut)), max(0, data.rfind(mark, 0, at))
        end = at
        for _ in range(rng.choice((1, 1, 1, 2, 5))):
            end = data.find(mark, end + 1)
        unit = data[at:end] or mark
    return data[:cut], unit, data[cut:] if rng.random() < 0.7 else b""


@dataclass(frozen=True, slots=True)
class Cost:
    """What reading an input took: bytes of memory above start-up, itself included; seconds."""

    size: int
    memory: int
    seconds: float
    outcome: str

    @property
    def ratio(self) -> float:
        return self.memory / self.size


def cost(data: bytes, read: Callable[[bytes], object]) -> Cost:
    """Read an input in a child process that shares the imports made so far."""
    unpacked = len(gunzip(data, "packed")) if data[:2] == b"\x1f\x8b" else 0
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receive)
        gc.collect()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began = time.process_time()
        try:
            read(data)
            outcome = "ok"
        except RecordError as error:
            outcome = f"{type(error).__name__}: {error}"[:200]
        except BaseException as error:
            outcome = f"wrong: {error!r}"[:200]
        seconds = time.process_time() - began
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        os.write(send, json.dumps([used * 1024, seconds, outcome]).encode())
        os._exit(0)
    os.close(send)
    with os.fdopen(receive, "rb") as answer:
        result = answer.read()
    os.waitpid(child, 0)
    memory, seconds, outcome = json.loads(result) if result else (0, 0.0, "wrong: the process died")
    return Cost(max(len(data), unpacked), len(data) + memory, seconds, outcome)


def parse(data: bytes) -> object:
    """Every reader, by the content, and before it that of the core with the sums."""
    found = read_mjlog(data)
    if found is not None:
        with suppress(RecordError):
            tally(found.words, found.hands, found.absent)
    return parse_all(data, "large")


def warm() -> None:
    """Import what the readers import late, and fill their tables."""
    for path in sorted(SAMPLES.glob("haiyomi*")):
        parse_all(path.read_bytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=0, help="random shapes beside the named")
    parser.add_argument("--megabytes", type=float, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    warm()
    rng = random.Random(given.seed)
    shapes = SHAPES | {f"random {i}": random_shape(rng) for i in range(given.inputs)}
    rows = []
    for name, shape in shapes.items():
        found = cost(made(shape, int(given.megabytes * 2**20)), parse)
        rows.append((name, found))
        print(
            f"{name:40} {found.ratio:7.1f} {found.seconds:7.2f} s  {found.outcome[:90]}", flush=True
        )
    most, slowest = max(c.ratio for _, c in rows), max(c.seconds for _, c in rows)
    print(f"{len(rows)} inputs: at most {most:.1f} bytes a byte and {slowest:.1f} s")
    if given.out:
        answer = {
            "inputs": len(rows), "megabytes": given.megabytes, "seed": given.seed,
            "most_bytes_a_byte": round(most, 1), "most_seconds": round(slowest, 2),
        }  # fmt: skip
        given.out.write_text(json.dumps(answer, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
