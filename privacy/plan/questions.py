"""The questions of a brief as people write them: a count, or a JSON document."""

from privacy.design import YES_NO, reading
from privacy.design.brief import ExpectedItem


def parse_questions(source: str | bytes) -> tuple[ExpectedItem, ...]:
    """{"items": [{"id": "drugs", "expected": 0.05}, {"id": "age", "options": [...], "expected": [...]}]}.

    `expected` may be left out of all items; for a yes/no item it is the share of yes. `harmless`, "0" or "1", says
    which answer to a yes/no item harms nobody; a one-sided promise needs it of every item.
    """
    document = reading.document(source, "the list of questions")
    reading.only_keys(document, ("items",), "questions")
    entries = reading.filled_list(document, "items", "questions")
    return tuple(
        _question(reading.mapping(entry, f"items[{place}]"), f"items[{place}]") for place, entry in enumerate(entries)
    )


def _question(entry: reading.Mapping[str, object], where: str) -> ExpectedItem:
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
