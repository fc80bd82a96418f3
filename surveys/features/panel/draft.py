"""People from a panel in a document: the panels that are known, what is published of theirs, and what is missing."""

import json
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy

from surveys.definition import Definition
from surveys.domain.drafts.change_part import Change, change
from surveys.domain.questionnaire.document import Document, Draft
from surveys.domain.questionnaire.draft_part import DraftPart, Gap
from surveys.features.panel import OUTCOMES, check_panel
from surveys.features.questions import outcomes
from surveys.models import Survey, SurveyVersion
from surveys.rules import Faults, checked_by, line, object_of, one_of, or_null

FIELDS = ("by", "name", "number", *OUTCOMES)
LONGEST_END = 500  # an address
NUMBER = "{number}"  # in an address: where the panel's own number goes


@dataclass(frozen=True)
class Panel:
    """A panel as people know it.

    number   the parameter that holds its number of a person
    filled   what it puts in place of that number, in a link; empty where it adds the parameter to any link by itself
    address  where a code is to be taken; empty where people type it
    hole     what stands for the number in the addresses that it shows
    """

    name: str
    number: str
    filled: str = ""
    address: str = ""
    hole: str = ""
    label: Any = ""  # a lazy translation, where it is no name

    @property
    def words(self) -> str:
        return str(self.label or self.name)


PANELS: dict[str, Panel] = {
    "prolific": Panel(
        "Prolific", "PROLIFIC_PID", "{{%PROLIFIC_PID%}}", "https://app.prolific.com/submissions/complete?cc={code}"
    ),
    "sona": Panel("SONA", "id", "%SURVEY_CODE%", hole="XXXX"),
    "mturk": Panel("MTurk", "workerId", "${workerId}"),
    "cloudresearch": Panel("CloudResearch", "participantId"),
    "redirect": Panel("", "pid", "[pid]", label=gettext_lazy("Another provider")),
}


def published_panel(entered: Mapping[str, Any]) -> dict[str, Any]:
    """The definition's entry for a panel."""
    preset = PANELS[entered["by"]]
    ends = {outcome: _published_end(preset, entered[outcome]) for outcome in OUTCOMES if entered[outcome]}
    number = {"number": entered["number"]} if entered["number"] else {}
    return {"name": entered["name"], **number, "ends": ends}


def _published_end(preset: Panel, text: str) -> dict[str, str]:
    """An end as it is published: an address, with the panel's number put in; or a code, and where to enter it."""
    if "://" in text:
        return {"address": text.replace(preset.hole, NUMBER) if preset.hole else text}
    return {"code": text} | ({"address": preset.address.format(code=text)} if preset.address else {})


def check_entered(entered: Any, _at: str = "") -> None:
    """Refuse a panel that could not be published; ends may still be empty."""
    if entered is not None:
        check_panel(published_panel(entered))


def link_end(entered: dict[str, Any]) -> str:
    """The end of a link for the panel, which it fills with its number of the person; no server reads that there."""
    filled = PANELS[entered["by"]].filled
    return f"&{entered['number']}={filled}" if entered["number"] and filled else ""


def _gaps(draft: Draft) -> Iterator[Gap]:
    panel = draft.document["panel"]
    if panel and not panel["sent"]:
        yield Gap(draft.survey, _("People of the provider have no code or address to go back with."), page="panel")
    possible = {each for question in draft.questions for each in outcomes(question)} if panel else set()
    if "out" in possible and not panel["out"]:
        yield Gap(draft.survey, _("People whom an answer sends away have no way back to the provider."), page="panel")
    if "full" in possible and not panel["full"]:
        yield Gap(draft.survey, _("People whose group is full have no way back to the provider."), page="panel")


def _others(survey: Survey, definition: Definition) -> Iterator[tuple[str, SurveyVersion]]:
    """The versions of all other studies that people of this panel came to, as they were published.

    One panel may be spelled in several ways, and a platform has one crowd whatever a study calls it.
    """
    own = definition.source["panel"]
    versions = SurveyVersion.objects.filter(survey__simulated=False).exclude(survey=survey).select_related("survey")
    for version in versions.iterator() if not survey.simulated else ():
        published = bytes(version.definition)
        other = json.loads(published).get("panel") if b'"panel"' in published else None
        if other and _crowds_of(other) & _crowds_of(own):
            yield own["name"], version


def _crowds_of(published: Mapping[str, Any]) -> set[str]:
    """By what a panel is known: its name, and the parameter that one platform alone fills."""
    platforms = {preset.number for preset in PANELS.values() if preset.name not in ("", "SONA")}
    name = "".join(unicodedata.normalize("NFKC", published["name"]).casefold().split())
    return {f"name {name}", *(f"number {own}" for own in platforms & {published.get("number")})}


@change("panel", gettext_lazy("provider changed"))
def _set_panel(document: Document, said: Change, _wanted: set[str]) -> None:
    """Set the panel that people come from and go back to, or none; `once`: the panel's number lets each in once."""
    own = said["panel"]
    if own or document["panel"]:  # where there was no panel and is none, who may answer stays
        document["access"] = "invitation" if own and said["once"] else "open"
    document["panel"] = own and {name: str(own[name]).strip() for name in FIELDS}


def _faults(panel: Any, at: str) -> Faults:
    yield from (faults := list(or_null(_SHAPE)(panel, at)))
    if not faults:
        yield from checked_by(check_entered)(panel, at)


_SHAPE = object_of({"by": one_of(PANELS)} | dict.fromkeys(FIELDS[1:], line(LONGEST_END)))


PART = DraftPart(
    has=lambda document: document["panel"] is not None,
    entries=lambda draft: {"panel": published_panel(draft.document["panel"])},
    about_answers=False,
    gaps=_gaps,
    others=_others,
    lost=gettext_lazy("the provider, and the codes or addresses at the end of a visit"),
    rules={"panel": _faults},
)
