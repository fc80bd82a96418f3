"""The page on which sites are named whose pages may hold the survey, and what such a page holds."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import InputError
from surveys.access import studio
from surveys.domain.page import bundle
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.document import read_document
from surveys.domain.questionnaire.languages import sentence_of
from surveys.features import present
from surveys.features.frames import sites as read_sites
from surveys.models import Survey, SurveyVersion
from surveys.studio.by_form import change_draft
from surveys.studio.staff_part import StaffPart


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
    """GET shows the sites; POST changes the draft, and so the next version that is published."""
    if request.method != "POST":
        form = SitesForm(initial={"sites": "\n".join(read_document(survey)["frames"])})
        return render(request, "studio/features/frames/page.html", {"survey": survey, "form": form})
    form = SitesForm(request.POST)
    if form.is_valid():
        try:
            change_draft(request, survey, {"do": "frames", "sites": form.cleaned_data["sites"].splitlines()})
        except InputError as error:
            form.add_error("sites", sentence_of(error))
        else:
            messages.success(request, _("It is saved, and part of the next version that is published."))
            return redirect("studio:frames", survey.pk)
    return render(request, "studio/features/frames/page.html", {"survey": survey, "form": form})


def _snippet(request: HttpRequest, version: SurveyVersion) -> str:
    """What a page of another site holds: the frame, and the script that its browser takes with these bytes alone."""
    source = version.parsed.source
    numbers = [number for one in present(source) for number in one.parameters(source)]
    place = "".join(f"&{number}=[{number}]" for number in numbers)  # a panel fills in its own links, not these
    address = request.build_absolute_uri(f"/f/{version.survey.slug}/") + f"#v={version.sha256}{place}"
    script = request.build_absolute_uri(f"/client/{bundle.HOST}")
    return (
        f'<iframe src="{address.replace("&", "&amp;")}" title="Survey" style="width: 100%; border: 0"></iframe>\n'
        f'<script src="{script}" integrity="{bundle.integrity(bundle.HOST)}" crossorigin="anonymous"></script>'
    )


def _context_of_version(request: HttpRequest, version: SurveyVersion) -> dict[str, object]:
    sites = read_sites(version.parsed.source)
    return {"snippet": _snippet(request, version), "sites": sites} if sites else {}


PART = StaffPart(
    pages=[path("<int:pk>/frames/", frames, name="frames")],
    menu=gettext_lazy("Inside other pages"),
    changes={"frames": gettext_lazy("sites that may hold the survey changed")},
    outside="studio/features/frames/outside.html",
    given=_context_of_version,
)
