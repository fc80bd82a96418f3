"""The questions of a brief as people write them: a count, or a JSON document."""

from privacy import read
from privacy.advise.brief import Question
from privacy.design import YES_NO


def parse_questions(source: str | bytes) -> tuple[Question, ...]:
    """{"items": [{"id": "drugs", "expected": 0.05}, {"id": "age", "options": [...], "expected": [...]}]}.

    `expected` may be left out of all items; for a yes/no item it is the share of yes.
    """
    document = read.document(source, "the list of questions")
    read.only_keys(document, ("items",), "questions")
    entries = read.filled_list(document, "items", "questions")
    return tuple(
        _question(read.mapping(entry, f"items[{place}]"), f"items[{place}]") for place, entry in enumerate(entries)
    )


def _question(entry: read.Mapping[str, object], where: str) -> Question:
    read.only_keys(entry, ("id", "options", "expected"), where)
    name = read.text(entry, "id", where)
    options = read.labels(entry["options"], f"{where}.options") if "options" in entry else YES_NO
    if "expected" not in entry:
        return Question(name, options)
    if "options" not in entry:
        yes = float(read.share(entry, "expected", where))
        return Question(name, options, (1 - yes, yes))
    shares = read.items(entry["expected"], f"{where}.expected")
    return Question(name, options, tuple(float(read.share({"": share}, "", f"{where}.expected")) for share in shares))
