"""The link for a device that several people use, as Field shows it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _

from surveys.access import studio
from surveys.domain.messages.boxes import MOST_BYTES, public_point
from surveys.domain.messages.invite import make_key
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.versions import link
from surveys.features import present
from surveys.models import Survey
from surveys.poster import qr_code
from surveys.studio.staff_part import IN_USE, NOT_USED, Fieldwork, StaffPart, Way

SHARED = "shared"  # the way in which people come


@studio(Action.PUBLISH, "POST")
def make_link(_request: HttpRequest, survey: Survey) -> HttpResponse:
    """Draw the key to which such devices encrypt, where the survey has none."""
    make_key(survey)
    return redirect(reverse("studio:fieldwork", args=[survey.pk]) + f"?way={SHARED}#{SHARED}")


def _way(field: Fieldwork) -> Way:
    version, shown = field.version, {}
    online = any(feature.online for feature in present(field.source))
    if version and field.takes and version.parsed.access == "open" and not online and version.parsed.pad <= MOST_BYTES:
        shown["can_be_shared"] = "yes"
        if point := public_point(field.survey):
            address = f"{link(field.request.build_absolute_uri(), version)}&p={point}"
            shown |= {"shared_link": address, "shared_code": qr_code(address)}
    return Way(
        SHARED,
        "waves",
        _("A device that several people use"),
        _("For a tablet at a counter, a computer in a class: nobody reads what others sent."),
        IN_USE if "shared_link" in shown else NOT_USED,
        "studio/features/shared/steps.html",
        shown,
    )


PART = StaffPart(pages=[path("<int:pk>/shared/", make_link, name="shared")], way=_way)
