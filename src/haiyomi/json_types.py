"""Names for JSON objects."""

from __future__ import annotations

from typing import Any, TypeAlias

Json: TypeAlias = dict[str, object]
"""An object to be written, or one from outside: its values are checked before they are used."""
KnownJson: TypeAlias = dict[str, Any]
"""An object that haiyomi itself has made, such as an experiment's results: who reads it knows its
form."""
