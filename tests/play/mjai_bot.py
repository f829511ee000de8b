"""An mjai program for tests: it discards what it draws, and misbehaves as its argument says."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import time


def answer(message: dict[str, object], seat: object, manner: str) -> str:
    if message["type"] != "tsumo" or message["actor"] != seat:
        return '{"type":"none"}'
    if manner == "slow":
        time.sleep(60)
    if manner == "lying":
        held_by_nobody = {"type": "dahai", "actor": seat, "pai": "9z", "tsumogiri": True}
        return json.dumps(held_by_nobody)
    if manner == "talking":
        return "my move is 5p"
    if manner == "crashing":
        raise SystemExit("out of tiles")
    if manner == "flooding":
        while True:
            sys.stdout.write("5p " * 1000)
    if manner == "twice":
        print('{"type":"none"}')
    return json.dumps({"type": "dahai", "actor": seat, "pai": message["pai"], "tsumogiri": True})


def main(manner: str, folder: pathlib.Path) -> None:
    if manner == "flooding":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        (folder / f"child-{child.pid}").touch()
    if manner == "silent":
        time.sleep(60)
    seat: object = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start_game":
            seat = message["id"]
        print(answer(message, seat, manner), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
