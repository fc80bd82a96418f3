"""How people come to a survey: by an open link, a list of invitations, mail; a feature may bring a way of its own.

Nobody counts who came by which of them (docs/decisions/0023-nobody-counts-who-understood.md).
"""

from collections.abc import Iterator
from datetime import date
from itertools import chain
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils import formats
from django.utils.translation import gettext as _, ngettext

from privacy.output import format_count
from surveys.domain.messages import invite as inviting
from surveys.domain.questionnaire.closing import is_closed
from surveys.domain.questionnaire.versions import link
from surveys.features import invited_by
from surveys.features.questions import outcomes
from surveys.models import Mailing, Survey, SurveyVersion
from surveys.poster import qr_code
from surveys.studio.staff_part import IN_USE, NOT_USED, Fieldwork, State, Way, state_of, ways

TESTED = LINK, LIST, MAIL, PAID, INSIDE = ("link", "list", "mail", "paid", "inside")


def ways_to_come(field: Fieldwork) -> list[dict[str, Any]]:
    """Each way, whether it is open, and what is known of its last test."""
    own = [_open_link(field), _list(field), _mail(field), *ways(field)]
    names = [way.name for way in own]
    wanted = [name for name in (*field.refused, field.request.GET.get("way", "")) if name in names]
    shown = (wanted or [way.name for way in own if way.state.tone] or [LINK])[0]
    return [{"way": way, "open": way.name == shown, **_last_test(field, way)} for way in own]


def cases(field: Fieldwork, *, once: bool) -> Iterator[tuple[str, str]]:
    """What can be tried of a way: a case of `preview`, and what it is called. `once`: each person comes in once."""
    yield "first", ""
    if once:
        yield "again", _("a second device")
    asked = field.version.parsed.questions if field.version else field.draft.questions
    for question in asked:
        if "out" in outcomes(question):
            yield "first", _("screened out, by an answer to %(question)s") % {"question": question.id}
    if field.version and any("full" in outcomes(question) for question in asked):
        yield "group", _("a group that is full")
    yield "over", _("the survey is full or closed")


def by_invitation(field: Fieldwork) -> bool:
    """Whether people need an invitation that somebody makes; the numbers of a panel may be theirs."""
    if field.version:
        return field.version.parsed.has_invitations
    return field.source["access"] == Survey.Access.INVITATION and not invited_by(field.source)


def _last_test(field: Fieldwork, way: Way) -> dict[str, str]:
    """The sign and the sentence of the last test."""
    number = field.version.number if field.version else 0
    last = (field.survey.tested or {}).get(way.name)
    if way.lacks:
        return {"sign": "look", "tone": "no", "tested": way.lacks}
    if last is None:
        return {"sign": "todo", "tone": "todo", "tested": _("Not tested yet.")}
    day = {"day": formats.date_format(date.fromisoformat(last["on"]))}
    if last["version"] == number:
        return {"sign": "done", "tone": "ok", "tested": _("Tested on %(day)s.") % day}
    return {"sign": "todo", "tone": "todo", "tested": _("Tested on %(day)s, before it was published so.") % day}


def _open_link(field: Fieldwork) -> Way:
    used, shown = field.source["access"] == Survey.Access.OPEN, {}
    if field.version:
        shown = _links(field.request, field.version)
        if "link" in shown:
            shown |= {"code": qr_code(shown["link"])}
    return Way(
        LINK,
        "link",
        _("An open link"),
        _("For a mailing list, a poster, a web site. One person could answer twice."),
        state_of(used, used and field.version),
        "studio/ways/link.html",
        shown | {"is_open_to_all": used},
        tuple(cases(field, once=False)) if used else (),
        was=_("nobody counted who opened it"),
    )


def _links(request: HttpRequest, version: SurveyVersion) -> dict[str, Any]:
    """A link to the newest version and a poster, if they let anybody in; else the sentence that says why not."""
    survey = version.survey
    if is_closed(survey):
        return {"nobody": _("The survey is closed: its links no longer work.")}
    if survey.has_ended(version.number):
        return {"nobody": _("Version %(number)s takes no more answers.") % {"number": version.number}}
    if version.parsed.access != "open":
        return {"nobody": _("Only invited people can answer: every invitation has its own link.")}
    return {"link": link(request.build_absolute_uri(), version), "poster": reverse("poster", args=[survey.slug])}


def _list(field: Fieldwork) -> Way:
    invited = by_invitation(field)
    batches = list(field.survey.invitation_batches.exclude(label=inviting.PANEL).order_by("-pk")) if invited else []
    made = sum(batch.count for batch in batches)
    by_panel = not invited and field.source["access"] == Survey.Access.INVITATION
    first, state = invited_by(field.source), state_of(invited, invited and field.version)
    shown: dict[str, Any] = {"by_invitation": invited, "by_panel": by_panel, "first": first, "batches": batches}
    return Way(
        LIST,
        "list",
        _("A list of invitations"),
        _("For a class or a firm you know. Each link works once; you hand them out."),
        State(_("no links yet"), "warn") if state == IN_USE and not made else state,
        "studio/ways/list.html",
        shown,
        tuple(cases(field, once=True)) if invited else (),
        was=", ".join(f"{batch.label} ({format_count(batch.count)})" for batch in batches),
    )


def _mail(field: Fieldwork) -> Way:
    people, mailing = field.survey.invitees.count(), Mailing.objects.filter(survey=field.survey).first()
    invited, address = by_invitation(field), getattr(field.request.user, "email", "")
    lacks = ""
    if not mailing or not address:
        missing = _("your account has no mail address") if mailing else _("the letter is not saved")
        lacks = _("Cannot be tested yet: %(missing)s.") % {"missing": missing}
    state = NOT_USED
    if invited and (people or mailing):
        lacking = _("no letter yet") if people else _("no addresses yet")
        state = IN_USE if people and mailing else State(lacking, "warn")
    days = [date.fromisoformat(day) for day in mailing.days] if mailing else []
    return Way(
        MAIL,
        "mail",
        _("By mail, from this site"),
        _("For addresses you have. The site reminds only those who have not answered."),
        state,
        "studio/ways/mail.html",
        {"mailed": people, "mail_days": ", ".join(map(formats.date_format, days))},
        (("first", ""),) if invited and field.version else (),
        lacks,
        ngettext("%(n)s person is invited by mail.", "%(n)s people are invited by mail.", people) % {"n": people},
    )


def all_shown(shown: list[dict[str, Any]]) -> dict[str, Any]:
    """What the steps of all ways show."""
    return dict(chain.from_iterable(one["way"].shown.items() for one in shown))
