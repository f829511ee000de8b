r"""Sound records with one value changed: ``verify`` must refuse whatever contradicts the rest.

    PYTHONPATH=tests python -m fuzz.contradictions --inputs 5000 [--format mjai] [--out FILE]

A changed record that passes must still be sound: written anew from the game that was read, with
all that the format states twice, it must be the same text. Otherwise a contradiction went
through, unless ``ALLOWED`` says why that field can contradict nothing.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from game import small_hands

from haiyomi.errors import HaiyomiError
from haiyomi.events import Deal, Discard, Draw, Event, Game, Hand, Header
from haiyomi.game.table import check_game
from haiyomi.logs.check_stated import check_stated
from haiyomi.logs.final_scores import final_scores_of
from haiyomi.logs.load import parse, parse_all, write
from haiyomi.logs.missing import without
from haiyomi.logs.stated import Stated
from haiyomi.rules import TENHOU

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
FORMATS = ("mjlog", "tenhou6", "mjai")
ALLOWED: dict[str, str] = {
    "mjloggm.ver": "the version of the format",
    "UN.n0": "a name", "UN.n1": "a name", "UN.n2": "a name", "UN.n3": "a name",
    "rule.disp": "letters that name no rule",
    "start_game.kuitan_flag": "true says no more than no such field",
    "hora.hora_tehais.cut": "some programs leave the winning tile out",
    "log.result.cut": "a win without yaku states less; that is counted",
}  # fmt: skip
"""Field -> why a change of it contradicts nothing."""


def sound_texts(format: str) -> list[str]:
    """The samples in a format, and legal hands made by hand with what the samples lack (added
    kans, abortive draws, limit hands), with all that the format can state."""
    games = [parse(path.read_bytes()) for path in sorted(SAMPLES.glob("haiyomi*"))]
    hands = [value for value in vars(small_hands).values() if isinstance(value, Hand)]
    for hand in hands:
        final = final_scores_of([hand], TENHOU)
        games.append(Game(Header(("a", "b", "c", "d"), TENHOU, final), (hand,)))
    return [full(without(game, format), format) for game in games]


def full(game: Game, format: str) -> str:
    """The text of a game; in mjai with the hands that the original dialect shows at the ends."""
    text = write(game, format)
    if format != "mjai":
        return text
    lines = [json.loads(line) for line in text.splitlines()]
    hands = iter(game.hands)
    events: tuple[Event, ...] = ()
    for m in lines:
        if m["type"] == "start_kyoku":
            events = next(hands).events
        if m["type"] == "hora":
            held = _held(events, m["actor"])
            m["hora_tehais"] = held if m["actor"] == m["target"] else [*held, m["pai"]]
        elif m["type"] == "ryukyoku" and "tenpais" in m:
            m["tehais"] = [_shown(_held(events, s), t) for s, t in enumerate(m["tenpais"])]
    return "".join(json.dumps(m, ensure_ascii=False, separators=(",", ":")) + "\n" for m in lines)


def _held(events: tuple[Event, ...], seat: int) -> list[str]:
    held: list[str] = []
    for event in events:
        if isinstance(event, Deal):
            held = [tile.mjai for tile in event.hands[seat]]
        elif getattr(event, "seat", None) != seat:
            continue
        elif isinstance(event, Draw):
            held.append(event.tile.mjai)
        else:
            gone = (event.tile,) if isinstance(event, Discard) or _adds(event) else ()
            for tile in (*gone, *getattr(event, "consumed", ()), *getattr(event, "tiles", ())):
                held.remove(tile.mjai)
    return held


def _shown(hand: list[str], tenpai: bool) -> list[str]:
    return hand if tenpai else ["?"] * len(hand)


def _adds(event: Event) -> bool:
    return type(event).__name__ == "Kakan"


def verified(data: bytes) -> tuple[Game, ...]:
    """What ``haiyomi verify`` does with a record. Raises HaiyomiError."""
    facts: list[Stated] = []
    games = parse_all(data, "changed", facts)
    for game, stated in zip(games, facts, strict=True):
        check_game(game)
        check_stated(game, stated)
    return games


# -- one value changed ----------------------------------------------------------------------

Change = tuple[str, Callable[[random.Random], str]]
"""The field's label, and what makes a changed text."""
_VALUE = re.compile(r'<(\w+?)(\d*)(?=[ /])((?:[^<>"]|"[^"]*")*)/?>')
_PAIR = re.compile(r'(\w+)="([^"]*)"')
_NUMBER = re.compile(r"-?\d+")
_ODD_DIGITS = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
_TILES = [n + s for s in "mps" for n in "123456789"] + [*"ESWNPFC", "5mr", "5pr", "5sr", "?"]
_YAKU = ("立直", "断幺九", "役牌 白", "reach", "pinfu", "tanyaochu", "chiniso", "fishy")


