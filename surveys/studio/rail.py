"""The shell around the pages of a survey: its seven steps with what each stands at, and the menu behind its title."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, ngettext

from privacy.output import format_count
from surveys.domain.drafts.protect import judge_or_none
from surveys.domain.people.roles import Action, actions, may_begin
from surveys.domain.questionnaire.check import ask_for_erasing
from surveys.domain.questionnaire.closing import is_closed, is_early
from surveys.domain.questionnaire.document import Draft, sensitive
from surveys.domain.questionnaire.minimum import minimum_of_draft, minimum_of_version
from surveys.domain.rehearsal.ask import rehearsal
from surveys.domain.responses import counts, disclosure
from surveys.models import Inbox, Survey, SurveyVersion
from surveys.studio import verdict
from surveys.studio.checklist import unwritten_of
from surveys.studio.protection import promise_in_short

DONE, LOOK, TODO, GOING, LEFT = "done", "look", "todo", "going", "left"


@dataclass(frozen=True)
class Step:
    """One step; without an address it is no link, and the note says why."""

    name: str
    label: str
    state: str
    note: str
    address: str


@dataclass(frozen=True)
class Entry:
    """One line of the menu; one that changes something is sent by a button, one with a reason against it is no link."""

    label: str
    address: str
    changes: bool = False
    why_not: str = ""


def shell(request: HttpRequest, survey: Survey) -> dict[str, Any]:
    """What the pages of a survey show around their content."""
    may, version = actions(request.user, survey), survey.versions.last()
    taken = tuple(steps(survey, version, may))
    stands, words = state(survey, version)
    return {
        "survey": survey,
        "state": words,
        "is_open": stands == GOING,
        "steps": taken,
        "menu": tuple(_menu(request, survey, version, may, is_whole=taken[0].state == DONE)),
    }


def state(survey: Survey, version: SurveyVersion | None) -> tuple[str, str]:
    """Where a survey with this newest version stands: done, still to come, or going on; and that in words."""
    if version is None:
        return TODO, _("draft")
    if survey.erasing_since:
        return DONE, _("closed, and not erased yet")
    if is_closed(survey):
        return DONE, _("closed")
    if survey.has_ended(version.number):
        return TODO, _("between two versions")
    return (TODO, _("not open yet")) if is_early(survey) else (GOING, _("collecting"))


def steps_html(stand: Collection[Step], current: str) -> SafeString:
    """The HTML of the steps, on a page that belongs to the `current` one."""
    return render_to_string("steps.html", {"steps": stand, "current": current})


def steps(survey: Survey, version: SurveyVersion | None, may: Collection[Action]) -> Iterator[Step]:
    """The steps in their order. A step that the person may not take stands there with the reason in place of a link."""
    draft = Draft.load(survey)
    # A published version lacks nothing; what the next one lacks stands on its page of publishing.
    wanted = 0 if version else len(list(unwritten_of(draft)))
    is_whole = not (wanted or ask_for_erasing(survey))
    newest = counts.newest(survey) if version else []
    sealed = counts.total(newest)
    report, files = find_readiness(draft, version, newest)
    for name, label, needed, stands in (
        ("write", _("Write"), Action.SEE, lambda: _write_note(draft, wanted)),
        ("protect", _("Protect"), Action.SEE, lambda: _protect_note(draft, version)),
        ("try", _("Try"), Action.SEE, lambda: _try_note(survey, version)),
        (
            "publish",
            _("Publish"),
            Action.PUBLISH,
            lambda: _publish_note(version, is_whole),
        ),
        ("fieldwork", _("Field"), Action.SEE, lambda: _field_note(survey, version, sealed)),
        ("report", _("Results"), Action.SEE, lambda: _ready_note(*report)),
        ("files", _("Files"), Action.TAKE, lambda: _ready_note(*files)),
    ):
        done, note = stands()
        if needed not in may:
            yield Step(name, label, done, _("not with your role"), "")
        else:
            # There is no page of files before there are any.
            leads = name != "files" or newest
            yield Step(name, label, done, note, reverse(f"studio:{name}", args=[survey.pk]) if leads else "")


def _write_note(draft: Draft, wanted: int) -> tuple[str, str]:
    n = len(draft.questions)
    if not n:
        return TODO, _("no question yet")
    asked = ngettext("%(n)s question", "%(n)s questions", n) % {"n": n}
    if not wanted:
        return DONE, asked
    missing = ngettext("%(n)s thing is missing", "%(n)s things are missing", wanted) % {"n": wanted}
    return LOOK, _("%(questions)s, %(gaps)s") % {"questions": asked, "gaps": missing}


def _protect_note(draft: Draft, version: SurveyVersion | None) -> tuple[str, str]:
    """What Protect says in one line, and the promise; of a plan that nobody should publish as it is, that alone.

    It is not done where a plain question errs less.
    """
    if not sensitive(draft.document):
        return TODO, _("nothing is disguised")
    promised = promise_in_short(draft.survey, draft.document)
    judged = judge_or_none(draft.survey, draft.document)
    if not judged:
        return DONE, promised
    if judged.stop and version is None:
        return LOOK, judged.headline.as_text(_)
    state = LOOK if version is None and judged.plain and judged.plain.is_better else DONE
    enough = judged.enough and _("%(n)s are enough") % {"n": format_count(judged.enough)}
    return state, _("; ").join(filter(None, [enough or verdict.in_short(judged), promised]))


def _try_note(survey: Survey, version: SurveyVersion | None) -> tuple[str, str]:
    apart = rehearsal(survey)
    if apart is None:
        return (LEFT, _("not tried")) if version else (TODO, _("not yet"))
    return DONE, _("%(n)s simulated people") % {"n": format_count(apart.expected)}


def _publish_note(version: SurveyVersion | None, is_whole: bool) -> tuple[str, str]:
    if version is not None:
        return DONE, _("version %(number)s") % {"number": version.number}
    return TODO, _("ready") if is_whole else _("not ready yet")


def _field_note(survey: Survey, version: SurveyVersion | None, sealed: counts.Count | None) -> tuple[str, str]:
    if version is None:
        return TODO, _("after publishing")
    stands, words = state(survey, version)
    return stands, sealed.answers if sealed and stands == GOING else words


def _ready_note(is_ready: bool, note: str) -> tuple[str, str]:
    return DONE if is_ready else TODO, note


def _menu(
    request: HttpRequest, survey: Survey, version: SurveyVersion | None, may: Collection[Action], *, is_whole: bool
) -> Iterator[Entry]:
    """What the person may do with the survey beside its steps; a draft that is not `is_whole` cannot be printed."""
    begins = may_begin(request.user)
    of: Callable[[str], str] = lambda name: reverse(f"studio:{name}", args=[survey.pk])  # noqa: E731
    draft = "" if version else "?of=draft"
    why_not = "" if version or is_whole else _("once nothing is missing")
    if Action.MANAGE in may:
        yield Entry(_("People"), of("people"))
    yield Entry(_("Log"), of("log"))
    yield Entry(_("History"), of("history"))
    if Action.WRITE in may and survey.closed_at is None:
        yield Entry(_("Translation"), of("translation"))
        yield Entry(_("Looks, pictures and sound"), of("looks"))
        yield Entry(_("All of the draft as JSON"), of("document"))
    yield Entry(_("For your ethics board"), of("protocol") + draft, why_not=why_not)
    yield Entry(_("Preregistration"), of("preregistration") + draft, why_not=why_not)
    if begins:
        yield Entry(_("Copy"), of("copy"), changes=True)
        yield Entry(_("Import a file"), reverse("studio:import"))
    yield Entry(_("Export"), of("export"))


def of_page(context: Any) -> Survey | None:
    """The survey that a page is about; a rehearsal is a page of the survey that it rehearses."""
    version = context.get("version")
    survey = context.get("survey") or (version.survey if isinstance(version, SurveyVersion) else None)
    return survey.rehearses or survey if isinstance(survey, Survey) else None


Stand = tuple[bool, str]  # whether it is ready, and the note
MANY = 4  # times as many as are needed: then it is not counted how many were asked each question


def find_readiness(draft: Draft, version: SurveyVersion | None, newest: Sequence[Any]) -> tuple[Stand, Stand]:
    """Whether the report can be read and files of responses taken; `version` is the newest, `newest` its snapshots."""
    survey = draft.survey
    ended, early = _reason_of_end(survey, version), draft.document["early"]
    reads = any(map(can_read, newest[-1:]))
    why = ended or (minimum_of_version(version) if version else minimum_of_draft(draft)).note if not reads else ""
    return (reads, why or _("can be read")), _files(version, newest, ended, early, survey.least)


def _files(version: SurveyVersion | None, newest: Sequence[Any], ended: str, early: bool, least: int) -> Stand:
    if any(map(can_take, newest)):
        return True, _("can be taken")
    if ended:
        return False, ended
    if version.parsed.early if version else early:
        return False, _("from %(n)s answers on") % {"n": format_count(least)}
    return False, _("after you close")


def can_read(snapshot: Any) -> bool:
    """Whether the report of a snapshot from `counts.newest` shows something."""
    version, shown = snapshot.version, minimum_of_version(snapshot.version)
    if not snapshot.settled:
        return not counts.missing(version, shown.to_begin)
    if disclosure.is_of_few(snapshot) and not disclosure.is_enough(snapshot):
        return False
    people = disclosure.count_people(snapshot, settled=True)
    many = people >= (shown.everything if version.parsed.open_questions else MANY * shown.once_closed)
    return many or disclosure.most_asked(snapshot) >= shown.disguised


def can_take(snapshot: Any) -> bool:
    """Whether files may be taken, from sizes as far as they tell: else answers are read."""
    version, least = snapshot.version, snapshot.version.survey.least
    if not (snapshot.settled or version.parsed.early):
        return False
    people = disclosure.count_people(snapshot, snapshot.settled)
    return people >= least or (snapshot.settled and disclosure.is_enough(snapshot))


def _reason_of_end(survey: Survey, version: SurveyVersion | None) -> str:
    """Say why a survey, or its newest version, that has ended shows nothing yet; empty while it has not ended."""
    if is_closed(survey):
        waits = survey.closed_at is None or Inbox.objects.filter(version__survey=survey).exists()
    elif version is not None and survey.has_ended(version.number):
        waits = Inbox.objects.filter(version=version).exists()
    else:
        return ""
    return _("after the last answers are sealed") if waits else _("too few answered")
