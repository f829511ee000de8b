"""The bot as a zip for mjai simulators that run ``bot.py SEAT`` from a zip, such as mjai.app's.

The zip holds this package, its compiled core and ``bot.py``; NumPy is expected where it runs. Where
that is another version of Python, ``bot.py`` continues with a Python of its own, if the zip holds
one: a folder ``runtime`` with ``bin/python3`` and NumPy.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final, Literal

import haiyomi
from haiyomi.errors import HaiyomiError
from haiyomi.logs.containers import write_zip
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.storage.whole_file import whole_file

SETTINGS: Final = "settings.json"
MODEL: Final = "policy"
"""Name of the model file in the zip, without its ending."""
RUNTIME: Final = "runtime"
_LEFT_OUT: Final = ("apps", "benchmark", "evaluation", "training", "__pycache__")
"""Packages that a bot does not need."""
BOT: Final = '''"""A bot for mjai simulators: python bot.py SEAT; messages in, answers out."""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
OWN = os.path.join(HERE, "runtime", "bin", "python3")
with open(os.path.join(HERE, "settings.json"), encoding="utf-8") as file:
    SETTINGS = json.load(file)
if list(sys.version_info[:2]) != SETTINGS["python"]:
    if not os.path.exists(OWN) or os.environ.get("HAIYOMI_RUNTIME"):
        sys.exit(
            "this bot runs on Python {}.{}, and the zip has no runtime".format(*SETTINGS["python"])
        )
    os.environ["HAIYOMI_RUNTIME"] = OWN
    os.execv(OWN, [OWN, "-u", os.path.abspath(__file__)] + sys.argv[1:])
sys.path.insert(0, HERE)

from haiyomi.outcomes.improved_bot import ImprovedBot  # noqa: E402
from haiyomi.play.mjai_seat import lines_of  # noqa: E402
from haiyomi.rules import Ruleset  # noqa: E402
from haiyomi.styles.bot import Bot  # noqa: E402
from haiyomi.styles.policy import Policy  # noqa: E402

MODEL = SETTINGS["model"]
SEAT = int(sys.argv[1]) if len(sys.argv) > 1 else None
COMMON = {key: SETTINGS[key] for key in ("temperature", "seed")}
COMMON["rules"] = Ruleset(**SETTINGS["rules"])
if SETTINGS["by"] == "ev":
    bot = ImprovedBot(SEAT, **COMMON)
else:
    policy = None if MODEL is None else Policy.load(os.path.join(HERE, MODEL))
    bot = Bot(SEAT, style=SETTINGS["style"], policy=policy, **COMMON)
for line in lines_of(sys.stdin):
    print(bot.react(line), flush=True)
'''
"""``bot.py``. Its first lines run on every Python 3."""


@dataclass(frozen=True, slots=True)
class BotSettings:
    """How the bot plays: as the options of ``haiyomi bot``."""

    style: str
    temperature: float
    seed: int
    by: Literal["policy", "ev"] = "policy"
    rules: Ruleset = TENHOU


def write_bot_zip(
    out: Path, settings: BotSettings, model: Path | None, runtime: Path | None
) -> None:
    """Write the zip. ``model``: a policy file, without it the shipped one; ``runtime``: a folder
    with a relocatable Python of this version that has NumPy. Raises HaiyomiError where the runtime
    has no ``bin/python3``."""
    if runtime is not None and not (runtime / "bin" / "python3").exists():
        raise HaiyomiError(f"{runtime} has no bin/python3: name the folder of a Python")
    name = None if model is None else MODEL + model.suffix
    stated = asdict(settings) | {"model": name, "python": list(sys.version_info[:2])}

    def entries() -> Iterator[tuple[str, bytes]]:
        yield "bot.py", BOT.encode()
        yield SETTINGS, json.dumps(stated, indent=1).encode()
        if model is not None and name is not None:
            yield name, model.read_bytes()
        for place, path in _package():
            yield place, path.read_bytes()
        for place, path in _python(runtime) if runtime is not None else ():
            yield place, path.read_bytes()

    with whole_file(out) as part:
        write_zip(part, entries(), 0o755)


def _package() -> list[tuple[str, Path]]:
    """The files of this package, wherever it is installed, by their names in the zip."""
    found = {}
    for root in map(Path, haiyomi.__path__):
        for path in root.rglob("*"):
            inner = path.relative_to(root)
            built = path.name.endswith(tuple(EXTENSION_SUFFIXES))
            wanted = built or path.suffix in (".py", ".json", ".safetensors", ".gz")
            if path.is_file() and wanted and not set(inner.parts) & set(_LEFT_OUT):
                found[f"haiyomi/{inner.as_posix()}"] = path
    return sorted(found.items())


def _python(runtime: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(runtime.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield f"{RUNTIME}/{path.relative_to(runtime).as_posix()}", path
