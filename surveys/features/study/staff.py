"""The arms of a study among the ways how people come: which surveys the link draws from, and how often each."""

from contextlib import suppress
from functools import reduce
from operator import add
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import EntryError
from privacy.output import format_count
from surveys.access import studio
from surveys.domain.people.roles import Action, surveys_of
from surveys.domain.questionnaire.document import read_document
from surveys.domain.responses import counts
from surveys.domain.responses.counts import Count
from surveys.features.study.draft import inviting_others, newest_of_arm
from surveys.models import Survey
from surveys.studio import fieldwork
from surveys.studio.staff_part import Fieldwork, StaffPart, State, StoredRow, Way, state_of

ARMS = "arms"  # the way in which people come
STORED = (
    StoredRow(
        gettext_lazy("who was invited"),
        gettext_lazy("where the first survey of the study is: the protocol of that survey says it"),
        gettext_lazy("as long as the first survey"),
    ),
)

HERE, INVITED_BY, LONGEST, MOST_OFFERED = "here", "invited.by", 1_000, 50  # a slug has no dot


class ArmsForm(forms.Form):
    """How many parts each survey has: of 1 : 1 : 2 the last is drawn for every second device."""

    def __init__(self, survey: Survey, user: Any, data: Any = None) -> None:
        super().__init__(data)
        document = read_document(survey)
        study = {"here": 1, "arms": [], "of": ""} | (document["study"] or {})
        chosen = {arm["slug"]: arm["parts"] for arm in study["arms"]}
        invites = document["access"] == survey.Access.INVITATION
        self.offered: dict[str, str] = {}
        inviting: list[tuple[str, str]] = []
        self.fields[HERE] = _parts_field(_("This survey"), study["here"], 1)
        for other in surveys_of(user, Action.MANAGE).exclude(pk=survey.pk).order_by("-pk")[:MOST_OFFERED]:
            named = f"{other.title} ({other.slug})"
            with suppress(EntryError):
                inviting.append((inviting_others(survey, other.slug).slug, named))
            with suppress(EntryError):
                self.offered[other.slug] = newest_of_arm(survey, other.slug, by_invitation=invites).sha256
                self.fields[other.slug] = _parts_field(named, chosen.get(other.slug, 0), 0)
        if inviting:
            self.fields[INVITED_BY] = forms.ChoiceField(
                label=_("Or is this survey itself an arm, of one that invites people?"),
                help_text=_("Then the invitations to that survey let people in here, too: each once in all arms."),
                choices=[("", _("No")), *inviting],
                initial=study["of"],
                required=False,
                widget=forms.Select({"class": "input"}),
            )

    def study(self) -> dict[str, Any]:
        """The arms as documents have them: those that have a part."""
        parts = self.cleaned_data
        if first := parts.get(INVITED_BY):
            return {"of": first}
        arms = [
            {"slug": slug, "version": version, "parts": parts[slug]}
            for slug, version in self.offered.items()
            if parts[slug]
        ]
        return {"here": parts[HERE], "arms": arms}


def _parts_field(label: str, value: int, least: int) -> forms.IntegerField:
    widget = forms.NumberInput({"class": "input", "autocomplete": "off"})
    return forms.IntegerField(label=label, initial=value, min_value=least, max_value=LONGEST, widget=widget)


@studio(Action.WRITE, "GET", "POST")
def arms(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The arms of the next version that is published; Field shows the form."""

    def say(form: forms.Form) -> dict[str, Any]:
        assert isinstance(form, ArmsForm)
        return {"do": "study", "study": form.study()}

    return fieldwork.save_way(request, survey, ARMS, ArmsForm(survey, request.user, request.POST), say)


def _counts_of_arms(field: Fieldwork, arms: list[str]) -> dict[str, Count]:
    """How many came to each arm by the link or the invitations of this study, as may be said, where any did."""
    first = field.survey.slug if field.source["access"] == Survey.Access.INVITATION else None
    found = {field.survey.slug: field.sealed}
    for arm in Survey.objects.filter(slug__in=arms):
        found[arm.slug] = counts.total([row for row in counts.newest(arm) if row.version.parsed.invited_by == first])
    return {slug: count for slug, count in found.items() if count}


def _way(field: Fieldwork) -> Way:
    form = field.refused.get(ARMS) or ArmsForm(field.survey, field.request.user)
    published = field.version.parsed.source.get("study") if field.version else None
    chosen = field.draft.document["study"]
    study = published or chosen or {}
    arms = [arm["slug"] for arm in study.get("arms", ())]
    came = _counts_of_arms(field, arms) if published and arms else {}
    made = sum(batch.count for batch in field.survey.invitation_batches.all())
    state = state_of(chosen, published)
    if came and made:
        used = {"used": reduce(add, came.values()), "made": format_count(made)}
        state = State(_("%(used)s of %(made)s used") % used)
    shown = {
        "arms_form": form,
        "has_others": len(form.fields) > 1,
        "arm_of": study.get("of", ""),
        "arms_drawn": ", ".join(arms),
        "arms_answered": _(", ").join(f"{slug}: {count.answers}" for slug, count in came.items()),
    }
    return Way(
        ARMS,
        "choice",
        _("A study with arms"),
        _("For comparing ways of asking: people open one link, and their device draws one of several surveys."),
        state,
        "studio/features/study/steps.html",
        shown,
        was=", ".join(arms) or study.get("of", ""),
    )


PART = StaffPart(
    pages=[path("<int:pk>/arms/", arms, name="arms")],
    way=_way,
    stores=lambda definition: STORED if definition.invited_by else (),
)
