"""The rules of a game in mjai's ``start_game``: what it states, and what haiyomi writes.

``kyoku_first`` is 4 for an East-only game and 0 for a longer one, ``gametype`` says the same as
``tonpu`` or ``tonnan``, and ``aka_flag`` says whether there are red fives. mjai has no field for
all simples with an open hand: ``kuitan_flag`` is haiyomi's own, and stands only where it is false.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from haiyomi.rules import Ruleset

LONGER: Final = 0
EAST_ONLY: Final = 4
"""The values of ``kyoku_first``."""


def stated_rules(message: Mapping[str, Any], rules: Ruleset) -> Ruleset:
    """The rules of the game that a ``start_game`` begins: ``rules``, but for what it states. A
    field of another value than those of this module states nothing."""
    first, length = message.get("kyoku_first"), message.get("gametype")
    rounds = rules.rounds
    if first == EAST_ONLY or length == "tonpu":
        rounds = 1
    elif first == LONGER or length == "tonnan":
        rounds = max(rounds, 2)
    red, kuitan = message.get("aka_flag"), message.get("kuitan_flag")
    return rules.but(
        rounds=rounds,
        red_fives=red if isinstance(red, bool) else rules.red_fives,
        kuitan=kuitan if isinstance(kuitan, bool) else rules.kuitan,
    )


def rule_fields(rules: Ruleset) -> dict[str, Any]:
    """The fields of ``start_game`` that state the rules."""
    fields: dict[str, Any] = {
        "kyoku_first": EAST_ONLY if rules.rounds == 1 else LONGER,
        "aka_flag": rules.red_fives,
    }
    return fields if rules.kuitan else {**fields, "kuitan_flag": False}
