"""Surveys to begin from, with questions after published studies, in both languages.

Each is a file in `beginnings/` with what a document says of it, and `sensitive` at its questions; the rest is as usual.
Every sensitive question that can have it has "prefer not to say", and each has one of the `sources`. Of a study
several have one file: its `arms` hold what is otherwise in each, such as `hidden`, which questions are disguised. All
arms have the same answers, yes and no: nobody skips a button of a draw.
"""

import json
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

from surveys import features
from surveys.domain.drafts.protect import arrange_blocks, by_hand, usual
from surveys.domain.questionnaire.document import TEXTS, Document, empty, new_option, new_page, new_question, questions
from surveys.models import Survey
from surveys.questions import TYPES
from surveys.questions.rows import PREFER_NOT, SKIP, ready_texts

FOLDER = Path(__file__).parent / "beginnings"


@dataclass(frozen=True)
class Beginning:
    """A survey to begin from: its file, and a sentence `about` what it asks and after which studies.

    `arm` is which arm of a study it is, and `called` how people call that.
    """

    file: str
    about: Any  # a lazy translation
    arm: str = ""
    called: Any = ""  # a lazy translation

    def title(self, language: str) -> str:
        heading: dict[str, str] = _load_file(self.file)["heading"]
        return " – ".join(filter(None, (heading.get(language) or heading["en"], str(self.called))))

    @property
    def sources(self) -> list[str]:
        return [source["text"] for source in _load_file(self.file)["sources"]]


BEGINNINGS = {
    "academic-integrity": Beginning(
        "academic-integrity.json",
        _("Ten questions on cheating in studies, after McCabe and Treviño (1993) and Bretag and others (2019)."),
    ),
    "workplace-harassment": Beginning(
        "workplace-harassment.json",
        _("Nine questions on harassment at work, after the Negative Acts Questionnaire (Einarsen and others 2009)."),
    ),
    "substance-use": Beginning(
        "substance-use.json", _("Eight questions on drugs, alcohol and medicines, after ASSIST of the WHO (2002).")
    ),
    "corruption": Beginning(
        "corruption.json",
        _("Eight questions on bribes and favours, after the manual on corruption surveys of UNODC (2018)."),
    ),
    "validation": Beginning(
        "validation.json",
        _("A study of the technique itself: known answers, and a made-up secret by lot. One link draws the arm."),
        called=_("device"),
    ),
    "validation-plain": Beginning(
        "validation.json",
        _("The arm of that study which asks plainly. The made-up secret alone is disguised, as a survey needs one."),
        "plain",
        _("plain"),
    ),
    "validation-own": Beginning(
        "validation.json",
        _("The arm of that study in which people draw themselves, with the birthdays of four people."),
        "own",
        _("own draw"),
    ),
}


def beginning(name: str, title: str, language: str) -> Document:
    """Make the document of a beginning: `language` comes first, and its sensitive questions are in blocks."""
    written = _load_file(BEGINNINGS[name].file)
    tags = list(written["heading"])
    first = language if language in tags else tags[0]
    document = empty(title, [first, *(tag for tag in tags if tag != first)])
    document |= {field: dict(written[field]) for field in TEXTS if field in written}
    document["pages"] = [
        new_page(number)
        | page
        | {"questions": [_complete_question(one, tags, "arms" not in written) for one in page["questions"]]}
        for number, page in enumerate(written["pages"], 1)
    ]
    document |= {field: written[field] for field in features.empty() if field in written}
    document["protection"] = usual()
    wanted = {each["id"] for page in written["pages"] for each in page["questions"] if each.get("sensitive")}
    arm = deepcopy(written["arms"][BEGINNINGS[name].arm]) if BEGINNINGS[name].arm else {}
    hidden = {*arm.pop("hidden", wanted)}
    for question in questions(document):  # shares of optional ones are shown where enough people skipped them
        question["required"] = question["required"] or question["id"] in wanted - hidden
    wanted, document = hidden, document | arm
    if "blocks" not in arm:
        return arrange_blocks(Survey(), document, wanted)
    by_hand(document)
    return document


def _complete_question(written: dict[str, Any], tags: list[str], skips: bool) -> dict[str, Any]:
    own = {name: value for name, value in written.items() if name not in ("sensitive", "options")}
    options = [new_option(**option) for option in written.get("options", ())]
    if written.get("sensitive") and skips and (usual := TYPES[written["type"]].skipped) is not None:
        options = options or [new_option(value, ready_texts(tags, label)[0]) for value, label in usual]
        options.append(new_option(SKIP, ready_texts(tags, PREFER_NOT)[0], last=True))
    return {**new_question(written["id"], written["type"]), **own, "options": options}


@cache
def _load_file(file: str) -> dict[str, Any]:
    return json.loads((FOLDER / file).read_text(encoding="utf-8"))