def other_number(text: str, rng: random.Random) -> str:
    """Another number of that sort, or the same in letters that are no ASCII digits."""
    kind = rng.random()
    if kind < 0.08:
        return text.translate(_ODD_DIGITS)
    if kind < 0.12 and len(text) > 1 and text.isdecimal():
        return f"{text[0]}_{text[1:]}"
    step = rng.choice((1, 1, 1, 2, 4, 10, 20, 100, 1000)) * rng.choice((1, -1))
    return str(int(text) + step)


def changes_mjlog(text: str) -> Iterator[Change]:
    """Every number of every tag."""

    def other(at: int, end: int) -> Callable[[random.Random], str]:
        return lambda rng: text[:at] + other_number(text[at:end], rng) + text[end:]

    for tag in _VALUE.finditer(text):
        if tag[2]:
            yield tag[1], other(*tag.span(2))
            continue
        for pair in _PAIR.finditer(tag[3]):
            for number in _NUMBER.finditer(pair[2]):
                first = tag.start(3) + pair.start(2)
                yield f"{tag[1]}.{pair[1]}", other(first + number.start(), first + number.end())


def changes_json(text: str) -> Iterator[Change]:
    """Every value of a JSON text or of its lines, and every array, cut or lengthened."""
    lines = text.splitlines()

    def other(i: int, path: tuple[Any, ...]) -> Callable[[random.Random], str]:
        def make(rng: random.Random) -> str:
            value = json.loads(lines[i])
            _change(value, path, rng)
            new = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            return "\n".join([*lines[:i], new, *lines[i + 1 :]]) + "\n"

        return make

    for i, line in enumerate(lines):
        value = json.loads(line)
        for path in _paths(value):
            yield _label(value, path), other(i, path)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from _paths(value[key], (*path, key))
        if isinstance(value, list) and value:
            yield (*path, "cut")
            yield (*path, "again")
    else:
        yield path


def _label(value: Any, path: tuple[Any, ...]) -> str:
    if isinstance(value, dict) and "type" in value:
        named = [str(p) for p in path if isinstance(p, str)]
        return ".".join([value["type"], *named])
    if path[0] == "log":
        at = path[2] if len(path) > 2 and isinstance(path[2], int) else 0
        rows = ["round", "scores", "dora", "ura", *["deal", "takes", "gives"] * 4, "result"]
        row = rows[at]
        return f"log.{row}" + (f".{path[-1]}" if isinstance(path[-1], str) else "")
    return ".".join(str(p) for p in path if isinstance(p, str))


