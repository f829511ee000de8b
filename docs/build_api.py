"""The API reference, from the docstrings: one page a module.

    pip install -e '.[docs]' && python docs/build_api.py [FOLDER]

Every module is in it but those of a fit with torch where that is not installed; what cannot be
imported otherwise, or any name in ``__all__`` that is not there, ends the run.
"""

from __future__ import annotations

import importlib
import pathlib
import pkgutil
import sys
import warnings

import pdoc

import haiyomi

OPTIONAL = {"torch", "ray", "fastapi", "pydantic", "uvicorn"}


def modules() -> list[str]:
    """The modules to describe, by name."""
    found = ["haiyomi"]
    for info in pkgutil.walk_packages(haiyomi.__path__, "haiyomi."):
        if info.name.endswith(("__main__", "._core")):
            continue
        try:
            importlib.import_module(info.name)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in OPTIONAL:
                raise
            print(f"left out, {error.name} is not installed: {info.name}", file=sys.stderr)
            continue
        found.append(info.name)
    return list(dict.fromkeys(found))


def main(folder: pathlib.Path) -> None:
    """Write the reference."""
    warnings.simplefilter("error")
    # An editable installation shows each module at two places.
    warnings.filterwarnings("ignore", message=".*has already been added")
    # Names that are imported for type checkers alone are shown as they are written.
    warnings.filterwarnings("ignore", message="Error parsing type annotation")
    names = modules()
    for name in names:
        module = sys.modules[name]
        for lazy in getattr(module, "__all__", ()):
            setattr(module, lazy, getattr(module, lazy))
    pdoc.render.configure(
        docformat="restructuredtext", footer_text=f"haiyomi {haiyomi.__version__}"
    )
    pdoc.pdoc(*names, output_directory=folder)
    print(f"{len(names)} modules in {folder}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "out/api"))
