"""Reads what the modules of a tree import, and the contract they keep.

The sources are parsed, not run, so that an import inside a function or for type checkers alone counts like any other.
Of scripts, those that are loaded later count, too.
This is our own reading and no import-linter: the contract is the few tables below, which say in our words what
CONTRIBUTING.md says; a rule about screens, or about what a command loads, is none that it knows; and there is one
package less to install. Every rule is a function from a tree to the sentences that tell what breaks it.
"""

import ast
import posixpath
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

# Which parts of the project a part may import; the longest name that fits a module says which part it is of.
KNOWS = {
    "privacy": {"privacy"},
    "mining.engines": {"mining.engines", "privacy"},
    "candor": {"candor", "mining.engines", "privacy"},
    "surveys": {"surveys", "privacy"},
    "mining": {"mining", "mining.engines", "surveys", "privacy"},
    "papers": {"papers", "mining.engines", "surveys", "privacy"},
    "config": {"config", "mining", "mining.engines", "surveys", "privacy"},
}
# What the parts without a server may import from others: what an analyst installs.
ANALYSTS = {"numpy", "scipy", "pandas"}
PACKAGES = {
    "privacy": ANALYSTS | {"fsspec", "pyarrow"},
    "candor": ANALYSTS,
    "mining.engines": ANALYSTS | {"mlxtend", "simsimd"},
}
# Packages that are divided into rooms: each room may import those before it.
ROOMS = {
    "privacy": (
        "errors",
        "version",
        "arrays",
        "files",
        "choices",
        "output",
        "result",
        "draw",
        "own_draw",
        "location",
        "design",
        "options",
        "places",
        "records",
        "disguise",
        "estimate",
        "reconstruct",
        "following",
        "guarantee",
        "plan",
        "regress",
        "release",
    ),
    "surveys": (
        "sentences",
        "percent",
        "hundreds",
        "displays",
        "shares",
        "questions",
        "kinds",
        "conditions",
        "rules",
        "media",
        "origins",
        "features",
        "definition",
        "schema",
        "migrations",
        "notes",
        "times",
        "reach",
        "children",
        "models",
        "offers",
        "domain",
        "results",
        "releases",
        "access",
        "lists",
        "tasks",
        "api",
        "page",
        "poster",
        "shared_report",
        "studio",
        "templatetags",
        "management",
        "urls",
        "apps",
    ),
    "surveys.domain": (
        "database",
        "people",
        "messages",
        "questionnaire",
        "drafts",
        "exchange",
        "responses",
        "mail",
        "exports",
        "closed",
        "page",
        "demo",
        "rehearsal",
    ),
}
# Where a part of a feature counts as standing: in the room that asks for it.
OF_FEATURES = {
    "draft": "surveys.domain.drafts",
    "report": "surveys.results",
    "figures": "surveys.results",
    "staff": "surveys.studio",
    "page": "surveys.page",
    "when_changes": "surveys.domain.drafts",
    "budget": "surveys.domain.questionnaire",
    "counts": "surveys.domain.exports",
    "counted": "surveys.domain.exports",
    "form": "surveys.domain.questionnaire",
    "words": "surveys.domain.drafts",
    "layout": "surveys.domain.drafts",
    "sheets": "surveys.domain.responses",
    "batches": "surveys.domain.responses",
    "parcels": "surveys.domain.responses",
    "odk": "surveys.domain.exchange",
    "kinds": "surveys.studio",
    "typed": "surveys.studio",
    "printing": "surveys.studio",
}
# Parts without circles: no module of a circle can be understood or tried without the others.
STRAIGHT = ("privacy", "mining", "surveys", "candor", "papers", "config")
# Folders whose scripts a site serves as one, so that they import one another.
SCRIPTS = (
    ("surveys/client", "privacy/disguise/browser"),
    ("surveys/static",),
    ("mining/static",),
    ("config/static",),
    ("checker",),
)
# Modules that show pages or answer requests, by what their path within an app begins with. `surveys.offers` is none: it
# is the list where other apps leave what they offer.
SCREENS = (
    "admin",
    "api",
    "described_rules",
    "forms",
    "graph",
    "limits",
    "page",
    "pictures",
    "poster",
    "run_page",
    "shared_report",
    "studio",
    "templatetags",
    "views",
)
APPS = ("config", "mining", "surveys")
# What a migration may import of the project: what such a module does to an old database stays the same for ever.
HISTORY = ("surveys.schema",)
# What reads sealed responses as they are. Only these modules may: the door to figures (`disclosure`), what seals and
# signs them, and what makes or simulates them.
UNGATED = re.compile(
    r"(?:\bsnapshots\.|from surveys\.domain\.responses\.snapshots import [^\n]*\b)"
    r"(records|parts|parts_of|unzip_lines)\b"
)
PAST_THE_DOOR = (
    "surveys/domain/closed/statement.py",
    "surveys/domain/demo/surveys.py",
    "surveys/domain/rehearsal/ask.py",
    "surveys/domain/responses/disclosure.py",
    "surveys/domain/responses/seal.py",
    "surveys/domain/responses/snapshots.py",
)
LOADS = re.compile(r"{%\s*load\s+([^%]+?)\s*%}")
SCRIPT_IMPORT = re.compile(r"""\b(?:import|export)\b[^'";]*['"](\.{1,2}/[^'"]+)['"]""")
IMPORT = re.compile(  # a docstring, of which an example is none, or an import
    r'"{3}[\s\S]*?"{3}|^[ \t]*((?:from[ \t]+[.\w]+[ \t]+)?import[ \t]+(?:\([^)]*\)|[^\n(]*))', re.MULTILINE
)
TAKES = re.compile(r"""{%\s*(?:include|extends)\s+["']([^"']+)["']""")


