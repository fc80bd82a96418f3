"""What surveys could have before, and Candor no longer has: a site that still has it is refused the upgrade.

What was promised to people when they answered cannot be kept without it. So this looks before the first migration, at
databases as the version before left them, with SQL alone.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.management.base import CommandError
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import Migration

LAST = "dfa4f27a"
"""The last commit that has all of it. No release has."""

REFUSAL = """\
These surveys have what Candor no longer has. Nothing was changed.
{surveys}
Start the commit {last} again: it has all of it, and you may stay on it. Before the next upgrade, there, of each survey
in the list: in a draft, choose something else or delete the draft; close what is published, take its report and its
files, and erase the survey."""

Asked = Callable[[Any], bool]


@dataclass(frozen=True)
class Former:
    """A row of the table: its name, and whether a published definition, or the document of a draft, has it."""

    name: str
    published: Asked
    drafted: Asked


def entry(name: str) -> Asked:
    """Whether there is such an entry in a definition, or a field that is not empty in a document."""
    return lambda source: bool(source.get(name))


def choice(name: str) -> Asked:
    """Whether this was chosen on the page *Protect* of a draft."""
    return lambda document: bool(document["protection"].get(name))


def block_with(asked: Asked) -> Asked:
    """Whether this is so of a block of the design that was published."""
    return lambda definition: any(map(asked, definition["design"]["blocks"]))


def block_of(*names: str, asked: Asked = lambda _settings: True) -> Asked:
    """Whether the document has a block of these kinds whose settings are so."""
    return lambda document: any(block["kind"] in names and asked(block["settings"]) for block in document["blocks"])


_NOISES = ("uniform", "normal")
_SOURCES, _WAYS = ("month", "dice", "cards", "digits", "house"), ("kuk", "table", "coins", "signs")


def _is_own_draw_left(block: Any) -> bool:
    """Whether people draw by a source or a way that is no longer there."""
    draw = block.get("draw") or {"source": None, "way": None}
    return draw["way"] in _WAYS or any(drawn["source"] in _SOURCES for drawn in (draw, *draw.get("other", ())))


FORMER = (
    Former("a patterned block", block_with(lambda block: "patterned" in block), block_of("patterned")),
    Former("two arms of one block", entry("arms"), block_of("coin-arms", "flip-arms")),
    Former("counts with noise", entry("central"), choice("epsilon")),
    Former("a second wave", entry("after"), choice("after")),
    Former(
        "a number with uniform or normal noise, or a square wave with a mix",
        block_with(lambda block: block.get("number") in _NOISES or {"inside", "mix"} <= block.keys()),
        lambda document: (
            block_of(*_NOISES)(document)
            or block_of("square-wave", asked=lambda settings: bool(settings.get("mix")))(document)
        ),
    ),
    Former(
        "an own draw by a card, a house number, a month, two dice, two digits, a table or coins",
        block_with(_is_own_draw_left),
        block_of("by-person", asked=lambda own: own.get("source") in _SOURCES or own.get("draw_way") in _WAYS),
    ),
)


def refuse_former(plan: Sequence[tuple[Migration, bool]], using: str, **_: Any) -> None:
    """Refuse an upgrade of surveys, before anything is changed, where one of them has what is no longer there."""
    if any(migration.app_label == "surveys" for migration, _backwards in plan) and (
        found := dict.fromkeys(_find_former(connections[using]))
    ):
        raise CommandError(REFUSAL.format(surveys="\n".join(f"- {line}" for line in found), last=LAST))


# The tables with surveys' JSON, and how people call what is in it.
_WHERE = (("surveys_surveyversion", "definition", "published"), ("surveys_draftdocument", "document", "draft"))


def _find_former(connection: BaseDatabaseWrapper) -> Iterator[str]:
    tables = connection.introspection.table_names()
    with connection.cursor() as cursor:
        for table, column, state in _WHERE:
            if table not in tables:
                continue
            cursor.execute(
                f"SELECT surveys_survey.title, {table}.{column} FROM {table}"
                f" JOIN surveys_survey ON surveys_survey.id = {table}.survey_id ORDER BY {table}.id"
            )
            for title, stored in cursor.fetchall():
                content = json.loads(stored if isinstance(stored, str) else bytes(stored))
                for row in FORMER:
                    if (row.published if state == "published" else row.drafted)(content):
                        yield f"“{title}” ({state}): {row.name}"
