"""Fills README's figures, the tutorial's excerpt of the demo, the table of hidden hands and the
reliability of scores in the guide to reviews.

    python docs/fill_readme.py

The excerpt is cut from what ``haiyomi demo`` prints, the figures from ``docs/results``:
``reading.json`` and ``dealin.json`` are made by ``haiyomi reproduce``, ``posterior.json`` by
``haiyomi evaluate dealin --against kurita-hoki --results``, ``forecast.json``, ``policy.json`` and
``mistakes.json`` by ``haiyomi evaluate``; the speeds by ``python -m bench``; the reliability
stands in ``review/houou.json``, which ``haiyomi evaluate scores`` makes.
"""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

from speed_table import number
from stored_results import earlier, last_release, of_earlier_networks, put, results, stored

from haiyomi.evaluation.report import Figure


def excerpt(demo: str) -> str:
    """The summary that a review begins with, and the decision that cost most."""
    blocks = demo.split("\n\n")
    dear = max(
        (b for b in blocks if "DEALS IN" in b and b.startswith("Turn")),
        key=lambda b: int(re.search(r": -([\d,]+)", b)[1].replace(",", "")),  # type: ignore[index]
    )
    # Three dots mark what is left out.
    return "\n".join([*blocks[0].splitlines(), "...", *dear.splitlines()]) + "\n"


OF_NETWORKS = {
    "posterior": "deal-in risk",
    "reading": "hidden hands",
    "policy": "imitation",
    "forecast": "win of the hand",
    "mistakes": "mistakes",
}
"""The results of README that networks gave, and what README calls them."""


def figures(found: dict[str, dict[str, Any]]) -> str:
    """README's table: one line a question."""
    risk = found["posterior"]["tile"]["threat"]["all"]
    literal = found["dealin"]["literal"]["tile"]["threat"]["all"]
    corrected = found["posterior"]["beside"]["kurita-hoki"]["tile"]["all"]
    hands = found["reading"]["evaluation"]
    agreement = hands["agreement"]["all"]["by"]
    forecast, policy = found["forecast"], found["policy"]
    win, discards = forecast["binary"]["win"], policy["discards"]["all"]
    speeds = {row["task"]: row for row in found["speeds"]["speeds"]}
    replay, text = speeds["parse and checked replay"], speeds["review, four seats: text"]
    rows = [
        (
            "deal-in risk while an opponent threatens: skill",
            f"{risk['n']:,} tiles and opponents",
            Figure.of(risk["skill"], ".1%"),
            f"Kurita and Hoki's model {literal['skill']['value']:.1%}, with corrections "
            f"{corrected['other_skill']:.1%}",
        ),
        (
            "the same: AUC",
            f"{risk['n']:,}",
            Figure.of(risk["auc"], ".3f"),
            f"Kurita and Hoki's model {literal['auc']['value']:.3f}, with corrections "
            f"{corrected['other_auc']:.3f}",
        ),
        (
            "hidden hands: share of the concealed tiles named correctly",
            f"{hands['rows']:,} opponents",
            Figure.of(agreement["counts best"], ".3f"),
            f"from unseen tiles alone {agreement['unseen best']['value']:.3f}",
        ),
        (
            "imitation: the likeliest discard is the player's",
            f"{discards['n']:,} discards of the {policy['split']} split",
            Figure.of(discards["top1"], ".3f"),
            f"always the tile just drawn {policy['discard_just_drawn']:.3f}",
        ),
        (
            "win of the hand: log loss",
            f"{win['n']:,} decisions of the {forecast['what']} split",
            Figure.of(win["log_loss"], ".4f"),
            f"the constant {win['constant']:.4f}",
        ),
        *_mistakes(found["mistakes"]),
    ]
    said: dict[str, list[str]] = {}
    for name, what in OF_NETWORKS.items():
        said.setdefault(of_earlier_networks(found[name]) or "", []).append(what)
    said.pop("", None)
    return "\n".join(
        [
            f"On the {found['posterior']['games']} games of the test split of the small corpus "
            "(3,018 records of Tenhou's Houou tables) where no other is named, by models fitted on "
            "other games. Earlier versions were already measured on that split; "
            "that of the large corpus is [measured once for each set of networks]"
            "(docs/explanation/test-split.md)"
            f"{_since()}. 95% intervals by bootstrap over games. *Skill* is 1 - log loss / log "
            "loss of the constant, which always predicts the mean rate."
            + "".join(
                f" {', '.join(of).capitalize()}: {how[0].lower()}{how[1:]}"
                for how, of in said.items()
            ),
            "",
            "| measure | n | haiyomi | compared with |",
            "|---|---:|---|---|",
            *(f"| {' | '.join(map(str, row))} |" for row in rows),
            "",
            f"One core ({found['speeds']['machine']}, {found['speeds']['date']}) parses and "
            "replays "
            f"{number(replay['rate'])} games a second and reviews all four seats of a game in "
            f"{text['more']['seconds']} s as text (mean of {text['more']['games']} games). The "
            "next table, speed and memory of play, is of the same machine.",
            "",
        ]
    )