@dataclass(frozen=True)
class Import:
    """A module imports another: as far as can be read, the module itself, and otherwise the package of the name."""

    of: str
    target: str
    place: str  # file and line

    def __str__(self) -> str:
        return f"{self.place}: {self.of} imports {self.target}"


@cache
def imports(root: Path, packages: tuple[str, ...] = tuple(KNOWS)) -> list[Import]:
    """Every import of every module below the folders of these packages. A tree is read once; it must not change."""
    files = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for top in sorted({package.split(".")[0] for package in packages})
        for path in sorted((root / top).rglob("*.py"))
    }
    return [one for name, path in files.items() for one in _imports_of(name, path, root, files)]


@cache
def _import_nodes(path: Path) -> list[ast.Import | ast.ImportFrom]:
    """Each stands on lines of its own, as formatters write them; to parse all else takes five times as long."""
    source, nodes = path.read_text(encoding="utf-8"), []
    for found in IMPORT.finditer(source):
        if found[1]:
            (node,) = ast.parse(found[1]).body
            node.lineno += source.count("\n", 0, found.start(1))
            nodes.append(node)
    return nodes


def _imports_of(name: str, path: Path, root: Path, files: dict[str, Path]) -> Iterator[Import]:
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in _import_nodes(path):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        else:
            above = package.rsplit(".", node.level - 1)[0] if node.level else ""
            source = ".".join(filter(None, (above, node.module)))
            names = [f"{source}.{alias.name}" for alias in node.names]
            targets = sorted({one if one in files else source for one in names})
        for target in targets:
            yield Import(name, target, f"{path.relative_to(root)}:{node.lineno}")


def part_of(module: str) -> str | None:
    """The part of the project that a module is of; None for one of another package."""
    fits = [part for part in KNOWS if f"{module}.".startswith(f"{part}.")]
    return max(fits, key=len, default=None)


def arrows_up(root: Path) -> list[str]:
    """Imports between the parts of the project that no arrow allows."""
    return [
        str(one)
        for one in imports(root)
        if (target := part_of(one.target)) and target not in KNOWS[part_of(one.of) or ""]
    ]


def packages_too_many(root: Path) -> list[str]:
    """Imports, by the parts without a server, of what an analyst does not install."""
    return [
        str(one)
        for one in imports(root)
        if (part := part_of(one.of)) in PACKAGES
        and part_of(one.target) is None
        and (top := one.target.split(".")[0]) not in sys.stdlib_module_names
        and top not in PACKAGES[part]
    ]


def rooms_up(root: Path) -> list[str]:
    """Imports, between the rooms of a package, of a room that does not come before; and rooms that are not declared."""
    broken = []
    for one in imports(root):
        for package, order in ROOMS.items():
            inside = [module for module in map(_placed, (one.of, one.target)) if module.startswith(f"{package}.")]
            rooms = [module.removeprefix(f"{package}.").split(".")[0] for module in inside]
            strange = [room for room in rooms if room not in order]
            if strange:
                broken.append(f"{one}, and the room {strange[0]} has no place in ROOMS")
            elif len(rooms) == 2 and order.index(rooms[1]) > order.index(rooms[0]):
                broken.append(str(one))
    return broken


