"""The questions of a brief as people write them: a count, or a JSON document."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from privacy.design import YES_NO, blocks, reading
from privacy.design.brief import ExpectedItem
from privacy.design.notation import DECIMAL
from privacy.errors import InputError
from privacy.plan.prevalences import share_of
from privacy.plan.questionnaire import GridItem


def parse_questions(source: str | bytes) -> tuple[ExpectedItem | GridItem, ...]:
    """{"items": [{"id": "drugs", "expected": 0.05}, {"id": "age", "options": [...], "expected": [...]}]}.

    `expected` may be left out of all items; for a yes/no item it is the share of yes, or a word such as "rare"
    (`privacy.plan.prevalences`). `alone` names an option that no pattern pairs with others, such as "prefer not to
    say". A promise that is weaker may need a mark of every item, such as `harmless`. A number
    has `min`, `max` and perhaps `step` in place of options, a place `width`, `height`, `cell` and perhaps `zones`.

    >>> (drugs,) = parse_questions('{"items": [{"id": "drugs", "expected": 0.05}]}')
    >>> drugs.id, drugs.expected
    ('drugs', (0.95, 0.05))
    """
    document = reading.document(source, "the list of questions")
    reading.only_keys(document, ("items",), "questions")
    entries = reading.read_filled_list(document, "items", "questions")
    return tuple(
        question(reading.mapping(entry, f"items[{place}]"), f"items[{place}]") for place, entry in enumerate(entries)
    )


def question(entry: Mapping[str, Any], where: str) -> ExpectedItem | GridItem:
    """One item of such a list; `where` names it in a refusal.

    >>> question({"id": "age", "options": ["18-29", "30+"]}, "items[0]").options
    ('18-29', '30+')
    """
    for recipe, advised in blocks.ADVISED.items():
        if advised.takes(entry):
            reading.only_keys(entry, ("id", *advised.keys), where)
            item = {key: entry[key] for key in advised.keys if key in entry}
            _check_grid_item(recipe, item, where)
            return GridItem(reading.text(entry, "id", where), recipe, json.dumps(item))
    known = [name for advisor in blocks.ADVISORS for name, _ in advisor.marks]
    reading.only_keys(entry, ("id", "options", "expected", "alone", *known), where)
    name = reading.text(entry, "id", where)
    options = reading.labels(entry["options"], f"{where}.options") if "options" in entry else YES_NO
    marks = tuple((mark, reading.text(entry, mark, where)) for mark in known if mark in entry)
    alone = reading.text(entry, "alone", where) if "alone" in entry else None
    made = ExpectedItem(name, options, _read_expected(entry, where), marks, alone)
    for advisor in blocks.ADVISORS:
        advisor.check(made)
    return made


def mark_promise(questions: Iterable[ExpectedItem], promise: str) -> tuple[ExpectedItem, ...]:
    """Mark the questions with what a promise needs to know of each, by the usual rule of its kind.

    >>> from privacy.design.brief import yes_no
    >>> mark_promise(yes_no(1), "one_sided")[0].marks, mark_promise(yes_no(1), "")[0].marks
    ((('harmless', '0'),), ())
    """
    marks = [advisor.marks for advisor in blocks.ADVISORS if promise and advisor.promise == promise]
    return tuple(replace(question, marks=sum(marks, start=())) for question in questions)


def _read_expected(entry: Mapping[str, Any], where: str) -> tuple[float, ...] | None:
    if "expected" not in entry:
        return None
    if "options" not in entry:
        said = entry["expected"]
        yes = (
            share_of(said, f"{where}.expected")
            if isinstance(said, str)
            else float(reading.share(entry, "expected", where))
        )
        return 1 - yes, yes
    shares = reading.items(entry["expected"], f"{where}.expected")
    return tuple(float(reading.share({"": share}, "", f"{where}.expected")) for share in shares)


def _check_grid_item(recipe: str, item: Mapping[str, Any], where: str) -> None:
    """Refuse an item on a grid that its recipe cannot disguise; the refusal names the item's own place."""
    try:
        (block,) = blocks.RECIPES[recipe].write(blocks.ADVISED[recipe].settings(1.0), [{"id": "x", **item}])
        blocks.read(block, where, DECIMAL)
    except InputError as refusal:
        raise InputError(str(refusal).replace(f"{where}.items[0]", where)) from None