def _mistakes(found: dict[str, Any]) -> list[tuple[str, str, Figure, str]]:
    """What playing on and the records say of flagged mistakes."""
    ways = {row["way"]: row for row in found["groups"] if row["group"] == "all"}
    rollout = ways["rollout network"]
    tiles = next(row for row in found["deal_ins"] if row["group"] == "all")
    improved, own = (
        Figure.of(ways[way]["kept"], ".1%") for way in ("improved policy", "own style")
    )
    return [
        (
            "mistakes of a review: the recommended option is better when both are played on",
            f"{rollout['n']:,} mistakes of the valid splits",
            Figure.of(rollout["kept"], ".1%"),
            f"the bot goes on for the player {improved}, in the player's own style {own}",
        ),
        (
            "tiles of these mistakes that dealt in, in the records",
            f"{tiles['n']:,}",
            Figure.of(tiles["came"], ".1%"),
            f"expected {tiles['expected']['value']:.1%}, of the better options "
            f"{tiles['better']['value']:.1%}",
        ),
    ]


def _since() -> str:
    """Which networks were fitted anew after the test split of the large corpus was measured."""
    newer = last_release()[1]
    return f", before {' and '.join(newer)} were fitted anew" if newer else ""


def play_figures(found: dict[str, Any]) -> str:
    """README's table of play: speeds at the compiled table."""
    rows = {row["task"]: row for row in found["speeds"]}
    random, policy = rows["random legal players"], rows["policy against itself"]
    (turn,) = (row for task, row in rows.items() if task.startswith("policy plays on"))
    one_view = rows["policy against itself, one pass a decision"]
    rollout = rows["rollout network plays on from turn 8"]
    return "\n".join(
        [
            "",
            "| play, one core, from Python | haiyomi | compared with |",
            "|---|---:|---|",
            f"| random legal actions a second | {number(random['rate'])} | "
            f"{random['rival']}: {number(random['rival_rate'])} in the same run |",
            f"| games a second of four seats that the policy plays | {number(policy['rate'])} | "
            f"with one pass of the network a decision instead of two: {number(one_view['rate'])} |",
            f"| hands a second, {turn['task'].replace('policy plays', 'played')} by the policy | "
            f"{number(turn['rate'])} | by the small rollout network: {number(rollout['rate'])} |",
            f"| memory of 4,096 tables | {random['more']['megabytes_of_4096_tables']:.0f} MB | |",
            "",
        ]
    )


PREDICTED_HANDS = (
    ("random hand", "random", None),
    ("unseen counts alone", "unseen best", "unseen"),
    ("the paper's CRF, roulette", "nemoto-d roulette", None),
    ("the paper's CRF, best hand", "nemoto-d best", "nemoto-d"),
    ("the network, best hand", "counts best", "counts"),
)


def reading_figures(read: dict[str, Any]) -> str:
    """The table of hidden hands."""
    found = read["evaluation"]
    agreement, bits = found["agreement"], found["bits"]
    lines = [
        f"Fitted on the train split, measured at the {found['decisions']:,} free discards of "
        f"the {found['games']} games of the small corpus's test split, on which earlier versions "
        f"were already measured ({found['rows']:,} rows, one for each opponent); 95% intervals by "
        "bootstrap over games. "
        "*Agreement* is the share of an opponent's concealed tiles that the predicted hand has "
        "right. *Bits* is the mean -log2 of the probability given to the true count of a kind.",
        "",
        *earlier(read),
        "| predicted hand | agreement | against riichi | bits a kind |",
        "|---|---:|---:|---:|",
    ]
    for label, way, model in PREDICTED_HANDS:
        loss = "" if model is None else Figure.of(bits["all"]["by"][model], ".3f")
        lines.append(
            f"| {label} | {Figure.of(agreement['all']['by'][way], '.3f')} | "
            f"{Figure.of(agreement['riichi']['by'][way], '.3f')} | {loss} |"
        )
    lines += ["", "All tables: [reproduction of the papers](../reproduction/nemoto.md)."]
    return "\n".join(lines) + "\n"


STORED = ("posterior", "dealin", "reading", "forecast", "policy", "mistakes")


def all_stored() -> dict[str, dict[str, Any]]:
    """The results by the name of their file."""
    found = {name: results(name) for name in STORED}
    return found | {"speeds": stored("bench/results/throughput.json")}


def reliability_text(table: dict[str, Any]) -> str:
    """The split-half reliability of a game's score, by the table of scores at Houou tables."""
    hanchan, east = (table["reliability"][rounds] for rounds in ("2", "1"))
    return (
        f"At Houou tables it is {Figure.of(_interval(hanchan), '.2f')} over {hanchan['seats']} "
        f"seats of hanchan, and\n{Figure.of(_interval(east), '.2f')} over {east['seats']} seats of "
        "East-only games. The intervals are 95%, by bootstrap of games.\n"
    )


def _interval(found: dict[str, Any]) -> dict[str, float]:
    low, high = found["interval"]
    return {"value": found["value"], "low": low, "high": high}


def main() -> None:
    """Rewrite the blocks in place."""
    demo = subprocess.run(
        [sys.executable, "-m", "haiyomi", "demo"], capture_output=True, text=True, check=True
    ).stdout
    found = all_stored()
    put("README.md", "figures", figures(found))
    put("README.md", "play", play_figures(found["speeds"]))
    put("docs/tutorial/first-review.md", "demo", f"```text\n{excerpt(demo)}```\n")
    scores = stored("src/haiyomi/review/houou.json")
    put("docs/how-to/review.md", "reliability", reliability_text(scores))
    put("docs/explanation/hidden-hands.md", "figures", reading_figures(found["reading"]))


if __name__ == "__main__":
    main()
