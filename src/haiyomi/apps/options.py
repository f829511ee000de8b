"""Options that many commands share."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from haiyomi.errors import HaiyomiError
from haiyomi.rules import TENHOU, Ruleset, rules_of

DatasetArgument = Annotated[Path, typer.Argument(help="Folder made by `haiyomi dataset build`.")]
CorpusOption = Annotated[
    Path | None, typer.Option("--corpus", help="Folder with train, valid and test zips.")
]
SplitOption = Annotated[
    str | None,
    typer.Option("--split", help="Split of the corpus: test (the default), valid or train."),
]
RecordsArgument = Annotated[
    list[Path] | None,
    typer.Argument(help="Records: files, folders or zips; default: a split of the corpus."),
]


class By(StrEnum):
    """What a bot chooses by."""

    policy = "policy"
    ev = "ev"


ByOption = Annotated[
    By,
    typer.Option(
        help="policy: the choices that people make. ev: the same, reweighted by the expected value "
        "of each option."
    ),
]

RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        help="Rules of the table: tenhou, tenhou-east, mahjong-soul or mahjong-soul-east.",
    ),
]
EastOption = Annotated[bool, typer.Option("--east", help="East-only instead of hanchan.")]
RedsOption = Annotated[bool, typer.Option("--reds/--no-reds", help="With or without red fives.")]
KuitanOption = Annotated[
    bool,
    typer.Option("--kuitan/--no-kuitan", help="With or without all simples for open hands."),
]
LinesRulesOption = Annotated[
    str | None,
    typer.Option(
        "--rules",
        help="Rules of mjai lines, but for what their start_game states: tenhou (the default), "
        "tenhou-east, mahjong-soul or mahjong-soul-east.",
    ),
]

PolicyOption = Annotated[
    Path | None, typer.Option("--model", help="Policy file; default: the shipped one.")
]
ResultsOption = Annotated[
    Path | None, typer.Option("--results", help="Write the results as JSON to this file.")
]
WorkOption = Annotated[
    Path,
    typer.Option("--work", help="Folder for what takes long; built or completed if needed."),
]
JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", min=1, help="Number of processes; default: one for each processor."),
]
MinutesOption = Annotated[
    float | None,
    typer.Option(min=0, help="Number of minutes after which to stop; the same command continues."),
]
ThreadsOption = Annotated[
    int | None,
    typer.Option("--threads", min=1, help="Threads of torch; default: one for each processor."),
]
ModelOut = Annotated[Path, typer.Option("--out", "-o", help="Model file to write.")]


def _alone(engine: str) -> str:
    """The option, unchanged. Raises HaiyomiError in the processes of torchrun."""
    if "TORCHELASTIC_RUN_ID" in os.environ and os.environ.get("WORLD_SIZE", "1") != "1":
        raise HaiyomiError(
            "under torchrun every process would do all the work: torchrun is for `haiyomi fit all`"
        )
    return engine


EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="ENGINE",
        callback=_alone,
        help="Where the work runs: `processes` of this machine; `ray`, a Ray cluster started on "
        "this machine; `ray://HOST:PORT`, a cluster elsewhere; `ray:auto`, the cluster that this "
        "machine belongs to. Other machines must see the same folders.",
    ),
]


class Lang(StrEnum):
    """A language of the output."""

    en = "en"
    ja = "ja"
    zh = "zh"
    ko = "ko"


HandOption = Annotated[
    str | None,
    typer.Option(
        help="Only this hand, such as S3; default: all. E1: with all its honba; E1.0: the "
        "first alone."
    ),
]
JsonOption = Annotated[
    bool,
    typer.Option(
        "--json", help="Print JSON, described in the manual under 'JSON of the commands'."
    ),
]
LangOption = Annotated[
    Lang, typer.Option(help="Language of the output: English, Japanese, Chinese or Korean.")
]
ModelOption = Annotated[
    str,
    typer.Option(
        help="The deal-in model: posterior, posterior:no-tedashi, kurita-hoki, "
        "kurita-hoki-literal, or a file. :base-han and :unit-shares may follow the last two names."
    ),
]
HandsModelOption = Annotated[
    str,
    typer.Option(
        help="The model of hidden hands: counts; the CRF of Nemoto, Komiya and Kotani as "
        "nemoto-none, nemoto-0 or nemoto-d; or a model file."
    ),
]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        help="Write one self-contained HTML page (with --json: the JSON) to this file; for many "
        "records, write one each to this folder.",
    ),
]
TruthOption = Annotated[
    bool, typer.Option("--truth", help="Also show what each opponent really waited on.")
]


def rules_chosen(
    rules: str, *, east: bool = False, reds: bool = True, kuitan: bool = True
) -> Ruleset:
    """The rules of a name, changed by the options. Raises RulesError for another name."""
    named = rules_of(rules)
    return named.but(
        rounds=1 if east else named.rounds,
        red_fives=reds and named.red_fives,
        kuitan=kuitan and named.kuitan,
    )


def rules_of_lines(rules: str | None, east: bool) -> Ruleset | None:
    """The rules that are chosen for mjai lines, None where no option chooses any. Raises RulesError
    for another name."""
    if rules is None and not east:
        return None
    return rules_chosen(TENHOU.name if rules is None else rules, east=east)


def refuse(options: Mapping[str, object], why: str) -> None:
    """Raise HaiyomiError for the first of some options that was given."""
    for name, value in options.items():
        if value:
            raise HaiyomiError(f"{name} is {why}")


def names_given(texts: list[str] | None, option: str, form: str) -> dict[str, str]:
    """What stands right of the sign in each ``A=B``, by what stands left; ``form`` names both.
    Raises HaiyomiError for a text of another form."""
    given = {}
    for text in texts or ():
        left, sign, right = text.partition("=")
        if not (left and sign and right):
            raise HaiyomiError(f"{option} {text}: expected {form}")
        given[left] = right
    return given
