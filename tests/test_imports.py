"""An arrow only points down, a screen leaves other screens alone, and a command loads what it needs: the contract.

Each rule is tried on a small made-up tree that breaks it, too: a rule that cannot fail says nothing.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

import tests.imports as contract
from tests.cases import first
from tests.servers import ROOT

Rule = Callable[[Path], list[str]]
RULES: tuple[Rule, ...] = (
    contract.arrows_up,
    contract.packages_too_many,
    contract.rooms_up,
    contract.circles,
    contract.around_the_door,
    contract.screens_across,
    contract.tasks_imported,
    contract.living_history,
    contract.tests_across,
)
HEAVY = (
    "celery",
    "django",
    "importlib.metadata",
    "matplotlib",
    "mining.engines.mine",
    "mlxtend",
    "numpy",
    "numpy.ma",
    "pandas",
    "redis",
    "scipy",
    "simsimd",
    "sklearn",
)
COUNTS = ("simsimd",) if find_spec("simsimd") else ()  # the bitset engine takes it where it is installed
SCIPY = ("importlib.metadata", "numpy.ma", "scipy")  # what it loads with itself
DESIGN = '{"direct": true, "model": "improved-grouped", "p": 0.5, "theta": 0.5, "items": ["a", "b"]}'
RECORDS = "direct,a,b\n" + "0,1,0\n0,0,1\n1,1,1\n1,0,0\n" * 200
MINE = ["mine", "records.csv", "design.json", "--min-support", "0.1", "--min-confidence", "0.1"]


@pytest.mark.each
@pytest.mark.parametrize("rule", RULES)
def test_the_contract_is_kept(rule: Rule) -> None:
    """No module of this project breaks the rule."""
    assert rule(ROOT) == []


@pytest.mark.parametrize(
    ("rule", "files", "broken"),
    [
        (
            contract.arrows_up,
            {"mining/engines/mine.py": "from .. import models", "mining/models.py": ""},
            ["mining/engines/mine.py:1: mining.engines.mine imports mining.models"],
        ),
        (
            contract.packages_too_many,
            {
                "candor/rules.py": "import os, numpy\nfrom celery import app",
                "mining/engines/search.py": "import redis, mlxtend",
                "mining/tasks.py": "import celery",
            },
            [
                "candor/rules.py:2: candor.rules imports celery",
                "mining/engines/search.py:1: mining.engines.search imports redis",
            ],
        ),
        (
            contract.rooms_up,
            {"privacy/cellar/wine.py": "import privacy.errors"},
            [
                "privacy/cellar/wine.py:1: privacy.cellar.wine imports privacy.errors, "
                "and the room cellar has no place in ROOMS"
            ],
        ),
        (
            contract.rooms_up,
            {
                "surveys/questions/make_displays.py": "from surveys.results.tables import cross_table",
                "surveys/results/tables.py": "from surveys import displays\n"
                "from surveys.questions import make_displays",
                "surveys/displays.py": "",
            },
            ["surveys/questions/make_displays.py:1: surveys.questions.make_displays imports surveys.results.tables"],
        ),
        (
            contract.circles,
            {
                "privacy/plan/advisor.py": "from privacy.plan.search import best\nfrom privacy import errors",
                "privacy/plan/search.py": "from privacy.plan import brief",
                "privacy/plan/brief.py": "def late():\n    from privacy.plan.advisor import advise",
                "privacy/errors.py": "",
            },
            [
                "privacy.plan.advisor imports privacy.plan.search imports privacy.plan.brief "
                "imports privacy.plan.advisor"
            ],
        ),
        (
            contract.circles,
            {
                "surveys/client/main.js": "import {disguise} from './disguise.js';",
                "privacy/disguise/browser/disguise.js": "const KINDS = {\n\tkeep: () => import('./kinds/coin.js'),\n};",
                "privacy/disguise/browser/kinds/coin.js": "import {\n\tdraw,\n\tONE,\n} from '../disguise.js';",
                "surveys/static/studio/write.js": "import {\n\tcarding,\n} from './cards.js';",
                "surveys/static/studio/cards.js": "export {later} from './write.js';\nexport const one = './main.js';",
            },
            [
                "privacy/disguise/browser/disguise.js imports privacy/disguise/browser/kinds/coin.js "
                "imports privacy/disguise/browser/disguise.js",
                "surveys/static/studio/cards.js imports surveys/static/studio/write.js "
                "imports surveys/static/studio/cards.js",
            ],
        ),
        (
            contract.screens_across,
            {
                "mining/forms.py": "from surveys.admin.forms import SurveyForm\nfrom surveys.offers import OFFERS",
                "surveys/api.py": "from config.poster import poster",
                "surveys/admin/forms.py": "from surveys.poster import poster",
            },
            [
                "mining/forms.py:1: mining.forms imports surveys.admin.forms",
                "surveys/api.py:1: surveys.api imports config.poster",
            ],
        ),
        (
            contract.screens_across,
            {
                "templates/mining/run.html": '{% extends "staff.html" %}{% include "mining/pager.html" %}',
                "templates/surveys/poster.html": '{% extends "page.html" %}{% include "mining/pager.html" with at=1 %}',
                "templates/admin/mining/start.html": "{% extends 'admin/surveys/survey/step.html' %}",
            },
            [
                "templates/admin/mining/start.html takes in admin/surveys/survey/step.html of surveys",
                "templates/surveys/poster.html takes in mining/pager.html of mining",
            ],
        ),
        (
            contract.around_the_door,
            {
                "surveys/domain/responses/disclosure.py": "from surveys.domain.responses import snapshots\n"
                "rows = snapshots.parts(snapshot)",
                "surveys/results/quick.py": "from surveys.domain.responses import snapshots\n"
                "rows = snapshots.records(snapshot)",
                "mining/views.py": "from surveys.domain.responses.snapshots import latest, unzip_lines",
                "mining/run_page.py": "from surveys.domain.responses import disclosure, snapshots\n"
                "rows = disclosure.records(snapshots.latest(survey))",
            },
            ["mining/views.py reads unzip_lines of snapshots", "surveys/results/quick.py reads records of snapshots"],
        ),
        (
            contract.tasks_imported,
            {
                "mining/domain/request.py": "def hint():\n    from mining.tasks import take",
                "mining/tasks.py": "from mining.domain import request",
                "surveys/domain/rehearsal/ask.py": "from surveys import notes, tasks",
                "surveys/notes.py": "",
                "surveys/tasks.py": "",
            },
            [
                "mining/domain/request.py:2: mining.domain.request imports mining.tasks",
                "surveys/domain/rehearsal/ask.py:1: surveys.domain.rehearsal.ask imports surveys.tasks",
            ],
        ),
        (
            contract.living_history,
            {
                "surveys/migrations/0002_boxes.py": "from surveys.schema import keep\nfrom surveys.domain import boxes",
                "surveys/schema.py": "",
            },
            ["surveys/migrations/0002_boxes.py:2: surveys.migrations.0002_boxes imports surveys.domain"],
        ),
        (
            contract.tests_across,
            {
                "tests/e2e/test_files.py": "from tests.e2e import test_walk, walking",
                "tests/e2e/test_walk.py": "from tests.e2e import walking",
            },
            ["tests/e2e/test_files.py:1: tests.e2e.test_files imports tests.e2e.test_walk"],
        ),
        (
            contract.screens_across,
            {
                "mining/templatetags/figures.py": "",
                "templates/mining/run.html": "{% load i18n figures %}",
                "templates/surveys/poster.html": "{% load i18n figures %}",
                "templates/admin/surveys/link.html": "{% load figures %}",
            },
            [
                "templates/admin/surveys/link.html loads figures of mining",
                "templates/surveys/poster.html loads figures of mining",
            ],
        ),
    ],
)
def test_a_breach_is_found(tmp_path: Path, rule: Rule, files: dict[str, str], broken: list[str]) -> None:
    """A made-up tree with one breach, and much that is allowed, is reported by the place of the breach alone."""
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)

    assert rule(tmp_path) == broken


def loaded(code: str, folder: Path, **environment: str) -> set[str]:
    """Which of the heavy packages this code loads, in a process of its own."""
    script = f"import sys\ntry:\n    {code}\nexcept SystemExit:\n    pass\n"
    script += f"print(*(set({HEAVY}) & set(sys.modules)), file=sys.stderr)"
    own = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, env=own, capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "needed"),
    first(
        3,
        [
            (["--help"], set()),
            (["mine", "--help"], set()),
            (["guarantee", "design.json"], {"numpy"}),
            (["guarantee", "design.json", "design.json"], {"numpy"}),
            (["disguise", "answers.csv", "design.json", "-o", "out.csv"], {"numpy"}),
            (["advise", "--items", "2", "--respondents", "100", "--gamma", "19"], {"numpy"}),
            (["reconstruct", "records.csv", "design.json", "--pattern", "a"], {"numpy", *SCIPY}),
            (["table", "records.csv", "design.json", "--items", "a,b"], {"numpy"}),
            (["measure", "records.csv", "--quasi", "a", "--sensitive", "b"], {"numpy", "numpy.ma", "pandas"}),
            ([*MINE, "--engine", "bitset"], {"numpy", *SCIPY, "mining.engines.mine", *COUNTS}),
        ],
    ),
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else "",
)
def test_a_command_loads_what_it_needs(tmp_path: Path, arguments: list[str], needed: set[str]) -> None:
    """Each command loads the heavy packages it computes with, and no other: the rest would only make it late."""
    (tmp_path / "design.json").write_text(DESIGN)
    (tmp_path / "records.csv").write_text(RECORDS)
    (tmp_path / "answers.csv").write_text("a,b\n1,0\n")

    assert loaded(f"from candor.commands import main; main({arguments})", tmp_path) == needed


def test_importing_the_front_door_loads_nothing(tmp_path: Path) -> None:
    """`import candor` waits for the first question."""
    assert loaded("import candor", tmp_path) == set()


def test_a_site_that_takes_answers_loads_no_statistics(tmp_path: Path) -> None:
    """Its web server has every page ready, and neither SciPy nor pandas: so it starts in half the time."""
    code = "import config.wsgi, config.urls"

    needed = {"celery", "django", "importlib.metadata", "mining.engines.mine", "numpy", "redis", *COUNTS}
    assert loaded(code, tmp_path, CANDOR_DATA=str(tmp_path)) == needed


def test_what_is_loaded_is_seen(tmp_path: Path) -> None:
    """A process that does load something heavy is caught."""
    assert loaded("import candor, numpy; candor.models", tmp_path) == {"numpy"}
