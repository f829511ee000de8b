"""The programs in the manual do what their pages say."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from haiyomi.analysis.analyzer import Analyzer
from haiyomi.events import Discard, visible_to
from haiyomi.game.decision_record import DECISION
from haiyomi.game.truth import truths_of
from haiyomi.logs.load import write
from haiyomi.logs.mjai_write import messages, start_kyoku
from haiyomi.networks.opponents import SHIPPED as OPPONENTS
from haiyomi.play.decision import decisions
from haiyomi.play.demo import demo_game
from haiyomi.rules import TENHOU_EAST
from haiyomi.styles.bot import Bot
from haiyomi.styles.policy import SHIPPED as POLICY
from haiyomi.styles.seating import simulate
from haiyomi.tiles import Seat, Tiles, parse_tiles

ROOT = Path(__file__).resolve().parent.parent
Run = Callable[..., str]


def programs(page: str) -> list[str]:
    """The Python programs of a page, in order."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(r"^```python.*?\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a program in a folder of its own and gives what it prints."""

    def run_it(program: str, *arguments: str, text: str = "") -> str:
        (tmp_path / "program.py").write_text(program, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "program.py", *arguments],
            cwd=tmp_path, input=text, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run_it


# -- a bot ----------------------------------------------------------------------------------

BOT, AT_THE_TABLE, VERSUS, PROCESS, BY_VALUE, SEARCHING, ON_RECORDS = programs(
    "how-to/write-a-bot.md"
)


@pytest.fixture
def careful(tmp_path: Path) -> type[Bot]:
    """The page's bot, as a module in the program's folder."""
    path = tmp_path / "careful.py"
    path.write_text(BOT, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("careful", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: type[Bot] = module.Careful
    return found


def test_the_bot_has_at_most_ten_lines_beside_its_imports() -> None:
    lines = [line for line in BOT.splitlines() if line.strip()]
    assert len([line for line in lines if not line.startswith("from ")]) <= 10


def test_the_bot_takes_the_safest_tile_instead_of_a_dangerous_one(careful: type[Bot]) -> None:
    bot, people = careful(temperature=0), Bot(temperature=0)
    analyzer = Analyzer(parts=["deal_in"])
    differs = 0
    for decision in decisions(demo_game()):
        chosen, usual = bot.choose(decision), people.choose(decision)
        if chosen == usual:
            continue
        assert isinstance(chosen, Discard)
        assert isinstance(usual, Discard)
        risks = analyzer.analyze([decision.position])[0].risks
        least = min(risks[c.tile].expected_loss for c in decision.of(Discard))
        assert risks[usual.tile].risk > 0.05
        assert risks[chosen.tile].expected_loss == least
        differs += 1
    assert differs > 2


def test_the_bot_plays_at_the_table(careful: type[Bot], run: Run) -> None:
    points = json.loads(run(AT_THE_TABLE).replace("(", "[").replace(")", "]"))
    assert sum(points) == 100_000


def test_the_bot_plays_a_tournament(careful: type[Bot], run: Run) -> None:
    assert "games=120" in VERSUS
    *tables, difference = run(VERSUS.replace("games=120", "games=1")).splitlines()
    assert (
        "Places (6 games of 1 wall in 6 seat orders; fewer than 6 walls have no interval)" in tables
    )
    assert -3 <= float(difference) <= 3


def test_the_tournament_s_program_prints_the_tables(run: Run) -> None:
    (program,) = programs("how-to/tournament.md")
    assert "games=120" in program  # 20 walls: with fewer than six there is no interval
    lines = run(program.replace("games=120", "games=36")).splitlines()
    assert lines[0].startswith("Places (36 games of 6 walls in 6 seat orders")
    assert re.fullmatch(r"[+-]\d\.\d\d, 95% interval [+-]\d\.\d\d to [+-]\d\.\d\d", lines[-2])
    assert re.fullmatch(r"\(0, 0, 1, 1\) \([\d, -]+\)", lines[-1])


def test_the_bot_by_value_plays_at_the_table(run: Run) -> None:
    points = json.loads(run(BY_VALUE).replace("(", "[").replace(")", "]"))
    assert sum(points) == 100_000


def test_the_bot_that_plays_on_chooses(run: Run, tmp_path: Path) -> None:
    (tmp_path / "game.mjlog").write_text(write(demo_game(), "mjlog"), encoding="utf-8")
    same, made = run(SEARCHING).split(" of ")
    assert 2 <= int(same) <= int(made) == 10


@pytest.mark.parametrize("arguments", [["2"], []])
def test_the_bot_answers_as_a_process(careful: type[Bot], run: Run, arguments: list[str]) -> None:
    game = demo_game()
    starts = iter(game.hands)
    lines = []
    for message in messages(game):
        if message["type"] == "start_kyoku":
            hand = next(starts)
            message = start_kyoku(hand.start, visible_to(hand.events[1], Seat(2)))  # type: ignore[arg-type]
        elif message["type"] == "tsumo" and message["actor"] != 2:
            message = {**message, "pai": "?"}
        lines.append(json.dumps(message))
        if message["type"] == "end_kyoku" and len(lines) > 300:
            break
    answers = [
        json.loads(line) for line in run(PROCESS, *arguments, text="\n".join(lines)).splitlines()
    ]
    assert len(answers) == len(lines)
    assert {answer["type"] for answer in answers} >= {"none", "dahai"}
    assert all(answer.get("actor", 2) == 2 for answer in answers)
    assert not [answer for answer in answers if answer["type"] == "error"]


def test_the_bot_is_compared_with_a_record(careful: type[Bot], run: Run, tmp_path: Path) -> None:
    (tmp_path / "game.mjlog").write_text(write(demo_game(), "mjlog"), encoding="utf-8")
    same, of, made = run(ON_RECORDS).split()
    assert of == "of"
    assert 20 < int(same) < int(made)


def test_the_bot_plays_by_the_rules_of_riichienv(careful: type[Bot]) -> None:
    pytest.importorskip("riichienv")
    from haiyomi.evaluation.imitation.referee import play

    report = play(3, lambda game, seat, relief: careful(seat, seed=game), mode="4p-red-east")
    assert not report.illegal
    assert not report.differing
    assert report.fallbacks == report.errors == 0
    assert report.decisions > 200
    assert sum(report.ranks) == 10


# -- a study --------------------------------------------------------------------------------

(STUDY,) = programs("how-to/study.md")


def test_the_study_has_at_most_ten_lines_beside_its_imports() -> None:
    lines = [line for line in STUDY.splitlines() if line.strip()]
    assert len([line for line in lines if not line.startswith(("from ", "import "))]) <= 10


def test_the_study_counts_tenpai_by_turn_over_a_folder(run: Run, tmp_path: Path) -> None:
    games = [simulate(2, number, rules=TENHOU_EAST) for number in range(3)]
    folder = tmp_path / "records"
    folder.mkdir()
    for number, game in enumerate(games):
        (folder / f"{number}.mjlog").write_text(write(game, "mjlog"), encoding="utf-8")
    discards: Counter[int] = Counter()
    tenpai: Counter[int] = Counter()
    for truth in (truth for game in games for truth in truths_of(game)):
        made: Counter[int] = Counter()
        rows = truth.discards
        for seat, waits in zip(rows.seat.tolist(), rows.tenpai.tolist(), strict=True):
            made[seat] += 1
            discards[made[seat]] += 1
            tenpai[made[seat]] += waits[seat]
    assert run(STUDY, "records").splitlines() == [
        f"turn {turn:2}: {tenpai[turn] / discards[turn]:6.1%} of {discards[turn]} discards"
        for turn in sorted(discards)
    ]


# -- a notebook -----------------------------------------------------------------------------


def test_the_cells_of_the_notebook_run(run: Run, tmp_path: Path) -> None:
    run("\n".join(programs("how-to/notebooks.md")))
    assert (tmp_path / "analysis.html").read_text(encoding="utf-8").startswith("<")


def test_the_picture_of_a_hand_is_what_the_hand_shows() -> None:
    shown = Tiles(parse_tiles("123m406p789s1122z"))._repr_svg_()
    picture = ROOT / "docs" / "images" / "notebook-hand.svg"
    assert picture.read_text(encoding="utf-8") == shown


# -- a review ------------------------------------------------------------------------------


def test_the_review_s_program_names_the_costliest_mistake_first(run: Run, tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    record = tmp_path / "records" / "demo.mjlog"
    record.write_text(write(demo_game(), "mjlog"), encoding="utf-8")
    (program,) = programs("how-to/review.md")
    assert program.count("NAME") == 2
    lines = run(program.replace("NAME", "haiyomi pooled")).splitlines()
    costs = [int(re.findall(r", (\d+) points$", line)[0]) for line in lines]
    assert 3 <= len(costs) <= 10
    assert costs == sorted(costs, reverse=True)
    assert lines[0].startswith("records/demo.mjlog S4 turn 11: discard 7s -> discard 2s, ")


# -- a plot --------------------------------------------------------------------------------


def test_the_chances_over_a_hand_go_on_to_its_end(run: Run, tmp_path: Path) -> None:
    (tmp_path / "game.mjlog").write_text(write(demo_game(), "mjlog"), encoding="utf-8")
    (program,) = programs("how-to/plot.md")
    lines = run(program).splitlines()
    assert len(lines) == len(demo_game().hands[0].events) - 1
    assert re.fullmatch(r"2 win \d+\.\d%  deal in \d+\.\d%  first \d+\.\d%", lines[0])
    assert re.search(r"win 0\.0%  deal in (0|100)\.0%", lines[-1])


# -- fitted models --------------------------------------------------------------------------


def test_fitted_models_answer_in_python(run: Run, tmp_path: Path) -> None:
    (tmp_path / "WORK").mkdir()
    for name, shipped in {"policy": POLICY, "opponents": OPPONENTS}.items():
        (tmp_path / "WORK" / f"{name}.safetensors").write_bytes(shipped.read_bytes())
    (program,) = programs("how-to/fit.md")
    final, risk = run(program).splitlines()
    assert sum(map(int, final.strip("()").split(","))) == 100_000
    assert 0 < float(risk) < 0.1


# -- the environment ------------------------------------------------------------------------

PLAYED, COLUMNS, NAMED, TRAINED, TAUGHT, LIKELY, PETTING = programs("how-to/research.md")


def test_the_choices_of_a_record_become_actions(run: Run, tmp_path: Path) -> None:
    (tmp_path / "game.mjlog").write_text(write(demo_game(), "mjlog"), encoding="utf-8")
    n = sum(d.chosen is not None for d in decisions(demo_game()))
    assert run(programs("how-to/decisions.md")[-1]) == f"({n}, 34, 90) ({n}, 207) ({n},)\n"


def test_the_environments_program_plays_random_actions(run: Run) -> None:
    rows, size, total = run(PLAYED).split()
    assert int(rows) >= 64
    assert int(size) == DECISION.itemsize
    assert float(total) <= 0  # deposits of riichi lie on the table when a hand ends


def test_the_columns_of_the_page_are_those_of_hands(run: Run) -> None:
    kinds, share = map(float, run(COLUMNS).split())
    assert 8 < kinds <= 14
    assert 0 <= share <= 1


def test_the_action_names_of_the_page_are_actions(run: Run) -> None:
    assert run(NAMED).split() == ["202", "discard", "1m"]


def test_a_bot_plays_by_the_record_of_its_decision(run: Run) -> None:
    points = json.loads(run(TRAINED).replace("(", "[").replace(")", "]"))
    assert sum(points) == 100_000


def test_the_policy_answers_batches(run: Run) -> None:
    assert run(TAUGHT) == "all hands ended\n"


def test_the_probabilities_of_actions_sum_to_one(run: Run) -> None:
    assert run(LIKELY).split() == ["(8,", "207)", "[1.", *["1."] * 6, "1.]"]


def test_the_pettingzoo_program_plays(run: Run) -> None:
    pytest.importorskip("pettingzoo")
    assert "seat_0" in run(PETTING)
