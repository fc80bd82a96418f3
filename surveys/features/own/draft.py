"""Own draws in a document: what is published of them, and facts that would give answers away."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import EntryError, to_translate
from privacy.own_draw.person_draw import NamedFact
from privacy.own_draw.ready import birthdays
from privacy.own_draw.ways import WAYS
from surveys.definition import Definition
from surveys.domain.questionnaire.document import Draft, EnteredBlock, sensitive
from surveys.domain.questionnaire.draft_part import DraftPart, versions_elsewhere
from surveys.kinds import person
from surveys.models import Survey
from surveys.questions.entered import list_questions

CLIENT = Path(__file__).parents[2] / "client"
# Ways that put a fact beside a question, with the buttons of records 1 and 0; others have a table, and yes and no.
_SAME = "own.differ", "own.same"
COMPARED = {"crosswise": _SAME, "extended": _SAME, "triangular": ("own.least", "own.none")}
NEVER = 0.005  # how many may affirm what nobody does
OF_CROWD = to_translate("another study here asks people of “{crowd}” with the fact “{fact}”: take another. {together}")
OF_VERSION = to_translate(
    "version {number} asks with the fact “{fact}”, and who answered it may answer again: take another. {together}"
)


@cache
def texts_of_draws() -> dict[str, dict[str, str]]:
    """What respondents read of draws, by language."""
    known: dict[str, dict[str, str]] = json.loads((CLIENT / "features/own/texts.json").read_text(encoding="utf-8"))
    return known


def blocks_of_people(draft: Draft) -> list[EnteredBlock]:
    """The blocks with questions that people draw for."""
    return [block for block in draft.blocks if block.kind == person.NAME and draft.inside(block)]


def _entries(draft: Draft) -> dict[str, dict[str, str]]:
    own = draft.document["own"] or {}
    return {"own": {"never": own["never"]} if own.get("never") in sensitive(draft.document) else {}}


def facts_of_block(draft: Draft, block: EnteredBlock) -> list[NamedFact]:
    """The facts that a block takes, none where people only throw or draw something."""
    source, fact = (str(block.settings.get(name)) for name in ("source", "fact"))
    own = [NamedFact(source, fact)] if source in person.OF_PERSON else []
    if block.settings.get("draw_way") == "unrelated" and source not in person.GIVES_MANY:
        own += [NamedFact("day", one) for one in birthdays(fact, len(draft.inside(block)))]
    return own


def name_fact(fact: NamedFact) -> str:
    source, whose = _(person.SOURCES[fact.source]), _(person.FACTS.get(fact.whose, str(fact)))
    return _("%(source)s (%(whose)s)") % {"source": source, "whose": whose}


def name_draw(settings: Mapping[str, Any], facts: Sequence[NamedFact]) -> str:
    """With what people draw, whose fact it is, and what they do with it."""
    source, way = _(person.SOURCES[settings["source"]]), _(person.WAYS[settings["draw_way"]])
    things = [*([] if facts and settings["source"] in person.OF_PERSON else [source]), *map(name_fact, facts)]
    if person.turns(settings):
        things.append(_("which of them count is drawn by lot"))
    return _("%(things)s: %(way)s") % {"things": _(", ").join(things), "way": way}


def _find_same(fact: NamedFact, others: Collection[NamedFact]) -> NamedFact | None:
    """The first of these that may be this one; two people may have one phone."""
    at_home = (one for one in others if one.source == fact.source and fact.source == "phone")
    return fact.among(others) or next(at_home, None)


def _refusals(draft: Draft) -> Iterator[str]:
    used: dict[NamedFact, list[EnteredBlock]] = defaultdict(list)
    for block in blocks_of_people(draft):
        for fact in facts_of_block(draft, block):
            used[_find_same(fact, used) or fact].append(block)
    for fact, blocks in used.items():
        asked = list_questions([question for block in blocks for question in draft.inside(block)])
        if len(blocks) > 1:
            said = _("%(questions)s may use one fact, %(fact)s: give each another. %(together)s")
            way = WAYS.get(str(blocks[0].settings.get("draw_way")))
            known = {"fact": name_fact(fact), "together": _(way.together) if way else ""}
            yield said % {"questions": asked, **known}
        if fact.whose in (draft.document["own"] or {}).get("held", ()):
            said = _(
                "%(questions)s: who may see the answers knows %(fact)s, and with it the answer is no secret. Take "
                "another."
            )
            yield said % {"questions": asked, "fact": name_fact(fact)}
    if used and draft.document["direct"]:
        yield _("Who draws the chance answers disguised: a survey has either direct answers or own draws.")


def _allow(survey: Survey, definition: Definition) -> None:
    """A fact serves one answer of a person. Who answered an earlier version may answer this one, too;
    and people of a panel any of its studies. Whether anybody answered is not asked: the refusal would tell it.
    """
    own = (("", version) for version in survey.versions.all())
    for crowd, version in chain(own, versions_elsewhere(survey, definition)):
        before = [fact for block in version.design.blocks if block.draw for fact in block.draw.facts]
        for block in definition.design.blocks:
            again = [fact for fact in block.draw.facts if _find_same(fact, before)] if block.draw else []
            if block.draw and again:
                known = {"fact": name_fact(again[0]), "together": _(block.draw.way.together)}
                raise EntryError(OF_CROWD if crowd else OF_VERSION, crowd=crowd, number=version.number, **known)


PART = DraftPart(
    has=lambda document: any(block["kind"] == person.NAME and block["questions"] for block in document["blocks"]),
    entries=_entries,
    refusals=_refusals,
    allow=_allow,
    guesses=lambda document: {name: NEVER} if (name := (document["own"] or {}).get("never")) else {},
    lost=gettext_lazy("which question is never true, and which facts others know"),
)
