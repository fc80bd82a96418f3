"""What the page of a survey shows beside its forms: the protection, what is missing, what is published and sealed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.design.rationals import ONE
from privacy.errors import InputError
from privacy.guarantee import advice, rounded_up
from privacy.plan.connections import Connection, expects_none, roughly
from surveys.domain.questionnaire.check import missing, why_not
from surveys.domain.questionnaire.promise import covered, figure, percent, promised, sentences
from surveys.domain.questionnaire.protection import LONGEST, Protection, Scope, frozen, protection
from surveys.domain.questionnaire.publish import is_closed, is_early
from surveys.domain.questionnaire.testable import of_definition, of_draft, powers
from surveys.domain.questionnaire.write import Draft, checks, compose, compose_design, override, page_entries
from surveys.domain.responses import counts
from surveys.domain.responses.snapshots import latest
from surveys.models import Inbox, Snapshot, Survey, SurveyVersion
from surveys.questions import TYPES

ROUGH = 0.1  # of a larger standard error the page warns: its interval is wider than a third of the range of a share


@dataclass(frozen=True)
class ProtectionRow:
    """One line of the table of protection, as it is shown."""

    name: str
    asked: str
    gamma: str
    epsilon: str
    odds: str
    posterior: str
    errors: list[str]


def panel(survey: Survey) -> dict[str, Any]:
    """The context of templates/admin/surveys/panel.html."""
    draft = Draft.stored(survey)
    version = survey.versions.last()
    reasons = missing(draft)
    return {
        **protection_context(draft),
        "missing": reasons,
        "version": version,
        "unchanged": bool(version and not reasons and is_published(survey, version)),
        "state": state(survey, version is not None),
        "closed": is_closed(survey),
        "frozen": survey.closed_at is not None,
        **sealed(latest(survey)),
        "lost": Inbox.objects.filter(version__survey=survey, round__lost=True).exists(),
    }


def sealed(snapshot: Snapshot | None) -> dict[str, Any]:
    """The context of templates/admin/surveys/sealed.html."""
    return {"snapshot": snapshot, "sealed": snapshot and counts.of_snapshot(snapshot)}


def on_grid(draft: Draft) -> str:
    """The sensitive questions for a number or a place, by their names."""
    kinds = [(entered, TYPES[entered.question.type].disguise) for entered in draft.questions if entered.question.block]
    return _(", ").join(str(entered.question) for entered, disguise in kinds if disguise and disguise.on_grid)


def forced(draft: Draft) -> str:
    """The sensitive questions to which somebody can only say yes or no, by their names."""
    disguised = [entered for entered in draft.questions if entered.question.block is not None]
    return _(", ").join(str(entered.question) for entered in disguised if TYPES[entered.question.type].forces(entered))


def protection_context(draft: Draft) -> dict[str, Any]:
    """The context of templates/admin/surveys/protection.html; `refused` says why there is none."""
    try:
        promises = protection(draft)
    except InputError as error:
        return {"refused": why_not(draft, error)}
    with_open = any(entered.question.block is None for entered in draft.questions)
    context = promise_table(promises, with_open)
    return context | {"tests": powers(of_draft(draft)), "forced": forced(draft), "on_grid": on_grid(draft)}


def promise_table(promises: Protection, with_open: bool) -> dict[str, Any]:
    """The context of the table; a single block is not listed below the whole record, because it is the same."""
    blocks = promises.blocks if len(promises.blocks) > 1 else ()
    scopes = (promises.whole, *blocks)
    return {
        "promise": promise(promises),
        "covered": covered(promises.design, with_open),
        "sentences": sentences(promises.design),
        "advice": [_(sentence).format(limit=f"{promises.limit:g}") for sentence in advice(promises.design)],
        "rough": rough(promises),
        "no_rules": no_rules(promises),
        "connections": [connection(one) for one in promises.connections],
        "accuracy": list(_accuracy(promises)),
        "band": band(promises),
        "dash": any(math.isinf(error) for scope in scopes for error in scope.standard_errors),
        "blank": any(len(scope.standard_errors) < LONGEST for scope in scopes),
        "rows": [_row(_("The whole record"), promises.whole), *(_row(block.name, block) for block in blocks)],
        "respondents": promises.respondents,
        "over_limit": promises.over_limit,
        "leaks": promises.design.leaks,
        "one_sided": promises.whole.guarantee.one_sided,
    }


def _accuracy(promises: Protection) -> Iterator[tuple[str, str]]:
    """How precise each number and each place will be known, by its name."""
    for block in promises.design.blocks:
        if block.distribution is not None:
            said = block.distribution(None).accuracy(promises.respondents)
            yield block.items[0].id, " ".join(one.written(_) for one in said)


def frozen_context(version: SurveyVersion) -> dict[str, Any]:
    """The context for a published version. Its blocks have no names, and advice would come too late."""
    with_open = bool(version.parsed.open_questions)
    context = promise_table(frozen(version.design, version.survey.expected), with_open)
    return context | {"tests": powers(of_definition(version.parsed, version.survey.expected)), "frozen": True}


def promise(promises: Protection) -> str:
    """The sentence in chances, with its numbers."""
    return promised(promises.design)


def rough(promises: Protection) -> str:
    """A warning if an expected standard error is so large that the estimate says next to nothing."""
    kinds = (_("one answer"), _("a pair"), _("a triple"))
    wide = [
        f"{kind} ±{error:.2g}"
        for kind, error in zip(kinds, promises.whole.standard_errors, strict=False)
        if ROUGH < error < math.inf
    ]
    if not wide:
        return ""
    return _(
        "Too rough to tell much: %(errors)s, where a share lies between 0 and 1. More respondents, fewer questions in "
        "a block, asking only some of them, or flips make it more exact."
    ) % {"errors": _(", ").join(wide)}


def no_rules(promises: Protection) -> str:
    """The warning that nothing that goes together is to be expected, and how many respondents that would take."""
    connections = promises.connections
    if not expects_none(connections):
        return ""
    said = _("Expect no rules from %(n)s respondents.") % {"n": promises.respondents}
    enough = [one.needed for one in connections if one.needed is not None]
    if not enough:
        return said
    return f"{said} " + _("About %(needed)s would be needed.") % {"needed": roughly(min(enough))}


def connection(one: Connection) -> str:
    """How likely a rule of so many answers is found."""
    said = ngettext(
        "If of those who give %(count)s answer %(those)s %% give another one, too, where among all it is %(all)s %%, "
        "this is found in %(chance)s %% of surveys like yours.",
        "If of those who give %(count)s answers %(those)s %% give another one, too, where among all it is %(all)s %%, "
        "this is found in %(chance)s %% of surveys like yours.",
        one.length - 1,
    ) % {
        "count": one.length - 1,
        "those": round(100 * one.among_those),
        "all": round(100 * one.among_all),
        "chance": f"{100 * one.chance:.2g}",
    }
    if one.needed is None:
        return said
    return f"{said} " + _("In 80 %% of them with %(needed)s respondents.") % {"needed": roughly(one.needed)}


def band(promises: Protection) -> str:
    """How far one forged response moves figures; nothing where nothing bounds it."""
    lengths = (_("of one answer"), _("of two"), _("of three"))
    moves = [
        _("%(of)s %(points)s points") % {"of": length, "points": f"{rounded_up(100 * one.shift, 2):f}"}
        for length, one in zip(lengths, promises.forged, strict=False)
        if 0 < one.shift < 1
    ]
    return (
        _("One forged response moves a figure at most so far: %(told)s.") % {"told": _(", ").join(moves)}
        if moves
        else ""
    )


def summary(promises: Protection) -> str:
    """The sentence, then γ and ε. The admin writes the first letter of a message large, and Γ is another quantity."""
    row = _row("", promises.whole)
    if promises.whole.guarantee.one_sided:
        return promise(promises)
    return f"{promise(promises)} γ = {row.gamma}, ε = {row.epsilon}."


def is_published(survey: Survey, version: SurveyVersion) -> bool:
    """Whether the draft is the same, word for word, as the version that respondents get."""
    return sha256(compose(survey).to_bytes()).hexdigest() == version.sha256


def state(survey: Survey, published: bool) -> str:
    if not published:
        return _("draft")
    if survey.erasing_since:
        return _("closed, and not erased yet")
    if is_closed(survey):
        return _("closed")
    return _("not open yet") if is_early(survey) else _("open")


def drafted(draft: Draft) -> dict[str, Any]:
    """A draft in the shape of a definition, as far as it has been entered."""
    signed = None
    with suppress(InputError):  # an unfinished design has no γ that could be signed
        signed = override(draft.survey, compose_design(draft))
    return {
        "languages": draft.survey.language_tags,
        "override": signed,
        **{name: True for name in ("early", "beside") if getattr(draft.survey, name)},
        **checks(draft.survey),
        "title": draft.survey.heading,
        **{name: getattr(draft.survey, name) for name in ("who", "why", "consent", "closing", "closed")},
        "pages": page_entries(draft),
    }


def questionnaire(definition: dict[str, Any]) -> dict[str, Any]:
    """The context of templates/admin/surveys/questionnaire.html."""
    texts = [
        (_("Title"), definition["title"]),
        (_("Who asks"), definition["who"]),
        (_("Why"), definition["why"]),
        (_("Consent"), definition["consent"]),
        (_("Thanks"), definition["closing"]),
        (_("Once it is closed"), definition.get("closed") or {}),
    ]
    languages = definition["languages"]
    return {
        "texts": [(name, _in_order(words, languages)) for name, words in texts if any(words.values())],
        "override": definition.get("override"),
        "announced": list(announced(definition)),
        "pages": [
            {
                "number": page.get("number", place),
                "title": _in_order(page.get("title"), languages),
                "questions": [_readable(question, languages) for question in page["questions"]],
            }
            for place, page in enumerate(definition["pages"], 1)
        ],
    }


def announced(definition: dict[str, Any]) -> Iterator[str]:
    """What respondents read about who may read responses, where it is not the usual."""
    if "early" in definition:
        yield _(
            "Responses, open answers and figures of open questions may be looked at before this version is closed; "
            "direct answers wait."
        )
    if "beside" in definition:
        yield _("In files, what people write in their own words stays beside their other answers.")
    if "lot" in definition:
        yield _(
            "Devices draw %(percent)s in 100 people, who are asked to answer undisguised and may decline; nobody else "
            "is offered it."
        ) % {"percent": f"{100 * definition['lot'] / ONE:.3g}"}
    if "anchor" in definition:
        known = definition["anchor"]
        yield _("The share of one answer is known, and responses are held against it: %(answer)s, %(percent)s %%.") % {
            "answer": known["answer"],
            "percent": f"{100 * known['share']:.4g}",
        }


def _in_order(words: dict[str, str] | None, languages: list[str]) -> dict[str, str]:
    """The main language first; a definition is stored with its keys sorted."""
    return {tag: words[tag] for tag in languages if tag in words} if words else {}


def _readable(question: dict[str, Any], languages: list[str]) -> dict[str, Any]:
    rows = [(item["id"], item["label"], False) for item in question.get("items", ())]
    rows += [(option["value"], option["label"], "last" in option) for option in question.get("options", ())]
    return {
        "id": question["id"],
        "text": _in_order(question["text"], languages),
        "help": _in_order(question.get("help"), languages),
        "marks": _(", ").join(_marks(question)),
        "ends": {end: _in_order(words, languages) for end, words in question.get("ends", {}).items()},
        "options": [(value, _in_order(label, languages), last) for value, label, last in rows],
    }


def _marks(question: dict[str, Any]) -> Iterator[str]:
    """What is said of a question beside its texts: its type, whether it is disguised, required, limited, …"""
    own = TYPES[question["type"]]
    yield str(own.label)
    if own.disguise is not None:  # the name of another type says that it is not
        yield _("disguised") if question["sensitive"] else _("not disguised")
    if question.get("required"):
        yield _("required")
    if limits := own.limits(question):
        yield limits
    if question.get("shuffle"):
        yield _("options in random order")
    if when := question.get("when"):
        yield _("only when %(question)s = %(values)s") % {
            "question": when["question"],
            "values": _(" or ").join(f"“{value}”" for value in when["is"]),
        }


def links(request: HttpRequest, version: SurveyVersion) -> dict[str, Any]:
    """The context of templates/admin/surveys/link.html: a link and a poster, if they let anybody in."""
    survey = version.survey
    if survey.rehearses_id is not None:
        return {"nobody": _("Simulated people alone answer this: no link leads here.")}
    if is_closed(survey):
        return {"nobody": _("The survey is closed: its links let nobody in any more.")}
    if version != survey.versions.last():
        return {"nobody": _("A newer version took its place: its links let nobody in any more.")}
    if version.parsed.access != "open":
        return {"nobody": _("Only who is invited can answer: every invitation has a link of its own.")}
    return {"link": link(request, version), "poster": reverse("poster", args=[survey.slug])}


def link(request: HttpRequest, version: SurveyVersion) -> str:
    """The address with the check mark of the version."""
    return request.build_absolute_uri(reverse("survey", args=[version.survey.slug])) + f"#v={version.sha256}"


def _row(name: str, scope: Scope) -> ProtectionRow:
    asked = str(scope.items) if scope.asked == scope.items else _("%s of %s") % (scope.asked, scope.items)
    errors = ["—" if math.isinf(error) else f"±{error:.2g}" for error in scope.standard_errors]
    return ProtectionRow(
        name,
        asked,
        figure(scope.guarantee.gamma),
        figure(scope.guarantee.epsilon),
        figure(scope.guarantee.odds),
        f"{percent(scope.guarantee.posterior_odds)} %",
        errors + [""] * (LONGEST - len(errors)),
    )
