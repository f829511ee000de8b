"""Half-precision arrays as text, by the names that the models of hidden hands know them by."""

from haiyomi.models import half_array as from_text
from haiyomi.models import half_text as to_text

__all__ = ["from_text", "to_text"]
