"""Operations on what people said: figures of every question, and reconstructed shares."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import numpy as np
from django.http import HttpResponse, JsonResponse

from config.api.address import SEE, VERSION, find_version
from config.api.operation import Call, Operations, QueryParameter, Reply
from config.api.problems import Problem
from config.api.schemas import EXACT, LINE, PEOPLE, TEXT, array_of, record, reference_to
from privacy.design.patterns import Pattern, parse_pattern
from privacy.estimate.weights import require_possible
from privacy.output import sides
from surveys.domain.responses.snapshots import cite
from surveys.percent import Share, possible_ends
from surveys.results.answers import answers
from surveys.results.following import of_pattern
from surveys.results.report import data_of
from surveys.shares import (
    DisguisedShare,
    Tables,
    estimate_jointly,
    estimate_options,
    estimate_share,
    patterns_of_options,
)

MOST_PATTERNS = 100
LANGUAGE = QueryParameter(
    "language", {"type": "string", "pattern": "^[-a-zA-Z0-9]{2,20}$"}, "of texts, where the questionnaire has it"
)
PATTERN = QueryParameter(
    "pattern",
    {"type": "string", "pattern": LINE, "minLength": 1, "maxLength": 1000},
    "comma-separated literals; may be given up to 100 times",
    required=True,
    many=True,
)


operations = Operations("analyses")


@operations.declare(
    f"GET {VERSION}/answers",
    "read",
    SEE,
    Reply(
        "figures by question",
        record(snapshot=TEXT, n=PEOPLE, exact=EXACT, questions=array_of(reference_to("Question"))),
    ),
    query=(LANGUAGE,),
    refusals={409: "too few have answered"},
)
def get_answers(call: Call) -> HttpResponse:
    """What people said, question by question, with errors.

    Shares of a sensitive question are of the people who were asked it, others of the people who answered.
    """
    data = data_of(find_version(call))
    language = call.query["language"] or "en"
    questions = [
        {
            "name": question.name,
            "text": question.text,
            "sensitive": question.sensitive,
            "why_not": str(question.why_not),
            "displays": [to_json(display) | {"n": data.people(display.n).number} for display in question.displays],
        }
        for question in answers(data, language)
    ]
    return JsonResponse({"snapshot": cite(data.snapshot), **data.everybody.as_json("n"), "questions": questions})


@operations.declare(
    f"GET {VERSION}/shares",
    "read",
    SEE,
    Reply(
        "the share of each pattern",
        record(snapshot=TEXT, n=PEOPLE, exact=EXACT, patterns=array_of(reference_to("Pattern"))),
    ),
    query=(PATTERN,),
    refusals={409: "too few have answered, there is no such item, or nothing tells of the pattern"},
)
def get_shares(call: Call) -> HttpResponse:
    """Reconstructed shares of patterns such as drugs,!cheating.

    The estimator is the stratified one. The share of answers to one question is fitted, as on pages, where some
    estimate is no share. That of several goes with these: none is negative, and they sum to those of each question. A
    share that was fitted has `raw`. Of three questions or more it is null where shares of fewer of them, fitted each by
    itself, contradict each other. Shares are of the people who were asked; `n` of them were asked all of a
    pattern, never fewer than the survey shows anything of. `attentive` is the share of those who follow the
    design, where a pair of questions tells it, and null elsewhere.
    """
    data = data_of(find_version(call))
    texts = call.query["pattern"]
    if len(texts) > MOST_PATTERNS:
        raise Problem(422, f"pattern: {len(texts)} patterns are more than {MOST_PATTERNS}.", "pattern")
    patterns = [parse_pattern(text, data.version.design) for text in texts]
    for pattern in patterns:
        require_possible(data.version.design, pattern, "stratified")

    @cache
    def options(column: int) -> list[Share | None]:
        every = patterns_of_options(data.version.design, column)
        return [one.all for one in estimate_options(data.for_single_answers, every, data.least, data.least_alone)]

    def estimate(pattern: Pattern) -> DisguisedShare:
        if len(pattern.columns) == 1:
            return estimate_share(data.for_single_answers, pattern, data.least, data.least_alone)
        own = [options(column) for column in pattern.columns]
        return estimate_jointly(data.for_patterns, pattern, data.least, own, known)

    known: Tables = {}
    estimates = [estimate(pattern) for pattern in patterns]
    shares_of = [
        {"pattern": text, "n": data.people(each.n).number}
        | {name: to_json(getattr(each, name)) for name in ("all", "direct", "disguised")}
        | {"difference": to_json(each.difference and vars(each.difference))}
        | {"attentive": to_json(of_pattern(data, text))}
        for text, each in zip(texts, estimates, strict=True)
    ]
    return JsonResponse({"snapshot": cite(data.snapshot), **data.everybody.as_json("n"), "patterns": shares_of})


def to_json(value: Any) -> Any:
    """Return a display as JSON: its fields without its functions. Infinite numbers are null, with a side.

    The interval of a share is that of the page; raw estimates and differences are as they came out.
    """
    if is_dataclass(value) and not isinstance(value, type):
        members = {field.name: getattr(value, field.name) for field in fields(value)}
        if isinstance(value, Share):
            members["low"], members["high"] = possible_ends(value)
        members |= {name: vars(members[name]) for name in ("raw", "difference") if isinstance(members.get(name), Share)}
        return to_json({name: member for name, member in members.items() if not callable(member)})
    if isinstance(value, Mapping):
        members = {
            str(name): member.tolist() if isinstance(member, np.ndarray) else member for name, member in value.items()
        }
        infinite = {f"{name}_infinite": found for name, member in members.items() if (found := sides(member))}
        return {name: to_json(member) for name, member in members.items()} | infinite
    if isinstance(value, np.ndarray | np.generic):
        return to_json(value.tolist())
    if isinstance(value, list | tuple):
        return [to_json(member) for member in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
