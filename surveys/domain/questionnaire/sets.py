"""A page of which each device asks only some questions, drawn by chance.

What is drawn is the answer to one more question, as a version is: a set of so many questions, each set as likely. Every
undisguised question of the page has those sets as its condition that hold it. So a response says what was asked, and
checks, figures and files know of it what they know of any condition. Which of the disguised questions are asked is a
matter of their block (`ask`), and not of the page.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from privacy.design.rationals import apportion
from privacy.errors import EntryError
from surveys.conditions import narrow
from surveys.domain.questionnaire.document import Page
from surveys.features.questions import asks_people
from surveys.questions import Asks, type_asking
from surveys.questions.rows import READY

Entry = dict[str, Any]
MOST_SETS = 100


def are_drawn(entries: Sequence[Entry], sensitive: Collection[str]) -> list[Entry]:
    """The questions of a page among which a device draws: undisguised ones that people answer."""
    return [entry for entry in entries if entry["id"] not in sensitive and asks_people(entry)]


def possible_numbers(names: Collection[Any]) -> list[int]:
    """The numbers of questions that a page may ask of these.

    >>> possible_numbers("abc"), possible_numbers(range(15))
    ([1, 2], [1, 14])
    """
    return [ask for ask in range(1, len(names)) if comb(len(names), ask) <= MOST_SETS]


def ask_some(page: Page, entries: list[Entry], languages: Sequence[str]) -> list[Entry]:
    """The page's entries as published: where it asks only some questions, the draw comes first, as a question."""
    if page.ask is None:
        return entries
    names = [entry["id"] for entry in are_drawn(entries, {entry["id"] for entry in entries if entry["sensitive"]})]
    if page.ask not in possible_numbers(names):
        raise EntryError(
            "a page can ask {ask} of more undisguised questions than that, in at most {most} ways; here are {count}.",
            at=page.place,
            ask=page.ask,
            most=MOST_SETS,
            count=len(names),
        )
    drawn, sets = f"asked-{page.number}", list(combinations(range(1, len(names) + 1), page.ask))
    values = ["-".join(map(str, one)) for one in sets]

    def asked_in(place: int) -> Entry:
        return {"question": drawn, "is": [value for value, one in zip(values, sets, strict=True) if place in one]}

    places = {name: index for index, name in enumerate(names, 1)}
    return [
        {
            "id": drawn,
            "type": type_asking(Asks.ONE_OF).name,
            "sensitive": False,
            "text": {tag: READY["asked"].get(tag, READY["asked"]["en"]) for tag in languages},
            "options": [{"value": value, "label": dict.fromkeys(languages, value)} for value in values],
            "chances": [*apportion([Fraction(1)] * len(sets))],
        },
        *(narrow(entry, asked_in(places[entry["id"]])) if entry["id"] in places else entry for entry in entries),
    ]
