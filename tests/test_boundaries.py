"""The boundaries of docs/explanation/architecture.md: the import graph, and fresh processes."""

from __future__ import annotations

import ast
import pathlib
import re
import shutil
import subprocess
import sys
from functools import cache

import pytest

import haiyomi

ROOT = pathlib.Path(__file__).resolve().parent.parent
SRC = ROOT / "src"
PACKAGE = SRC / "haiyomi"

# A module imports only from lines above its own.
ORDER = [
    "errors",
    "extras",
    "counted",
    "tiles",
    "rules",
    "events",
    "seeds",
    "arrays",
    "json_types",
    "rows",
    "kernels",
    "logs",
    "game",
    "play",
    "engines",
    "storage",
    "networks",
    "corpus",
    "reading",
    "dealin",
    "winning",
    "styles",
    "outcomes",
    "analysis",
    "playouts",
    "plots",
    "training",
    "review",
    "evaluation",
    "benchmark",
    "display",
    "apps",
    "__main__",
]
QUESTIONS = {"reading", "dealin", "winning", "styles", "outcomes"}
JOINS = "outcomes"
"""The package that may ask those of the other questions."""
BLIND = ["game.position", "game.position_fold", *sorted(QUESTIONS), "analysis", "review"]
"""What answers for a seat, and so must not know what that seat cannot see."""
COUNTED = {"haiyomi.kernels", "haiyomi.kernels.counts", "haiyomi.kernels.shanten"}
"""The kernel of ``Position.shanten``, a fact of the hand and no answer; loaded when it is asked."""
HIDDEN = {
    "haiyomi.game.decision_labels",
    "haiyomi.game.packed_games",
    "haiyomi.game.table",
    "haiyomi.game.truth",
}


def _name(path: pathlib.Path) -> str:
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_name(p): p for p in sorted(PACKAGE.rglob("*.py"))}


