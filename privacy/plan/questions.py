"""The questions of a brief as people write them: a count, or a JSON document."""

import json
from collections.abc import Mapping
from typing import Any

from privacy.design import YES_NO, blocks, reading
from privacy.design.brief import ExpectedItem
from privacy.design.notation import DECIMAL
from privacy.errors import InputError
from privacy.plan.questionnaire import GridItem


def parse_questions(source: str | bytes) -> tuple[ExpectedItem | GridItem, ...]:
    """{"items": [{"id": "drugs", "expected": 0.05}, {"id": "age", "options": [...], "expected": [...]}]}.

    `expected` may be left out of all items; for a yes/no item it is the share of yes. `harmless`, "0" or "1", says
    which answer to a yes/no item harms nobody; a one-sided promise needs it of every item. A number has `min`, `max`
    and perhaps `step` in place of options, a place `width`, `height`, `cell` and perhaps `zones`.

    Parameters
    ----------
    source : str or bytes
        JSON.

    Returns
    -------
    tuple of ExpectedItem or GridItem

    Examples
    --------
    >>> (drugs,) = parse_questions('{"items": [{"id": "drugs", "expected": 0.05}]}')
    >>> drugs.id, drugs.expected
    ('drugs', (0.95, 0.05))
    """
    document = reading.document(source, "the list of questions")
    reading.only_keys(document, ("items",), "questions")
    entries = reading.filled_list(document, "items", "questions")
    return tuple(
        question(reading.mapping(entry, f"items[{place}]"), f"items[{place}]") for place, entry in enumerate(entries)
    )


def question(entry: Mapping[str, Any], where: str) -> ExpectedItem | GridItem:
    """One item of such a list; `where` names it in a refusal.

    Parameters
    ----------
    entry : mapping of str to object
        Its entry in the list.
    where : str
        The place in the list, which a refusal names.

    Returns
    -------
    ExpectedItem or GridItem

    Examples
    --------
    >>> question({"id": "age", "options": ["18-29", "30+"]}, "items[0]").options
    ('18-29', '30+')
    """
    for form, advised in blocks.ADVISED.items():
        if advised.takes(entry):
            reading.only_keys(entry, ("id", *advised.keys), where)
            item = {key: entry[key] for key in advised.keys if key in entry}
            _check(form, item, where)
            return GridItem(reading.text(entry, "id", where), form, json.dumps(item))
    reading.only_keys(entry, ("id", "options", "expected", "harmless"), where)
    name = reading.text(entry, "id", where)
    options = reading.labels(entry["options"], f"{where}.options") if "options" in entry else YES_NO
    harmless = reading.text(entry, "harmless", where) if "harmless" in entry else None
    if "expected" not in entry:
        return ExpectedItem(name, options, harmless=harmless)
    if "options" not in entry:
        yes = float(reading.share(entry, "expected", where))
        return ExpectedItem(name, options, (1 - yes, yes), harmless)
    shares = reading.items(entry["expected"], f"{where}.expected")
    given = tuple(float(reading.share({"": share}, "", f"{where}.expected")) for share in shares)
    return ExpectedItem(name, options, given, harmless)


def _check(form: str, item: Mapping[str, Any], where: str) -> None:
    """Say what is wrong with an item on a grid, at its own place."""
    try:
        (block,) = blocks.FORMS[form].write(blocks.ADVISED[form].settings(1.0), [{"id": "x", **item}])
        blocks.read(block, where, DECIMAL)
    except InputError as refusal:
        raise InputError(str(refusal).replace(f"{where}.items[0]", where)) from None