def _change(value: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    """Change the value at a path in place."""
    *way, last = path
    for key in way:
        value = value[key]
    if last == "cut":
        value.pop(rng.randrange(len(value)))
        return
    if last == "again":
        value.append(rng.choice(value))
        return
    old = value[last]
    if old is True or old is False:
        value[last] = not old
    elif isinstance(old, int | float):
        value[last] = old + rng.choice((1, -1, 2, 10, 100, 1000, -1000))
    elif old in _TILES:
        value[last] = rng.choice([tile for tile in _TILES if tile != old])
    elif isinstance(old, str):
        value[last] = _other_text(old, rng)


def _other_text(old: str, rng: random.Random) -> str:
    number = list(_NUMBER.finditer(old))
    if number and rng.random() < 0.6:
        chosen = rng.choice(number)
        return old[: chosen.start()] + other_number(chosen[0], rng) + old[chosen.end() :]
    if "(" in old:
        return rng.choice(_YAKU) + old[old.index("(") :]
    if old.endswith("点") and rng.random() < 0.8:
        head = rng.choice(("満貫", "跳満", "倍満", "三倍満", "役満", "数え役満", "20符1飜", "何か"))
        return (
            head + old[old.rindex("飜") + 1 :]
            if "飜" in old
            else head + old.lstrip("満貫跳倍三役数え")
        )
    return rng.choice(_YAKU) if rng.random() < 0.5 else old + "x"


CHANGES: dict[str, Callable[[str], Iterator[Change]]] = {
    "mjlog": changes_mjlog,
    "tenhou6": changes_json,
    "mjai": changes_json,
}


# -- what came of it ------------------------------------------------------------------------


@dataclass
class Counts:
    """By field: refused, passed and sound, and contradictions that passed."""

    refused: Counter[str] = field(default_factory=Counter)
    sound: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    @property
    def fields(self) -> list[str]:
        return sorted({*self.refused, *self.sound, *self.missed})

    def table(self) -> str:
        """A line for each field."""
        return "\n".join(
            f"{name:40} refused {self.refused[name]:6} of "
            f"{self.refused[name] + self.sound[name] + self.missed[name]:6}"
            f"  sound {self.sound[name]:5}  missed {self.missed[name]:5}  {ALLOWED.get(name, '')}"
            for name in self.fields
        )


def difference(one: str, other: str) -> str:
    """Where two texts part."""
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return f"...{one[max(0, at - 60) : at + 40]!r} where the game gives {other[at : at + 40]!r}"


def run(format: str, inputs: int, seed: int) -> Counts:
    """Change so many values, spread evenly over the fields."""
    rng = random.Random(f"{seed} {format}")
    by_field: dict[str, list[tuple[str, Callable[[random.Random], str]]]] = defaultdict(list)
    for text in sound_texts(format):
        verified(text.encode())
        for label, make in CHANGES[format](text):
            by_field[label].append((text, make))
    counts = Counts()
    share = max(1, inputs // len(by_field))
    for label, made in by_field.items():
        for text, make in rng.sample(made, min(share, len(made))):
            changed = make(rng)
            if changed == text:
                continue
            try:
                (game,) = verified(changed.encode())
                again = full(game, format)
            except HaiyomiError:
                counts.refused[label] += 1
                continue
            if again == changed:
                counts.sound[label] += 1
            else:
                counts.missed[label] += 1
                counts.examples.setdefault(label, difference(changed, again))
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=5000, help="of each format")
    parser.add_argument("--format", choices=FORMATS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    report: dict[str, dict[str, int]] = {}
    for format in [given.format] if given.format else FORMATS:
        counts = run(format, given.inputs, given.seed)
        tried = sum(map(Counter.total, (counts.refused, counts.sound, counts.missed)))
        print(
            f"{format}: {tried} changed, {counts.refused.total()} refused, "
            f"{counts.sound.total()} sound, {counts.missed.total()} contradictions passed"
        )
        report[format] = {
            "changed": tried,
            "fields": len(counts.fields),
            "refused": counts.refused.total(),
            "sound": counts.sound.total(),
            "allowed": sum(counts.missed[name] for name in ALLOWED),
            "missed": sum(n for name, n in counts.missed.items() if name not in ALLOWED),
        }
        print(counts.table())
        for name, text in counts.examples.items():
            print(f"  {name}: {text}")
    if given.out:
        given.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
