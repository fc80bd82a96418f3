"""People who come from a panel: which one it is, how it numbers people, and how their visits end."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _, gettext_lazy

from surveys.access import studio
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.document import Draft, read_document
from surveys.domain.questionnaire.publish import draft_of_version
from surveys.domain.questionnaire.versions import link
from surveys.features.panel.draft import LONGEST_END, OUTCOMES, PANELS, link_end, published_panel
from surveys.models import Survey
from surveys.studio import fieldwork
from surveys.studio.staff_part import AS_LONG, OF_INVITATIONS, Fieldwork, Pane, StaffPart, StoredRow, Way, state_of
from surveys.studio.ways import PAID, cases

STORED = (
    StoredRow(
        gettext_lazy("a hash of the provider's number of each person who began, joined to no record"),
        gettext_lazy("in the same database, under a key that the SECRET_KEY of the site opens"),
        AS_LONG,
        OF_INVITATIONS,
        with_key=gettext_lazy("of a number that somebody knows from the provider, whether it was used"),
    ),
    StoredRow(gettext_lazy("who came, when, and how the visit ended"), gettext_lazy("at the provider")),
)


class PanelForm(forms.Form):
    """What is entered about a panel. Which one it is fills in its name and the parameter that it uses."""

    by = forms.ChoiceField(
        label=gettext_lazy("Provider"),
        choices=lambda: [("", _("none")), *((key, panel.words) for key, panel in PANELS.items())],
        required=False,
    )
    sent = forms.CharField(
        label=gettext_lazy("Code or address for those who have answered"), max_length=LONGEST_END, required=False
    )
    out = forms.CharField(
        label=gettext_lazy("… for those whom an answer sends away"), max_length=LONGEST_END, required=False
    )
    full = forms.CharField(
        label=gettext_lazy("… for those who come when the survey is over or full"),
        max_length=LONGEST_END,
        required=False,
    )
    once = forms.BooleanField(
        label=gettext_lazy("Its number lets each person in once"),
        help_text=gettext_lazy("The device buys a blind token with it. It can never be joined to an answer."),
        required=False,
        initial=True,
    )
    name = forms.CharField(
        label=gettext_lazy("Its name, as respondents read it"),
        help_text=gettext_lazy("Empty: the name above."),
        max_length=60,
        required=False,
    )
    number = forms.CharField(
        label=gettext_lazy("The parameter of the address with its number of a person"),
        help_text=gettext_lazy("Empty: the one that this provider uses."),
        max_length=40,
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for outcome in OUTCOMES:
            self.fields[outcome].help_text = _("Everybody gets the same. In an address, {number} is the provider's.")
        for field in self.fields.values():
            field.widget.attrs.update(autocomplete="off", spellcheck="false")

    def entered(self, former: Mapping[str, str] | None) -> dict[str, str] | None:
        """What the draft holds; None if people come from no panel. What was usual at the `former` one goes with it."""
        said = self.cleaned_data
        preset = PANELS.get(said["by"])
        if preset is None:
            return None
        before = PANELS[former["by"]] if former and former["by"] != said["by"] else None
        usual = {name: getattr(before, name, "") for name in ("name", "number")}
        return {name: said[name] for name in ("by", *OUTCOMES)} | {
            name: getattr(preset, name) if said[name] in ("", usual[name]) else said[name] for name in usual
        }


@studio(Action.WRITE, "GET", "POST")
def panel_people(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The panel of the next version that is published; Field shows the form."""

    def say(form: forms.Form) -> Mapping[str, Any]:
        assert isinstance(form, PanelForm)
        entered = form.entered(read_document(survey)["panel"])
        return {"do": "panel", "panel": entered, "once": form.cleaned_data["once"]}

    return fieldwork.save_way(request, survey, PAID, PanelForm(request.POST), say)


def _way(field: Fieldwork) -> Way:
    """The panel of the version, and the link for it, which ends as the draft that was published has it."""
    document, version, panel = field.draft.document, field.version, None
    once = not document["panel"] or document["access"] == "invitation"
    form = field.refused.get(PAID) or PanelForm(initial={**(document["panel"] or {}), "once": once})
    shown: dict[str, Any] = {"panel_form": form, "panel_first": [form["by"]], "panel_code": [form["sent"]]}
    shown["panel_more"] = [form[name] for name in form.fields if name not in ("by", "sent")]
    tests: tuple[tuple[str, str], ...] = ()
    if version and (panel := version.parsed.source.get("panel")):
        draft = draft_of_version(version)
        end = link_end(draft["panel"]) if draft and draft["panel"] else ""
        shown |= {"panel": panel, "panel_link": link(field.request.build_absolute_uri(), version) + end}
        tests = tuple(cases(field, once=version.parsed.let_in_by is not None))
    lacks = "" if panel else _("Cannot be tested yet: no provider is published.")
    return Way(
        PAID,
        "panel",
        _("A provider of participants"),
        _("For people you pay through Prolific, SONA or another firm."),
        state_of(document["panel"], panel),
        "studio/features/panel/steps.html",
        shown,
        tests,
        lacks,
        panel["name"] if panel else "",
    )


def _context_of_draft(draft: Draft) -> dict[str, Any]:
    """The panel as it would be published, once its ends are entered."""
    entered = draft.document["panel"]
    panel = entered and published_panel(entered)
    return {"panel": panel} if panel and panel["ends"] else {}


PART = StaffPart(
    pages=[path("<int:pk>/panel/", panel_people, name="panel")],
    panels=[Pane("ends", "publish", "studio/features/panel/card.html", _context_of_draft)],
    way=_way,
    stores=lambda definition: STORED if definition.let_in_by else (),
)
