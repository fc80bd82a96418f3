"""The tabs beside a report, on the pages of surveys and on those that other apps add."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy

from surveys.domain.people.roles import Action, may
from surveys.models import SurveyVersion
from surveys.results import sections

# The pages of the tabs: their template, their address, their name. Those of groups stand below one tab.
REPORT = ("report", "results", gettext_lazy("Report"))
GROUPS = (
    ("table", "results-table", gettext_lazy("Tables")),
    ("regression", "results-regression", gettext_lazy("Regression")),
    ("compare", "results-compare", gettext_lazy("Compare")),
    ("weighted", "results-weighted", gettext_lazy("Weights")),
)
LATER = (
    ("versions", "results-versions", gettext_lazy("Over time")),
    ("releases", "releases", gettext_lazy("Tables to release")),
    ("share", "results-share", gettext_lazy("Share")),
)
TO_TAKE = ("releases", "share")


@dataclass(frozen=True)
class Tab:
    """A link beside the report; `here` is the page that is shown."""

    label: str
    address: str
    here: bool


def tabs(request: HttpRequest, version: SurveyVersion, here: str) -> list[Tab]:
    """The report and the pages next to it; `here` is the name of the page, or of another app's function."""
    may_take = may(request.user, Action.TAKE, version.survey)
    others = [Tab(*one, each.__name__ == here) for each in sections.TABS if (one := each(request, version))]
    groups = Tab(
        _("Groups"),
        reverse("studio:results-table", args=[version.pk]),
        here in [name for name, _address, _label in GROUPS],
    )
    later = [tab(version, each, here) for each in LATER if may_take or each[0] not in TO_TAKE]
    return [tab(version, REPORT, here), *others, groups, *later]


def tab(version: SurveyVersion, page: tuple[str, str, Any], here: str) -> Tab:
    name, address, label = page
    return Tab(label, reverse(f"studio:{address}", args=[version.pk]), name == here)