def _placed(module: str) -> str:
    part = re.fullmatch(r"surveys\.features\.(\w+)\.(\w+)", module)
    return f"{OF_FEATURES[part[2]]}.{part[1]}" if part and part[2] in OF_FEATURES else module


def circles(root: Path) -> list[str]:
    """Modules that import one another in a circle; each circle is given once, from its first module by name."""
    targets = _targets(root) | _scripts(root)
    by_modules: dict[frozenset[str], str] = {}
    for module in sorted(targets):
        way = _way(targets, module, module)
        if way:
            by_modules.setdefault(frozenset(way), " imports ".join(way))
    return list(by_modules.values())


def _targets(root: Path) -> dict[str, list[str]]:
    """What each module imports of the project."""
    targets: dict[str, list[str]] = {}
    for one in imports(root, STRAIGHT):
        if part_of(one.target):
            targets.setdefault(one.of, []).append(one.target)
    return targets


def _scripts(root: Path) -> dict[str, list[str]]:
    """What each script imports of those that are served with it, at once or later."""
    targets: dict[str, list[str]] = {}
    for folders in SCRIPTS:
        served = {
            path.relative_to(root / folder).as_posix(): path.relative_to(root).as_posix()
            for folder in folders
            for path in sorted((root / folder).rglob("*.js"))
        }
        for name, path in served.items():
            found = SCRIPT_IMPORT.findall((root / path).read_text(encoding="utf-8"))
            places = [posixpath.normpath(posixpath.join(posixpath.dirname(name), one)) for one in found]
            targets[path] = [served[place] for place in places if place in served]
    return targets


def _way(targets: dict[str, list[str]], start: str, end: str) -> list[str]:
    """A shortest way of imports, one at least, from a module to another; empty where there is none."""
    ways = [[start]]
    seen = set()
    for way in ways:  # grows while it is walked, so that shorter ways come first
        for target in targets.get(way[-1], []):
            if target == end:
                return [*way, end]
            if target not in seen:
                seen.add(target)
                ways.append([*way, target])
    return []


def tasks_imported(root: Path) -> list[str]:
    """Imports of a module of tasks: Celery finds them, and a person who wants one done leaves a note that names it."""
    tasks = [f"{app}.tasks" for app in APPS]
    return [str(one) for one in imports(root, APPS) if any(f"{one.target}.".startswith(f"{name}.") for name in tasks)]


def living_history(root: Path) -> list[str]:
    """Imports, by migrations, of code that changes with the program: an old database would become something else."""
    return [
        str(one)
        for one in imports(root, APPS)
        if ".migrations." in one.of and part_of(one.target) and one.target not in HISTORY
    ]


def tests_across(root: Path) -> list[str]:
    """Imports, by anything, of a module of tests: what two of them need stands in a module of its own."""
    return [
        str(one)
        for one in imports(root, ("tests", "benchmarks"))
        if one.target.startswith("tests.") and any(name.startswith("test_") for name in one.target.split("."))
    ]


def around_the_door(root: Path) -> list[str]:
    """Modules that read sealed responses without asking `disclosure` what may be reported of them."""
    return [
        f"{name} reads {found} of snapshots"
        for app in APPS
        for path in sorted((root / app).rglob("*.py"))
        if (name := path.relative_to(root).as_posix()) not in PAST_THE_DOOR
        for found in UNGATED.findall(path.read_text(encoding="utf-8"))
    ]


def screens_across(root: Path) -> list[str]:
    """Screens that import a screen of another app, and templates that load its tags or take in its templates."""
    broken = [
        str(one)
        for one in imports(root, APPS)
        if (own := _screen(one.of)) and (other := _screen(one.target)) and own != other
    ]
    libraries = {path.stem: app for app in APPS for path in (root / app / "templatetags").glob("[!_]*.py")}
    for app in APPS:
        folders = (root / "templates" / app, root / "templates" / "admin" / app)
        for template in sorted(path for folder in folders for path in folder.rglob("*.html")):
            text = template.read_text(encoding="utf-8")
            for name in TAKES.findall(text):
                owner = name.removeprefix("admin/").partition("/")[0]
                if owner in APPS and owner != app:
                    broken.append(f"{template.relative_to(root)} takes in {name} of {owner}")
            for loaded in LOADS.findall(text):
                for library in loaded.split():
                    if libraries.get(library, app) != app:
                        broken.append(f"{template.relative_to(root)} loads {library} of {libraries[library]}")
    return broken


def _screen(module: str) -> str | None:
    """The app whose screen a module is, or None."""
    app, _, path = module.partition(".")
    return app if app in APPS and path.split(".")[0] in SCREENS else None
