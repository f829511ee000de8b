"""How large the parts of a record may be: far above any game, and checked before they cost.

Reading an input of n bytes (unpacked) takes memory of at most 40 n and time in proportion to n.
What bounds it: tags and lines are read one after the other, each of a limited size; the arrays
and objects of a JSON text are counted before it is parsed, as an empty one takes 30 times its
two characters.
"""

from __future__ import annotations

MOST_TAG = 1 << 16
"""Characters of a tag of mjlog; the longest in use, ``SHUFFLE``, has about 3,400."""
MOST_VALUE = 1 << 14
"""Characters of an attribute."""
MOST_ATTRIBUTES = 64
"""Attributes of a tag; ``AGARI`` has about 14."""
MOST_LINE = 1 << 16
"""Characters of a line of mjai; a ``start_kyoku`` has about 500."""
MOST_DEPTH = 32
"""Arrays and objects within one another in a JSON text; Tenhou's has 6."""
MOST_CONTAINERS = 100_000
"""Arrays and objects of a JSON text; a hand of Tenhou's has about 20."""
MOST_ITEMS = 1_000_000
"""Commas of a JSON text, and so entries of all its arrays and objects together."""
MOST_MESSAGES = 400
"""Messages of one array of a protobuf message, other than the entries of a record."""
MOST_HANDS = 1_000
"""Hands of a game of Tenhou's JSON."""
MOST_EVENTS = 400
"""Events of a hand; 70 draws, as many discards and what goes with them stay below 200."""
MOST_REVEALS = 8
"""Indicators shown after kans in a hand; the rules allow four."""
