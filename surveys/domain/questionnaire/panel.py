"""People who come from a panel and go back to it: what is entered about it, and what is published.

The published entry names the parameter of the address that holds the panel's number of a person, and an end for each
outcome: sent, out (screened out) and full (over). An end is a code, an address, or both: the same for everybody of that
outcome, but for the panel's own number, which the device puts into the address (docs/decisions/0061-panels.md).
"""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy

from surveys.definition import check_panel
from surveys.domain.questionnaire.document import Document

OUTCOMES = ("sent", "out", "full")
FIELDS = ("by", "name", "number", *OUTCOMES)
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
    "redirect": Panel("", "pid", "[pid]", label=gettext_lazy("Another panel")),
}


def published_panel(document: Document) -> dict[str, Any]:
    """The definition's entry for the panel, if there is one."""
    entered = document["panel"]
    if entered is None:
        return {}
    preset = PANELS[entered["by"]]
    ends = {outcome: _published_end(preset, entered[outcome]) for outcome in OUTCOMES if entered[outcome]}
    number = {"number": entered["number"]} if entered["number"] else {}
    return {"panel": {"name": entered["name"], **number, "ends": ends}}


def _published_end(preset: Panel, text: str) -> dict[str, str]:
    """An end as it is published: an address, with the panel's number put in; or a code, and where to enter it."""
    if "://" in text:
        return {"address": text.replace(preset.hole, NUMBER) if preset.hole else text}
    return {"code": text} | ({"address": preset.address.format(code=text)} if preset.address else {})


def check_entered(entered: Any, _at: str = "") -> None:
    """Refuse a panel that could not be published; ends may still be empty."""
    if entered is not None:
        check_panel(published_panel({"panel": entered})["panel"])


def link_end(entered: dict[str, Any]) -> str:
    """The end of a link for the panel, which it fills with its number of the person; no server reads that there."""
    filled = PANELS[entered["by"]].filled
    return f"&{entered['number']}={filled}" if entered["number"] and filled else ""
