"""Store changes as they come, let people undo them, and warn two people who change the same thing.

Every change has a number. Each comes with the last number that its sender has seen. What others have changed since is
compared part by part: a change of other parts is made on what there is now; a change of the same part is refused with
`ConflictError`, and nothing is lost, because the person still has what they wrote.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from privacy.errors import EntryError, to_translate
from surveys.domain.drafts.change_part import Change
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.faults import check
from surveys.domain.drafts.names import follow_title, read_short_name, rename
from surveys.domain.questionnaire.document import (
    FORMAT,
    PLAIN,
    Document,
    current_draft,
    questions,
    store,
    upgrade_question,
)
from surveys.features import for_another
from surveys.models import DraftChange, DraftDocument, Survey

BY_SOMEBODY = to_translate("{by} has changed this in the meantime.")
MEANWHILE = to_translate("This was changed in the meantime.")
SINCE = to_translate("This was changed again since.")
UNDO, REDO, IMPORT = "undo", "redo", "import"
WRITE = "write"  # the page whose changes are also those of forms, and of versions that noted no page
SHORT_NAME = "slug"  # the one change that alters no document, but the survey's row
MADE_NAME = "slug-made"  # an emptied short name, and those that were chosen before: the name follows the title again
SLUG = "survey.slug"  # its part
TOGETHER = timedelta(seconds=20)  # within which changes of one text count as one
TYPED = ("survey", "question", "no_skip", "rows", "page")  # changes of texts, which come every few letters
KEPT = 500  # changes of a survey
SHARED = ("pages", "blocks", "protection")  # parts that a change computes again from what there is now


class ConflictError(EntryError):
    """Somebody else has changed the same part since. `parts` says which."""

    def __init__(self, sentence: str, touched: Iterable[str], by: str) -> None:
        super().__init__(sentence, by=by)
        self.parts = sorted(touched)


@dataclass(frozen=True)
class Editor:
    """Who changes a draft, in which tab of the browser, and `base`: the number of the last change seen there.

    `step` is the page of the studio in that tab: the writing page, whose changes are also those of forms, or another.
    """

    user: User
    tab: str
    base: int
    step: str = WRITE


@dataclass(frozen=True)
class Changed:
    """The document after a change, and the number of that change."""

    document: Document
    number: int


def begin(survey: Survey, document: Document) -> None:
    """Store the document as the survey's first draft; EntryError if it has faults."""
    check(document)
    store(survey, document)


def note_import(survey: Survey, by: User, notes: Iterable[tuple[Any, Any]]) -> None:
    """Keep with the draft that it was imported, with notes on what was left out of the file. It cannot be undone."""
    draft = survey.draft
    draft.number += 1
    DraftChange.objects.create(
        survey=survey, number=draft.number, by=by, at=timezone.now(), name=IMPORT, over=True, notes=list(notes)
    )
    draft.save(update_fields=["number"])


@transaction.atomic
def change(survey: Survey, by: Editor, said: Change) -> Changed:
    """Apply a named change to the current draft; EntryError or ConflictError says why it cannot be made."""
    draft = _lock_draft(survey)
    if said["do"] == SHORT_NAME:
        name = read_short_name(survey, draft.document, said.get("value"))
        if str(said.get("value")).strip():
            return _store_change(draft, by, SHORT_NAME, draft.document, name)
        survey.draft_changes.filter(name=SHORT_NAME).update(name=MADE_NAME)
        return _store_change(draft, by, MADE_NAME, draft.document, name)
    return _store_change(draft, by, str(said["do"]), apply(survey, draft.document, said), survey.slug)


@transaction.atomic
def undo(survey: Survey, by: Editor) -> Changed:
    """Take back the person's last change on this page that still stands."""
    draft = _lock_draft(survey)
    return _take_back(draft, by, change_to_undo(survey, by.user, by.step), UNDO)


@transaction.atomic
def redo(survey: Survey, by: Editor) -> Changed:
    """Make the change again that the person has taken back last on this page."""
    draft = _lock_draft(survey)
    return _take_back(draft, by, undo_to_redo(survey, by.user, by.step), REDO)


def change_to_undo(survey: Survey, by: User, step: str) -> DraftChange | None:
    """The change that an undo on this page takes back."""
    return _changes_by(survey, by, step).filter(over=False).exclude(name__in=(UNDO, REDO)).last()


def undo_to_redo(survey: Survey, by: User, step: str) -> DraftChange | None:
    """The person's last undoing on this page that stands, if they have changed nothing there since."""
    own = _changes_by(survey, by, step)
    newest = own.exclude(name__in=(UNDO, REDO)).last()
    return own.filter(name=UNDO, over=False, number__gt=newest.number if newest else 0).last()


def _lock_draft(survey: Survey) -> DraftDocument:
    """Lock and return the current draft; others who change or publish it wait for the end of the transaction."""
    Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
    survey.refresh_from_db()
    if survey.closed_at is not None:
        raise EntryError("This survey is closed.")
    return current_draft(survey)


