"""Where sites are named whose pages may hold the survey, and what such a page holds."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _, gettext_lazy

from surveys.access import studio
from surveys.domain.page import bundle
from surveys.domain.people.roles import Action
from surveys.features import parameters
from surveys.features.frames import sites as read_sites
from surveys.models import Survey, SurveyVersion
from surveys.studio import fieldwork
from surveys.studio.staff_part import Fieldwork, StaffPart, Way, state_of
from surveys.studio.ways import INSIDE


class SitesForm(forms.Form):
    sites = forms.CharField(
        label=gettext_lazy("Sites whose pages may hold the survey, one a line"),
        help_text=gettext_lazy("Such as https://www.example.edu. Empty: none."),
        max_length=4000,
        required=False,
        widget=forms.Textarea(
            {"class": "input", "rows": 4, "autocomplete": "off", "spellcheck": "false", "dir": "ltr"}
        ),
    )


@studio(Action.WRITE, "GET", "POST")
def frames(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The sites of the next version that is published; Field shows the form."""
    return fieldwork.save_way(
        request,
        survey,
        INSIDE,
        SitesForm(request.POST),
        lambda form: {"do": "frames", "sites": form.cleaned_data["sites"].splitlines()},
    )


def _snippet(request: HttpRequest, version: SurveyVersion) -> str:
    """What a page of another site holds: the frame, and the script that its browser takes with these bytes alone."""
    source = version.parsed.source
    place = "".join(f"&{number}=[{number}]" for number in parameters(source))
    address = request.build_absolute_uri(f"/f/{version.survey.slug}/") + f"#v={version.sha256}{place}"
    script = request.build_absolute_uri(f"/client/{bundle.HOST}")
    return (
        f'<iframe src="{address.replace("&", "&amp;")}" title="Survey" style="width: 100%; border: 0"></iframe>\n'
        f'<script src="{script}" integrity="{bundle.integrity(bundle.HOST)}" crossorigin="anonymous"></script>'
    )


def _way(field: Fieldwork) -> Way:
    form = field.refused.get(INSIDE) or SitesForm(initial={"sites": "\n".join(field.draft.document["frames"])})
    sites = read_sites(field.version.parsed.source) if field.version else ()
    shown: dict[str, Any] = {"sites_form": form, "sites": sites}
    if field.version and sites:
        shown["snippet"] = _snippet(field.request, field.version)
    return Way(
        INSIDE,
        "inside",
        _("Inside another page"),
        _("For a site of your own that shows the survey in a frame."),
        state_of(field.draft.document["frames"], sites),
        "studio/features/frames/steps.html",
        shown,
        (("first", ""),) if sites else (),
        "" if sites else _("Cannot be tested yet: no version names the address of your site."),
        ", ".join(sites),
    )


PART = StaffPart(pages=[path("<int:pk>/frames/", frames, name="frames")], way=_way)