@cache
def tree_of(module: str) -> ast.Module:
    """The syntax tree of a module, parsed where a test needs it: collecting the tests does not."""
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def _typing_only(tree: ast.Module) -> set[ast.AST]:
    """The nodes under ``if TYPE_CHECKING``, which are never executed."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            found.update(inner for child in node.body for inner in ast.walk(child))
    return found


def _for_notebooks(tree: ast.Module) -> set[ast.AST]:
    """The nodes of ``_repr_html_`` and ``_repr_svg_``, which only a notebook calls."""
    return {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name in ("_repr_html_", "_repr_svg_")
        for inner in ast.walk(node)
    }


@cache
def _imports(module: str, typing: bool = False, notebooks: bool = True) -> frozenset[str]:
    """Every module of haiyomi that this one imports, inside functions as well.

    Also names given as text to ``import_module`` or kept in a table of lazy names.
    ``typing``: with those that only a type checker reads. ``notebooks``: with those of the
    methods that show a value in a notebook.
    """
    tree = tree_of(module)
    skipped = set() if typing else _typing_only(tree)
    skipped |= set() if notebooks else _for_notebooks(tree)
    found: set[str] = set()
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are absolute"
            assert node.module is not None
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                known = inner in MODULES or inner == "haiyomi._core"
                found.add(inner if known else node.module)
        elif isinstance(node, ast.Constant) and node.value in MODULES:
            found.add(str(node.value))
    return frozenset(f for f in found if f.startswith("haiyomi.")) - {module}


def imported_by(module: str) -> frozenset[str]:
    """``_imports`` of a module that is executed."""
    return _imports(module) if module in MODULES else frozenset()


def _reach(start: str) -> dict[str, str]:
    """All modules that importing ``start`` may execute, with who imports them."""
    came_from: dict[str, str] = {start: ""}
    queue = [start]
    while queue:
        module = queue.pop()
        parents = {module.rsplit(".", n)[0] for n in range(1, module.count("."))}
        for other in (*imported_by(module), *parents):
            if other not in came_from:
                came_from[other] = module
                queue.append(other)
    return came_from


def _under(prefix: str) -> list[str]:
    full = f"haiyomi.{prefix}"
    return [m for m in MODULES if m == full or m.startswith(full + ".")]


def _package(module: str) -> str:
    return module.split(".")[1]


def _fresh(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# -- which way imports run ----------------------------------------------------------------


def test_every_module_has_a_package() -> None:
    assert {_package(m) for m in MODULES if m != "haiyomi"} <= set(ORDER)


def test_imports_come_from_above() -> None:
    wrong = [
        f"{module} imports {other}"
        for module in MODULES
        if module != "haiyomi"
        for other in _imports(module, typing=True, notebooks=False) - {"haiyomi._core"}
        if not _may_import(_package(module), _package(other))
    ]
    assert not wrong


def _may_import(package: str, other: str) -> bool:
    """Whether modules of one line of ORDER may import those of another."""
    if other == package:
        return True
    if {other, package} <= QUESTIONS and package != JOINS:
        return (package, other) == ("dealin", "reading")
    return ORDER.index(other) < ORDER.index(package)


def _answers(module: str) -> bool:
    """Whether a module is a model or a kernel, and no value that a package answers with."""
    package = _package(module + ".")
    return package in QUESTIONS | {"kernels", "storage"} and not module.endswith(".answer")


@pytest.mark.parametrize(
    "module", [m for m in MODULES if _package(m + ".") in ("review", "display")]
)
def test_what_shows_an_answer_computes_none(module: str) -> None:
    """Renderers and statistics format an Analysis: no model and no kernel is within their reach.

    ``review.reviewer`` asks an Analyzer, which it is given or makes when it is called, and names
    what was done as an Option.
    """
    if module == "haiyomi.review.reviewer":
        asked = {m for m in imported_by(module) if _package(m) in QUESTIONS | {"kernels"}}
        assert asked == {"haiyomi.outcomes.option"}
        assert "haiyomi.analysis.analyzer" in imported_by(module)
        return
    reached = {m for m in _reach(module) if m in MODULES and _answers(m)}
    packages = {f"haiyomi.{package}" for package in QUESTIONS | {"kernels", "storage"}}
    assert reached <= packages | COUNTED, sorted(reached)


def test_only_the_analyzer_s_package_asks_models_for_a_review() -> None:
    for module in MODULES:
        if _package(module + ".") in ("apps", "review", "display"):
            imports = imported_by(module) & {
                "haiyomi.dealin.network_model",
                "haiyomi.dealin.kurita_hoki",
                "haiyomi.winning.own",
                "haiyomi.analysis.styles",
            }
            assert not imports, f"{module} imports {imports}"


def test_only_the_kernels_touch_the_compiled_core() -> None:
    for module in MODULES:
        if _package(module + ".") != "kernels":
            assert "haiyomi._core" not in _imports(module, typing=True), module


def test_a_value_asks_the_display_only_for_a_notebook() -> None:
    """What it shows itself with comes from ``display``, and nothing else below it does."""
    for module in MODULES:
        every = _imports(module, typing=True)
        for_notebooks = every - _imports(module, typing=True, notebooks=False)
        assert {_package(other) for other in for_notebooks} <= {"display"}, module


@pytest.mark.parametrize("module", _under("display"))
def test_the_display_reaches_no_model_and_no_kernel(module: str) -> None:
    reached = _reach(module)
    models = {"haiyomi.storage.model_file", "haiyomi.storage.tensors_file"}
    assert models <= set(MODULES)
    assert not models & reached.keys()
    assert not {other for other in reached if other.startswith("haiyomi.kernels")} - COUNTED


@pytest.mark.parametrize("prefix", BLIND)
def test_what_answers_for_a_seat_never_reaches_the_hidden(prefix: str) -> None:
    modules = _under(prefix)
    assert modules, f"there is no haiyomi.{prefix}"
    for module in modules:
        came_from = _reach(module)
        for hidden in HIDDEN & came_from.keys():
            path = [hidden]
            while path[-1] != module:
                path.append(came_from[path[-1]])
            pytest.fail(" <- ".join(path))


@pytest.mark.parametrize("prefix", BLIND)
def test_the_hidden_is_not_loaded_in_a_fresh_process(prefix: str) -> None:
    modules = _under(prefix)
    assert modules, f"there is no haiyomi.{prefix}"
    code = (
        "import importlib, sys\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        f"print(sorted({HIDDEN!r} & set(sys.modules)))"
    )
    assert _fresh(code) == "[]"


def test_the_graph_sees_what_it_should() -> None:
    """A boundary is worth nothing if the graph behind it is blind."""
    assert "haiyomi.events" in imported_by("haiyomi.game.position_fold")
    assert "haiyomi.errors" in _reach("haiyomi.game.position_fold")
    assert "haiyomi.tiles" in _reach("haiyomi.dealin.answer")


_FITTING = {
    "fit",
    "fit_options",
    "dataset",
    "styles",
    "play",
    "bot",
    "evaluate",
    "evaluate_imitation",
    "evaluate_outcomes",
    "reproduce",
}
"""The commands that fit, or ask what was fitted."""


def test_only_commands_that_fit_import_training() -> None:
    """To find and read records nothing of training is needed."""
    for module in _under("apps"):
        uses = {m for m in _imports(module, typing=True) if _package(m) == "training"}
        assert not uses or module.rsplit(".", 1)[1] in _FITTING, f"{module} imports {uses}"


@pytest.mark.parametrize("module", _under("apps.web"))
def test_the_server_imports_no_command(module: str) -> None:
    assert not {m for m in imported_by(module) if m.startswith("haiyomi.apps.commands")}


def test_one_module_knows_what_a_zip_is() -> None:
    knows = {m for m in MODULES if "PK\\x03" in MODULES[m].read_text(encoding="utf-8")}
    assert knows == {"haiyomi.logs.containers"}
    opens = {m for m in MODULES if "ZipFile(" in ast.unparse(tree_of(m))}
    assert opens == {"haiyomi.logs.containers"}


def test_one_function_makes_every_generator() -> None:
    makes = {
        m
        for m in MODULES
        if re.search(r"\b(default_rng|SeedSequence|PCG64|RandomState)\(", ast.unparse(tree_of(m)))
    }
    assert makes == {"haiyomi.seeds"}


# -- what importing costs -----------------------------------------------------------------


def test_import_haiyomi_loads_nothing_heavy() -> None:
    loaded = _fresh("import sys, haiyomi\nprint(*sorted(sys.modules))").split()
    heavy = {"numpy", "pyarrow", "sklearn", "rich", "typer", "scipy", "polars", "haiyomi._core"}
    assert not heavy & set(loaded)
    assert [m for m in loaded if m.startswith("haiyomi")] == ["haiyomi"]


@pytest.mark.parametrize("package", [m for m, p in MODULES.items() if p.name == "__init__.py"])
def test_packages_import_lazily(package: str) -> None:
    loaded = set(_fresh(f"import sys, {package}\nprint(*sorted(sys.modules))").split())
    assert not {"numpy", "pyarrow", "sklearn", "rich", "scipy", "polars"} & loaded
    own = {m for m in loaded if m.startswith("haiyomi")}
    parents = {package.rsplit(".", n)[0] for n in range(package.count(".") + 1)}
    assert own <= parents


_COMMAND = """
import sys
from haiyomi.apps.cli import main
sys.argv = ["haiyomi", *{arguments}]
main()
print("modules", *sorted(sys.modules))
"""


def _modules_of(*arguments: str) -> set[str]:
    """What a command has imported when it ends, in a fresh process."""
    return set(_fresh(_COMMAND.format(arguments=arguments)).rpartition("modules ")[2].split())


def test_the_version_needs_no_command() -> None:
    loaded = _modules_of("--version")
    assert "haiyomi.apps.cli" in loaded
    assert not {m for m in loaded if m.startswith("haiyomi.apps.commands.")}
    assert "numpy" not in loaded


def test_styles_show_counts_records_of_tenhou_without_numpy_and_events() -> None:
    record = PACKAGE / "data" / "demo.mjlog"
    loaded = _modules_of("styles", "show", str(record), "--player", "even-damaten")
    heavy = ("numpy", "haiyomi.events", "haiyomi.logs.mjlog_read", "concurrent")
    assert not {m for m in loaded if m.startswith(heavy)}


def test_risk_imports_what_one_position_needs(tmp_path: pathlib.Path) -> None:
    position = tmp_path / "position.json"
    position.write_text(
        '{"seat": "E", "indicators": "3p", "hand": "123m406p789s1122z", "drawn": "5p"}'
    )
    loaded = _modules_of("risk", str(position))
    commands = {m for m in loaded if m.startswith("haiyomi.apps.commands.")}
    assert commands == {"haiyomi.apps.commands.risk"}
    others = ("styles", "outcomes", "corpus", "engines.processes", "training", "play.live_hand")
    assert not {m for m in loaded if m.startswith(tuple(f"haiyomi.{other}" for other in others))}
    assert not {"numpy.random", "rich", "scipy", "pyarrow", "haiyomi.review.html"} & loaded
    # What names waits, and importlib's way to files, which brings archives and random names.
    assert not {"haiyomi.dealin.explain", "importlib.resources", "tempfile"} & loaded


def test_import_haiyomi_costs_next_to_nothing() -> None:
    """At most .03 s of a core over bare Python: the quickest of several, since load only adds."""
    code = "import time; a = time.process_time(); import haiyomi; print(time.process_time() - a)"
    assert min(float(_fresh(code)) for _ in range(8)) < 0.03


def test_every_lazy_name_is_there() -> None:
    for name in haiyomi.__all__:
        assert getattr(haiyomi, name) is not None
    assert set(haiyomi.__all__) <= set(dir(haiyomi))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        haiyomi.nothing  # noqa: B018


# -- the core -----------------------------------------------------------------------------


def test_the_core_knows_no_python_and_no_file() -> None:
    sources = [*(ROOT / "cpp" / "core").rglob("*.hpp"), *(ROOT / "cpp" / "core").rglob("*.cpp")]
    assert sources
    for path in sources:
        text = path.read_text(encoding="utf-8")
        included = re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', text, re.MULTILINE)
        for header in included:
            assert not re.search(r"nanobind|Python|numpy|fstream|filesystem|cstdio", header), (
                f"{path.name} includes {header}"
            )


def test_the_core_has_no_path_for_one_processor_alone() -> None:
    for path in (ROOT / "cpp").rglob("*.[ch]pp"):
        text = path.read_text(encoding="utf-8")
        for word in ("immintrin", "x86intrin", "__builtin_", "__attribute__", "__int128"):
            if word in text:
                assert "#if" in text, f"{path.name} uses {word} without a fallback"


# -- nothing is executed that came from outside ---------------------------------------------

_CALLS = {"eval", "exec", "compile", "__import__", "os.system", "os.popen"}
_MODULES = {"pickle", "cPickle", "shelve", "marshal", "dill", "joblib", "cloudpickle"}


def test_no_input_is_ever_executed() -> None:
    for module in MODULES:
        for node in ast.walk(tree_of(module)):
            names: list[str] = []
            if isinstance(node, ast.Call):
                assert ast.unparse(node.func) not in _CALLS, f"{module}:{node.lineno}"
                for keyword in node.keywords:
                    if keyword.arg in ("shell", "allow_pickle"):
                        assert ast.unparse(keyword.value) == "False", f"{module}:{node.lineno}"
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            used = {name.split(".")[0] for name in names} & _MODULES
            assert not used, f"{module} imports {used}"


# -- the conventions ------------------------------------------------------------------------


def test_no_module_is_longer_than_one_idea() -> None:
    for path in (*MODULES.values(), *(ROOT / "cpp").rglob("*.[ch]pp")):
        n = len(path.read_text(encoding="utf-8").splitlines())
        assert n <= 500, f"{path.relative_to(ROOT)} has {n} lines"
    assert not {p.stem for p in MODULES.values()} & {"utils", "util", "common", "helpers", "misc"}


def test_what_is_public_says_what_it_is() -> None:
    silent = []
    for module in MODULES:
        tree = tree_of(module)
        defined = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
        public = [node for node in defined if not node.name.startswith("_")]
        silent += [module] * (not ast.get_docstring(tree))
        silent += [f"{module}.{node.name}" for node in public if not ast.get_docstring(node)]
    assert not silent, "without a docstring"


def _tracked() -> list[pathlib.Path]:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("no git checkout")
    listed = subprocess.run(
        [git, "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def test_no_real_record_is_committed() -> None:
    record_id = re.compile(rb"20\d{8}gm-[0-9a-f]{4}-[0-9a-f]{4,5}-[0-9a-f]{8}")
    for path in _tracked():
        if path.is_file():
            found = record_id.search(path.read_bytes())
            assert found is None, f"{path.relative_to(ROOT)} names a record: {found!r}"


def test_no_tracked_file_is_large() -> None:
    for path in _tracked():
        if path.is_file():
            assert path.stat().st_size <= 2 * 1024 * 1024, path.relative_to(ROOT)
