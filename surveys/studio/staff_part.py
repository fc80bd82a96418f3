"""What the pages of staff ask of each feature: its part *staff*."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from privacy.errors import EntryError, InputError
from surveys.definition import Definition
from surveys.domain.drafts import history
from surveys.domain.drafts.history import Editor
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import Document, Draft
from surveys.domain.responses.counts import Count
from surveys.features import parts_of
from surveys.features.feature import Around
from surveys.models import Invitation, InvitationBatch, InvitationKey, Invitee, Mailing, Survey, SurveyVersion
from surveys.sentences import capital, sentence_of

_LATER = 2**31 - 1  # than every change


@dataclass(frozen=True)
class StoredRow:
    """What is stored, where, and how long: left to the researcher where the site cannot know. `tables` hold it, and
    `with_key` is what they and the SECRET_KEY of the site say together.
    """

    what: str | Promise
    where: str | Promise
    until: str | Promise = ""
    tables: tuple[type[Model], ...] = ()
    with_key: str | Promise = ""


HERE, AS_LONG = _("in the same database"), _("as long as the survey")
OF_INVITATIONS = (Invitation, InvitationBatch, InvitationKey)

# Of invitations whose links are handed out, and those that are mailed.
LINKS = (
    StoredRow(
        _("a hash of each invitation, and the name and size of each batch; joined to no record"),
        HERE,
        AS_LONG,
        OF_INVITATIONS,
    ),
    StoredRow(
        _("whom the links were for that the researcher hands out"),
        _("never on the server: in a file of the researcher, if anywhere"),
    ),
)
MAIL = (
    StoredRow(
        _("where the site mails the links: the addresses, each with its link until that is seen to be used"),
        _("in the same database, encrypted under a key that follows from the SECRET_KEY of the site"),
        _("no longer than mail is due to a person; all are deleted when the survey is closed"),
        (Invitee, Mailing),
        with_key=_("whom the site mails links to, and until the survey is closed whose link was used"),
    ),
    StoredRow(_("the messages, with address and link"), _("on the mail server, and in its log")),
)


@dataclass(frozen=True)
class Pane:
    """`context` is worked out after every change on the page of the step; `template` shows it."""

    name: str
    step: str
    template: str
    context: Callable[[Draft], dict[str, Any]]
    title: str | Promise = ""  # what folds it


@dataclass(frozen=True)
class Fieldwork:
    """A survey before and while people come: its newest version, if it has one, and who looks at it."""

    request: HttpRequest
    survey: Survey
    draft: Draft
    version: SurveyVersion | None
    takes: bool  # answers, now
    writes: bool
    publishes: bool
    sealed: Count | None
    refused: Mapping[str, Any]  # forms that were sent, by their names

    @property
    def source(self) -> Mapping[str, Any]:
        """What decides how people come: the published definition, or else the draft."""
        return self.version.parsed.source if self.version else self.draft.document


@dataclass(frozen=True)
class State:
    """How far a way is, in words; its tone is "on" once people can come, and "warn" while something lacks."""

    words: str | Promise
    tone: str = "on"


NOT_USED, NOT_PUBLISHED, IN_USE = State(_("not used"), ""), State(_("to be published"), "warn"), State(_("in use"))


def state_of(chosen: object, published: object) -> State:
    return IN_USE if published else NOT_PUBLISHED if chosen else NOT_USED


@dataclass(frozen=True)
class Way:
    """How people come to a survey: what it is for, how far it is, and its own few steps.

    template  its steps, with `shown`
    tests     what can be tried of it: a case of `preview`, and what it is called; the first is *Test it*
    lacks     why nothing can be tried yet
    was       what is said of it once the survey is over
    """

    name: str
    icon: str
    title: str
    about: str
    state: State
    template: str
    shown: Mapping[str, Any]
    tests: Sequence[tuple[str, str]] = ()
    lacks: str = ""
    was: str = ""

    @property
    def waits(self) -> bool:
        return self.state == NOT_PUBLISHED


@dataclass(frozen=True)
class StaffPart:
    """A feature on the pages of staff. Words are gettext-lazy.

    pages     the addresses of its own pages
    fields    what the history calls a change of one field of the survey
    remarks   what the checklist says of a draft, and where
    field     the template of its fields, on the page where the questionnaire is written
    languages     the template of what that page says of it beside the languages, with `draft`
    alternatives  other ways to protect a draft: for each its title, and the change that takes it
    panels    what pages of a draft say of it, and say again after every change
    disguise  what the protocol says of how answers are disguised
    way       how people come by it, as the page of the fieldwork shows it
    stores    rows of the protocol's table: what is stored of people who come by it; none where they do not
    """

    pages: Sequence[URLPattern] = ()
    fields: Mapping[str, Promise] = dataclasses.field(default_factory=dict)
    remarks: Callable[[Draft], Iterable[tuple[str, str]]] = lambda _draft: ()
    field: str = ""
    languages: str = ""
    alternatives: Callable[[Document], Iterable[tuple[str, dict[str, Any]]]] = lambda _document: ()
    panels: Sequence[Pane] = ()
    disguise: Callable[[Definition], str] = lambda _definition: ""
    way: Callable[[Fieldwork], Way | None] = lambda _field: None
    stores: Callable[[Definition], Sequence[StoredRow]] = lambda _definition: ()


def _all() -> Iterable[StaffPart]:
    return parts_of(StaffPart).values()


def addresses() -> list[URLPattern]:
    return [page for part in _all() for page in part.pages]


def words_of_fields() -> dict[str, Promise]:
    return {name: words for part in _all() for name, words in part.fields.items()}


def remarks(draft: Draft) -> Iterator[tuple[str, str]]:
    for part in _all():
        yield from part.remarks(draft)


def list_stored(definition: Definition) -> list[StoredRow]:
    """What is stored of people by the way in which they come to a version; none where its open link alone does."""
    own = [row for part in _all() for row in part.stores(definition)]
    return [*LINKS, *MAIL] if definition.has_invitations else own


def fields() -> list[str]:
    """The templates of fields."""
    return [part.field for part in _all() if part.field]


def beside_languages() -> list[str]:
    return [part.languages for part in _all() if part.languages]


def alternatives(document: Document) -> Iterator[tuple[str, dict[str, Any]]]:
    for part in _all():
        yield from part.alternatives(document)


def panels() -> list[Pane]:
    return [panel for part in _all() for panel in part.panels]


def disguises(definition: Definition) -> list[str]:
    return [sentence for part in _all() if (sentence := part.disguise(definition))]


def ways(field: Fieldwork) -> list[Way]:
    return [way for part in _all() if (way := part.way(field))]


def say_refusal(field: Fieldwork, name: str, check: Callable[[Around], object]) -> str:
    """Why people cannot come to the draft by the feature; empty where something else is missing, which Publish says."""
    if not field.draft.document[name]:
        return ""
    try:
        definition = compose(Draft.from_document(field.survey, {**field.draft.document, name: False}))
    except InputError:
        return ""
    try:
        check(Around(definition.source, definition.design, definition.questions))
    except EntryError as error:
        return capital(sentence_of(error))
    return ""


def change_draft(request: HttpRequest, survey: Survey, said: Mapping[str, Any]) -> None:
    """Make the change `said` of the draft, by the person who sent the form; InputError says why it cannot be made."""
    history.change(survey, Editor(request.user, "", _LATER), said)  # type: ignore[arg-type]


def as_file(content: str | bytes, kind: str, name: str) -> HttpResponse:
    """An answer that a browser saves under this name."""
    header = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=kind, headers=header)


def for_all_faults(sentence: Any) -> dict[str, Any]:
    """The error messages of a field whose every fault one sentence says, with the name of the field."""
    return dict.fromkeys(("required", "invalid", "min_value", "max_value", "max_length"), sentence)


def agreement_to_local_links(label: str = "") -> forms.BooleanField:
    """To be ticked where links lead to this computer alone."""
    refusal = _("Nobody else could open these links: agree to it, or use another address.")
    return forms.BooleanField(label=label, error_messages={"required": refusal})


def field_of(form: forms.Form, error: InputError) -> str | None:
    """The field that a refusal is about; None where the form has none of that name."""
    name = error.at.rpartition(".")[2] if isinstance(error, EntryError) else ""
    return name if name in form.fields else None
