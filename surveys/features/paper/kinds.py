"""How many kinds of sheets a draft makes, and what paper takes: said before it is published."""

import json
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from privacy.design import Design
from privacy.errors import InputError
from privacy.output import format_count
from privacy.own_draw.ready import ready_draws
from surveys.domain.drafts.changes import apply
from surveys.domain.questionnaire.compose import compose_design, design_or_none
from surveys.domain.questionnaire.document import Draft
from surveys.features.own.draft import blocks_of_people, name_draw
from surveys.features.paper import MODE
from surveys.features.paper.form import count_lots
from surveys.sentences import join_sentences
from surveys.studio.protection import promise_in_short


def say_kinds(kinds: int, least: int) -> str:
    """How many kinds of sheets there are, and how many sheets each of enough people makes."""
    if kinds == 1:
        return _("All sheets are alike.")
    return _(
        "On paper this makes %(kinds)s kinds of sheets, and each must be that of %(least)s people or more: print "
        "%(needed)s sheets or more."
    ) % {"kinds": format_count(kinds), "least": format_count(least), "needed": format_count(kinds * least)}


def say_when(draft: Draft) -> str:
    """That paper is decided on before a version is published; empty where it is decided on."""
    version = draft.survey.versions.last()
    if (version is None and draft.document["paper"]) or (version and MODE in version.parsed.source):
        return ""
    if version is None:
        return _("Decide on paper now: once this is published, paper takes a new version.")
    return _("Version %(number)s is without paper, which takes a new version.") % {"number": version.number}


def design_of_people(draft: Draft) -> Design | None:
    """The design of a draft of which people draw everything, so that it may be on paper; None of another one."""
    design = design_or_none(draft)
    by_people = design and design.blocks and all(block.draw for block in design.blocks) and not design.direct
    return design if by_people else None


def pane(draft: Draft) -> dict[str, Any]:
    """Whether people may answer on paper, how many sheets that takes, and draws that make fewer kinds of them."""
    if (design := design_of_people(draft)) is None:
        return {}
    kinds, least, people = count_lots(design), draft.survey.least, draft.document["expected"]
    few = kinds > 1 and kinds * least > people
    return {
        "said": say_kinds(kinds, least),
        "few": _say_few(draft) if few else "",
        "decided": say_when(draft),
        "paper": draft.document["paper"],
        "fewer": list(_fewer_kinds(draft, kinds)) if few else [],
    }


def _say_few(draft: Draft) -> str:
    return _("You plan for %(n)s people.") % {"n": format_count(draft.document["expected"])}


def _fewer_kinds(draft: Draft, kinds: int) -> Iterator[dict[str, Any]]:
    """Ready draws that make fewer kinds of sheets: how many, what the promise becomes, and the change to it."""
    for block in blocks_of_people(draft):
        for name, settings in ready_draws(len(draft.inside(block))).items():
            change = {"do": "draw", "block": block.name, "value": name}
            try:
                document = apply(draft.survey, draft.document, change)
                made = count_lots(compose_design(Draft.from_document(draft.survey, document)))
            except InputError:
                continue
            if made < kinds:
                yield {
                    "words": name_draw(settings, []),
                    "said": say_kinds(made, draft.survey.least),
                    "promised": promise_in_short(draft.survey, document),
                    "change": json.dumps(change),
                }


def remarks(draft: Draft) -> Iterator[tuple[str, str]]:
    """What is worth a look before publishing: sheets for more people than are planned, and paper that nobody chose."""
    if (design := design_of_people(draft)) is None:
        return
    kinds = count_lots(design)
    if draft.document["paper"] and kinds > 1 and kinds * draft.survey.least > draft.document["expected"]:
        yield join_sentences([say_kinds(kinds, draft.survey.least), _say_few(draft)]), "protect"
    if when := say_when(draft):
        yield when, "protect"
