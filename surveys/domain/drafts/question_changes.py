"""Named changes of one question: its texts, its name, its type, and whether it is disguised."""

from django.utils.translation import gettext_lazy

from privacy.errors import EntryError
from surveys.domain.drafts.change_part import rename as rename_in_features
from surveys.domain.drafts.named import Change, change, find
from surveys.domain.drafts.names import names_in
from surveys.domain.drafts.row_changes import new_row
from surveys.domain.questionnaire import document as documents
from surveys.domain.questionnaire.document import QUESTION_FLAGS, QUESTION_LINES, QUESTION_TEXTS, Document
from surveys.features.questions import FIELDS, no_fields
from surveys.questions import TYPES
from surveys.questions.entered import write_text
from surveys.questions.rows import SKIP


@change("question", gettext_lazy("question changed"))
def _change_field(document: Document, said: Change, _wanted: set[str]) -> None:
    question, field, value = find(document, said["question"]), said["field"], said["value"]
    if field in QUESTION_TEXTS:
        write_text(question[field], said["language"], value)
    elif field in QUESTION_FLAGS:
        question[field] = value
    elif field in QUESTION_LINES:
        question[field] = value.strip()
    else:
        raise KeyError(field)


@change("name", gettext_lazy("short name of a question changed"))
def _rename_question(document: Document, said: Change, wanted: set[str]) -> None:
    question, name = find(document, said["question"]), said["value"].strip()
    old = question["id"]
    if name != old and name in names_in(document):
        raise EntryError("the name '{name}' is used for two questions or items.", at="name", name=name)
    question["id"] = name
    for block in document["blocks"]:
        block["questions"] = [name if each == old else each for each in block["questions"]]
    for other in documents.questions(document):
        for field in FIELDS.values():
            field.rename(other, old, name)
    rename_in_features(document, old, name)
    if old in wanted:
        wanted.remove(old)
        wanted.add(name)


@change("stay", gettext_lazy("order of options changed"))
def _keep_option_last(document: Document, said: Change, _wanted: set[str]) -> None:
    """Let an option stay after all others where their order is drawn, or no longer."""
    for option in find(document, said["question"])["options"]:
        if option["value"] == said["answer"]:
            option["last"] = bool(said["value"])


@change("type", gettext_lazy("type of a question changed"))
def _change_type(document: Document, said: Change, wanted: set[str]) -> None:
    """Give the question another type. A sensitive one stays sensitive, and options wait for a type that has some.

    What else the type cannot use is removed.
    """
    question = find(document, said["question"])
    before, after = TYPES[question["type"]], TYPES[said["value"]]
    name = question["id"]
    if name in wanted and after.disguise is None:
        raise EntryError("this question would become open. If you want that, untick “sensitive” first.", at="type")
    question["type"] = after.name
    if after.groups and any(group.are_items for group in before.groups) != any(
        group.are_items for group in after.groups
    ):
        labels = [option["label"] for option in question["options"] if option["value"] != SKIP]
        question["options"] = []
        for label in labels:
            question["options"].append(new_row(document, after.groups[0], question, label))
    for field, empty in (("min", ""), ("max", ""), ("low", {}), ("high", {}), ("shuffle", False)):
        if field not in after.uses:
            question[field] = empty
    question |= {"settings": {}, **no_fields(of_type=True)}
    if "map" in after.uses:
        wanted.add(name)  # there are no open places
    if before is not after and any(each.disguise and each.disguise.on_grid for each in (before, after)):
        for block in document["blocks"]:  # one that was made for the other type cannot take it
            block["questions"] = [each for each in block["questions"] if each != name]


@change("sensitive", gettext_lazy("protection of a question changed"))
def _mark_sensitive(document: Document, said: Change, wanted: set[str]) -> None:
    question = find(document, said["question"])
    if said["value"] and TYPES[question["type"]].disguise is None:
        raise EntryError("this type cannot be disguised; ask a choice or a scale instead.", at="sensitive")
    if said["value"]:
        wanted.add(question["id"])
        question["required"] = False
        question |= {name: field.empty() for name, field in FIELDS.items() if field.undisguised}
    else:
        wanted.discard(question["id"])
