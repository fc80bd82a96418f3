"""A site that has what Candor no longer has is refused the upgrade, before anything is changed."""

import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from django.core.management.base import CommandError

from surveys.domain.database.former import FORMER, LAST, refuse_former
from surveys.models import DraftDocument, Survey, SurveyVersion
from tests.servers import Prepared, run_python

NOISE = {"epsilon": 1, "delta": 1e-6}
# Of each row, an entry of a definition and a draft that have it: what the commit before wrote.
LEFT: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a patterned block": (
        {"design": {"blocks": [{"patterned": [3, 1], "items": [{"id": "drugs"}]}]}},
        {"blocks": [{"kind": "patterned", "settings": {}}]},
    ),
    "two arms of one block": (
        {"arms": True},
        {"blocks": [{"kind": "flip-arms", "settings": {"flips": [0.8, 0.2], "stronger": 0.5}}]},
    ),
    "counts with noise": ({"central": NOISE}, {"protection": NOISE}),
    "a second wave": (
        {"after": "0" * 64},
        {"protection": {"after": {"version": "0" * 64, "of": 1, "top": 9, "shares": {}}}},
    ),
    "a number with uniform or normal noise, or a square wave with a mix": (
        {"design": {"blocks": [{"number": "uniform", "spread": 5}]}},
        {"blocks": [{"kind": "square-wave", "settings": {"epsilon": 2, "mix": 0.5}}]},
    ),
    "an own draw by a card, a house number, a month, two dice, two digits, a table or coins": (
        {"design": {"blocks": [{"draw": {"way": "unrelated", "source": "die", "other": [{"source": "month"}]}}]}},
        {"blocks": [{"kind": "by-person", "settings": {"draw_way": "table", "source": "digit"}}]},
    ),
}
PLAN = [
    (import_module("surveys.migrations.0065_steps_of_changes").Migration("0065_steps_of_changes", "surveys"), False)
]


def hold(title: str, published: dict[str, Any] | None, drafted: dict[str, Any]) -> None:
    """A survey as rows alone: what the definition of an old version held would be refused today."""
    survey = Survey.objects.create(slug=f"survey-{Survey.objects.count()}", title=title)
    document = {"protection": {"epsilon": None}, "blocks": [{"kind": "coin", "settings": {}}]}
    DraftDocument.objects.create(survey=survey, document=document | drafted)
    if published is not None:
        definition = json.dumps({"survey": title, "design": {"blocks": [{"keep": 0.5, "items": []}]}} | published)
        SurveyVersion.objects.create(
            survey=survey,
            number=1,
            definition=definition.encode(),
            sha256=sha256(definition.encode()).hexdigest(),
            published_on="2027-01-31",
        )


def test_one_list_names_all_surveys_that_have_what_left() -> None:
    """Published or in a draft, with what each has; a survey without is not in it."""
    hold("Mine", {}, {})
    for name, (published, _drafted) in LEFT.items():
        hold(f"Asked {name}", published, {})
    for name, (_published, drafted) in LEFT.items():
        hold(f"Drafted {name}", None, drafted)

    with pytest.raises(CommandError) as refused:
        refuse_former(PLAN, "default")

    first, *listed, what_to_do = str(refused.value).split("\n", 1 + 2 * len(LEFT))
    assert [row.name for row in FORMER] == [*LEFT]
    assert first == "These surveys have what Candor no longer has. Nothing was changed."
    assert listed == [
        *(f"- “Asked {name}” (published): {name}" for name in LEFT),
        *(f"- “Drafted {name}” (draft): {name}" for name in LEFT),
    ]
    assert what_to_do.startswith(f"Start the commit {LAST} again")


def test_a_site_without_is_not_refused() -> None:
    """Nor is one looked at again that has all migrations of surveys."""
    hold("Mine", {}, {})
    refuse_former(PLAN, "default")
    hold("Another", *LEFT["a second wave"])
    refuse_former([], "default")


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        return [*database.iterdump()]


def test_a_refused_upgrade_changes_nothing(prepared: Prepared, tmp_path: Path) -> None:
    """Earlier migrations of the same upgrade have changed nothing either, and there is no traceback."""
    path = copy(prepared.data / "candor.sqlite3", tmp_path / "site.sqlite3")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM django_migrations WHERE app = 'surveys' AND name > '0063'")
        content = json.dumps({"protection": {"after": {"top": 9}}, "blocks": []})
        database.execute("UPDATE surveys_draftdocument SET document = ?", [content])
        titles = [title for (title,) in database.execute("SELECT title FROM surveys_survey ORDER BY id")]
    before = dump(path)

    own = {"DATABASE_URL": f"sqlite:///{path}", "CANDOR_DATA": str(tmp_path)}
    done = run_python("manage.py", "migrate", "--skip-checks", **own)

    assert (done.returncode, done.stderr.splitlines()[:-3]) == (
        1,
        [
            "CommandError: These surveys have what Candor no longer has. Nothing was changed.",
            *(f"- “{title}” (draft): a second wave" for title in titles),
        ],
    )
    assert dump(path) == before
