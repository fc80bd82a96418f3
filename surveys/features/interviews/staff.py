"""Interviews on the pages of staff: whether interviewers may ask people, their link, and the last day of tablets."""

from datetime import date, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext as _, gettext_lazy

from privacy.errors import EntryError, InputError
from surveys.access import studio
from surveys.definition import Definition
from surveys.domain.people import log
from surveys.domain.people.roles import Action, may
from surveys.domain.questionnaire.closing import MOST_DAYS, is_closed, leave_to_tablets
from surveys.features.interviews import NAMED, check_interviews, has_interviews
from surveys.features.interviews.parcels import SHOWN_FROM, code_of, shown_turned
from surveys.models import InvitationKey, Survey, SurveyVersion
from surveys.poster import qr_code
from surveys.reach import is_local
from surveys.results.figures import heading
from surveys.sentences import capital, sentence_of
from surveys.studio import fieldwork
from surveys.studio.staff_part import (
    AS_LONG,
    HERE,
    Fieldwork,
    StaffPart,
    StoredRow,
    Way,
    field_of,
    say_refusal,
    state_of,
)

INTERVIEWS = "interviews"  # the way in which people come
LAST = "last"
STORED = (
    StoredRow(
        gettext_lazy("of interviews that tablets sent what is stored of other responses; no tablet, parcel or name"),
        HERE,
        AS_LONG,
        (InvitationKey,),
    ),
    StoredRow(
        gettext_lazy("how many people refused, broke off or were not there: one sum each"), HERE, AS_LONG, (Survey,)
    ),
    StoredRow(
        gettext_lazy("finished interviews, encrypted so that the site alone can open them; without order and time"),
        gettext_lazy("on the tablet of the interviewer"),
        gettext_lazy("until they are sent"),
    ),
)


class InterviewsForm(forms.Form):
    interviews = forms.BooleanField(
        label=gettext_lazy("Interviewers may also ask people"),
        help_text=gettext_lazy("It is part of what you publish: the version names the key to which tablets encrypt."),
        required=False,
    )
    named = forms.BooleanField(
        label=gettext_lazy("Each response says whether it came from an interview"),
        help_text=gettext_lazy("Undisguised. Otherwise nothing tells interviews from responses that came by web."),
        required=False,
    )


class LastDayForm(forms.Form):
    last = forms.DateField(
        label=gettext_lazy("Last day of the tablets"),
        widget=forms.DateInput({"type": "date", "autocomplete": "off"}, format="%Y-%m-%d"),
    )


@studio(Action.WRITE, "GET", "POST")
def choose(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Whether interviewers may ask people, from the first version on that is published; Field shows the form."""

    def change(form: forms.Form) -> dict[str, Any]:
        given = form.cleaned_data
        return {"do": "survey", "field": INTERVIEWS, "value": given["interviews"] and (not given["named"] or NAMED)}

    return fieldwork.save_way(request, survey, INTERVIEWS, InterviewsForm(request.POST), change)


@studio(Action.PUBLISH, "GET", "POST")
def close_but_for_tablets(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Close the survey for everybody but its tablets, until a day."""
    field = f"{reverse('studio:fieldwork', args=[survey.pk])}?way={INTERVIEWS}#{INTERVIEWS}"
    if request.method != "POST":
        return redirect(field)
    form, version = LastDayForm(request.POST), survey.versions.last()
    if form.is_valid():
        try:
            if version is None or not has_interviews(version.parsed.source):
                raise EntryError("No published version of this survey has interviews.")
            leave_to_tablets(survey, form.cleaned_data[LAST])
        except InputError as error:
            form.add_error(field_of(form, error), capital(sentence_of(error)))
        else:
            log.note_down(survey, request.user, "The survey was closed for all but its tablets.")
            messages.success(request, _("It is closed for all but its tablets."))
            return redirect(field)
    return fieldwork.page(request, survey, **{INTERVIEWS: form})


@studio(Action.INTERVIEW)
def interviews(request: HttpRequest, survey: Survey) -> HttpResponse:
    """What an interviewer needs: the link for the tablet, and the card. It shows no figure of the survey."""
    version = survey.versions.last()
    context: dict[str, Any] = {"of": survey, "closed": is_closed(survey), "last_day": _last_day(survey)}
    context["title"] = heading(version, get_language() or "en") if version else survey.title
    if version and has_interviews(version.parsed.source):
        context |= _card(request, version)
    if may(request.user, Action.SEE, survey):
        context["survey"] = survey
    return render(request, "studio/features/interviews/page.html", context)


def _card(request: HttpRequest, version: SurveyVersion) -> dict[str, Any]:
    link = (
        request.build_absolute_uri("/i/") + f"#s={version.survey.slug}&v={version.sha256}&k={code_of(version.survey)}"
    )
    key = version.parsed.source["interviews"]["key"]
    return {
        "link": link,
        "code": "" if is_local(request) else qr_code(link),
        "draws": "own" in version.parsed.source,
        "marks": [f"{one[:4]} {one[4:8]}" for one in (version.sha256, key[2:])],
    }


def _last_day(survey: Survey) -> date | None:
    return survey.closes_at and timezone.localdate(survey.closes_at - timedelta(days=1))


def _way(field: Fieldwork) -> Way:
    chosen, version = field.draft.document["interviews"], field.version
    published = version is not None and has_interviews(version.parsed.source)
    refused = field.refused.get(INTERVIEWS)
    last_day = _last_day(field.survey)
    shown: dict[str, Any] = {
        "interviews_form": refused
        if isinstance(refused, InterviewsForm)
        else InterviewsForm(initial={"interviews": bool(chosen), "named": chosen == NAMED}),
        "last_form": refused if isinstance(refused, LastDayForm) else LastDayForm(initial={LAST: last_day}),
        "with_interviews": published,
        "refused_interviews": "" if published else say_refusal(field, "interviews", check_interviews),
        "turned": [(words, count) for why, count in shown_turned(field.survey).items() for words in (WHY[why],)],
        "shown_from": SHOWN_FROM,
        "most_days": MOST_DAYS,
        "last_day": field.survey.tablets_alone_since and last_day,
    }
    return Way(
        INTERVIEWS,
        "person",
        _("By interviewers"),
        _("For places without a network, and people without a device."),
        state_of(chosen, published),
        "studio/features/interviews/steps.html",
        shown,
        was=_("tablets sent interviews"),
    )


WHY = {
    "refused": gettext_lazy("refused"),
    "broken": gettext_lazy("broken off"),
    "absent": gettext_lazy("not there"),
}


def _disguise(definition: Definition) -> str:
    if not has_interviews(definition.source):
        return ""
    return _(
        "Interviewers may also ask people on a tablet, which the person holds alone for every question that is "
        "disguised. A finished interview is encrypted there at once, to a key that the site alone has. Tablets keep no "
        "order and no time. They send twenty or more together, drawn by chance; twenty stay until the last day."
    )


PART = StaffPart(
    pages=[
        path("<int:pk>/interviews/", interviews, name="interviews"),
        path("<int:pk>/interviews/choose/", choose, name="interviews-choose"),
        path("<int:pk>/interviews/last/", close_but_for_tablets, name="interviews-last"),
    ],
    fields={"interviews": gettext_lazy("interviews")},
    disguise=_disguise,
    way=_way,
    stores=lambda definition: STORED if has_interviews(definition.source) else (),
)
