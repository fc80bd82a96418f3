"""The questions of a brief as people write them: a count, or a JSON document."""

from privacy.design import YES_NO, reading
from privacy.design.brief import Question


def parse_questions(source: str | bytes) -> tuple[Question, ...]:
    """{"items": [{"id": "drugs", "expected": 0.05}, {"id": "age", "options": [...], "expected": [...]}]}.

    `expected` may be left out of all items; for a yes/no item it is the share of yes.
    """
    document = reading.document(source, "the list of questions")
    reading.only_keys(document, ("items",), "questions")
    entries = reading.filled_list(document, "items", "questions")
    return tuple(
        _question(reading.mapping(entry, f"items[{place}]"), f"items[{place}]") for place, entry in enumerate(entries)
    )


def _question(entry: reading.Mapping[str, object], where: str) -> Question:
    reading.only_keys(entry, ("id", "options", "expected"), where)
    name = reading.text(entry, "id", where)
    options = reading.labels(entry["options"], f"{where}.options") if "options" in entry else YES_NO
    if "expected" not in entry:
        return Question(name, options)
    if "options" not in entry:
        yes = float(reading.share(entry, "expected", where))
        return Question(name, options, (1 - yes, yes))
    shares = reading.items(entry["expected"], f"{where}.expected")
    return Question(
        name, options, tuple(float(reading.share({"": share}, "", f"{where}.expected")) for share in shares)
    )