def _store_change(draft: DraftDocument, by: Editor, name: str, after: Document, slug: str) -> Changed:
    """Store the document and the short name after a change, and the change by its name.

    ConflictError if others changed the same parts. A short name that follows a title is no part of the change: taking
    back the title takes it back, too.
    """
    survey, touched = draft.survey, differences(draft.document, after)
    if slug != survey.slug:
        touched[SLUG] = [survey.slug, slug]
    since = list(survey.draft_changes.filter(number__gt=by.base).exclude(by=by.user, tab=by.tab).select_related("by"))
    _refuse_conflicts(since, touched)
    if touched:
        check(after)
        draft.number += 1
        _note_change(survey, draft.number, by, name, touched)
        if slug != survey.slug:
            rename(survey, slug)
        elif all(row.parts[SLUG][1] != survey.slug for row in survey.draft_changes.filter(name=SHORT_NAME)):
            follow_title(survey, draft.document, after)  # nobody chose the short name that the survey has
        store(survey, after, draft.number)
    return Changed(after, draft.number)


def _refuse_conflicts(since: Iterable[DraftChange], touched: dict[str, Any]) -> None:
    for row in since:
        both = (touched.keys() & row.parts.keys()) - set(SHARED)
        if both:
            raise ConflictError(BY_SOMEBODY if row.by else MEANWHILE, both, str(row.by or ""))


def _take_back(draft: DraftDocument, by: Editor, row: DraftChange | None, name: str) -> Changed:
    """Reverse the change in `row`, as a new change called UNDO or REDO; ConflictError if its parts changed again."""
    if row is None:
        raise EntryError("There is nothing to redo." if name == REDO else "There is nothing to undo.")
    now = {**parts(draft.document), SLUG: draft.survey.slug}
    for part, (old, new) in row.parts.items():
        if part.startswith("question."):  # noted perhaps in an earlier format
            old, new = upgrade_question(old), upgrade_question(new)
        if part.startswith("survey.") and part not in now:
            raise EntryError("This change was of something that surveys no longer have: it cannot be taken back.")
        if now.get(part) != new:
            raise ConflictError(SINCE, [part], "")
        if old is None and part.startswith("question."):  # of a field of the survey it is a value: nothing was chosen
            now.pop(part)
        else:
            now[part] = old
    made = _store_change(draft, by, name, join_parts(now), now[SLUG])
    latest = draft.survey.draft_changes.get(number=made.number)
    DraftChange.objects.filter(pk=row.pk).update(over=True)
    latest.takes_back = row
    latest.save(update_fields=["takes_back"])
    if name == REDO and row.takes_back_id:
        DraftChange.objects.filter(pk=row.takes_back_id).update(over=False)
    return made


def _changes_by(survey: Survey, by: User, step: str) -> QuerySet[DraftChange]:
    """The person's changes on a page that may be taken back: once the survey is published its short name stays."""
    own = survey.draft_changes.filter(by=by, step__in=(WRITE, "") if step == WRITE else (step,))
    return own.exclude(parts__has_key=SLUG) if survey.versions.exists() else own


def _note_change(survey: Survey, number: int, by: Editor, name: str, touched: dict[str, Any]) -> None:
    """Note the change; letters that one person types into one text become one change."""
    now = timezone.now()
    last = survey.draft_changes.last()
    goes_on = (
        last is not None
        and (last.by_id, last.tab, last.name, last.over) == (by.user.pk, by.tab, name, False)
        and name in TYPED
        and list(last.parts) == list(touched)
        and now - last.at < TOGETHER
    )
    if last is not None and goes_on:
        last.parts = {part: [last.parts[part][0], new] for part, (_old, new) in touched.items()}
        last.number, last.at = number, now
        last.save(update_fields=["parts", "number", "at"])
        return
    DraftChange.objects.create(
        survey=survey, number=number, by=by.user, tab=by.tab, step=by.step, at=now, name=name, parts=touched
    )
    survey.draft_changes.filter(number__lte=number - KEPT).exclude(name__in=(IMPORT, SHORT_NAME)).delete()


def copy_document(document: Document, title: str) -> Document:
    check(document)
    return {**for_another(document), "title": title}


def parts(document: Document) -> dict[str, Any]:
    """The parts that change independently: each field of the survey, each question, the blocks, the order of all."""
    own: dict[str, Any] = {f"survey.{name}": document[name] for name in PLAIN}
    own |= {name: document[name] for name in ("protection", "blocks")}
    own["pages"] = [
        {**page, "questions": [question["id"] for question in page["questions"]]} for page in document["pages"]
    ]
    return own | {f"question.{question['id']}": question for question in questions(document)}


def join_parts(own: Mapping[str, Any]) -> Document:
    """The inverse of `parts`; EntryError where the pages do not name exactly the questions among the parts."""
    document = {"candor": FORMAT, **{name: own[f"survey.{name}"] for name in PLAIN}}
    document |= {name: own[name] for name in ("protection", "blocks")}
    named = {name.removeprefix("question.") for name in own if name.startswith("question.")}
    order = [name for page in own["pages"] for name in page["questions"]]
    if sorted(order) != sorted(named):
        raise EntryError("Questions were added, moved or deleted since.")
    document["pages"] = [
        {**page, "questions": [own[f"question.{name}"] for name in page["questions"]]} for page in own["pages"]
    ]
    return document


def differences(before: Document, after: Document) -> dict[str, list[Any]]:
    """The parts that differ, each with its old and its new value; None where it did not exist."""
    old, new = parts(before), parts(after)
    names = [*old, *(name for name in new if name not in old)]
    return {name: [old.get(name), new.get(name)] for name in names if old.get(name) != new.get(name)}
