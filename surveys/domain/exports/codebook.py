"""The codebook of the files: what every column asks, what its values mean, and by what it was disguised."""

from collections.abc import Callable
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext_noop

from privacy.output import as_json
from surveys.domain.exports.columns import NOT_ANSWERED, NOT_ASKED, FileColumn, columns_of, words_of_lists
from surveys.domain.exports.formats.labelled import SPSS_EMPTY, STATA_EMPTY
from surveys.domain.exports.sheet import hides_mode, is_apart
from surveys.domain.responses import counts, disclosure
from surveys.domain.responses.snapshots import cite
from surveys.features import MODE, present
from surveys.models import Snapshot

MEANINGS = {
    NOT_ASKED: gettext_noop(
        "Before any answer, the device drew at random which items of the block it asks. It did not draw this one. The "
        "cell says nothing about the person."
    ),
    NOT_ANSWERED: gettext_noop("The question was skipped, or its condition was not met."),
}


def codebook(snapshot: Snapshot) -> dict[str, Any]:
    """The codebook as a JSON value. `channel` has a row for each recorded value, with a chance for each true one."""
    version = snapshot.version
    definition, own = version.parsed, present(version.parsed.source)
    return {
        "candor": 1,
        "survey": definition.slug,
        "title": definition.source["title"],
        "languages": definition.source["languages"],
        "version": {"number": version.number, "sha256": version.sha256},
        "snapshot": cite(snapshot),
        **counts.of_snapshot(snapshot).as_json("respondents"),
        "least": version.survey.least,
        "design": version.design.sha256,
        **{one.entries[0]: one.codebook(definition.source) for one in own if one.codebook},
        **({"words": words} if (words := words_of_lists(definition)) else {}),
        "empty": {
            reason: {
                "csv": "",
                "json": None,
                "sav": SPSS_EMPTY[reason],
                "dta": f".{STATA_EMPTY[reason]}",
                "means": means,
            }
            for reason, means in MEANINGS.items()
        },
        "columns": [_column_entry(column, file_of(snapshot)) for column in columns_of(definition, version.design)],
    }


def as_html(snapshot: Snapshot) -> str:
    """The codebook as a page for people, in the main language of the questionnaire."""
    content = codebook(snapshot)
    language = content["languages"][0]
    with translation.override(language):
        definition = snapshot.version.parsed
        own, file = present(definition.source), file_of(snapshot)
        rows = [
            (
                column,
                file(column),
                column.title(language),
                [(one, one.label.get(language, "")) for one in column.values],
            )
            for column in columns_of(definition)
        ]
        context = {
            "n": counts.of_snapshot(snapshot),
            "codebook": content,
            "noted": [one.noted(definition.source) for one in own if one.noted],
            "language": language,
            "rows": rows,
            "title": content["title"][language],
        }
        return render_to_string("surveys/codebook.html", context)


def as_text(snapshot: Snapshot) -> str:
    return as_json(codebook(snapshot)) + "\n"


def file_of(snapshot: Snapshot) -> Callable[[FileColumn], str | None]:
    """Return a function that names the file in which a column is, without its ending; None for a column in no file."""
    definition = snapshot.version.parsed
    if disclosure.is_of_few(snapshot):
        return lambda column: None if column.of else "records"
    hidden = hides_mode(snapshot)

    def name_file(column: FileColumn) -> str | None:
        if hidden and column.name == MODE:
            return None
        return "texts" if is_apart(column) and not definition.keeps_texts_in_records else "records"

    return name_file


def _column_entry(column: FileColumn, file: Callable[[FileColumn], str | None]) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": column.name,
        "variable": column.variable,
        "kind": column.kind,
        "disguised": column.disguised,
        "file": file(column),
    }
    if column.question:
        entry |= {"question": column.question, "texts": list(column.texts)}
    if column.empty:
        entry["empty"] = column.empty
    if column.values:
        entry["values"] = [vars(value) for value in column.values]
    if column.channel:
        entry["channel"] = column.channel
    if column.row:
        entry["row"] = column.row
    return entry
