"""The extras of the installation: which packages each brings, and what to say where one lacks.

The base installation reviews, converts, verifies and plays. Whatever needs more names its extra
by ``require`` before it begins to work.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from haiyomi.errors import MissingExtraError

_DISTRIBUTION: Final = {"sklearn": "scikit-learn", "pycrfsuite": "python-crfsuite"}
"""The package's name where it differs from that of its module."""
EXTRAS: Final[dict[str, tuple[str, ...]]] = {
    "data": ("pyarrow",),
    "train": ("sklearn", "scipy", "pycrfsuite", "pyarrow"),
    "web": ("fastapi", "uvicorn", "pydantic"),
    "ray": ("ray",),
    "rl": ("pettingzoo", "gymnasium"),
    "torch": ("torch",),
    "plot": ("matplotlib",),
    "bench": ("riichienv",),
}
"""Extra -> the modules of other packages that the code behind it imports."""


def require(extra: str) -> None:
    """Raises MissingExtraError where a package of the extra is not installed."""
    for module in EXTRAS[extra]:
        if find_spec(module) is None:
            raise _missing(module, extra)


def missing_extra(error: ModuleNotFoundError) -> MissingExtraError | None:
    """The error that names the extra which brings the module; None where no extra does."""
    module = (error.name or "").partition(".")[0]
    extra = next((e for e, modules in EXTRAS.items() if module in modules), None)
    return None if extra is None else _missing(module, extra)


def _missing(module: str, extra: str) -> MissingExtraError:
    name = _DISTRIBUTION.get(module, module)
    return MissingExtraError(
        f"this needs {name}, which is not installed: run pip install '.[{extra}]' in a checkout "
        "of haiyomi"
    )
