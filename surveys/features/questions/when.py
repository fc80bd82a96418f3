"""A condition on answers to earlier undisguised questions (surveys.conditions): asked only where it holds.

"when": {"question": "gender", "is": ["f"]}      also several cases, {"all": [CASE, …]} or {"any": [CASE, …]}
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import NoneType
from typing import Any

from django.utils.translation import gettext as _

from privacy.errors import EntryError, to_translate
from surveys.conditions import Condition, check_shape, fold, join_conditions, leaves, leaves_of
from surveys.features.questions.field import Entered, Known, QuestionField
from surveys.questions import Entry, PublishedQuestion, type_of
from surveys.rules import checked_by, or_null


class When(QuestionField):
    name = "when"
    rule = staticmethod(or_null(checked_by(check_shape)))
    empty = NoneType
    undisguised = same_page = True
    too_late = to_translate(
        "its condition needs a question that comes earlier in every order: let neither page nor questions change "
        "places."
    )

    def read(self, entry: Entry, at: str, languages: Sequence[str]) -> Mapping[str, Any]:
        if entry["when"]:
            check_shape(entry["when"], f"{at}.when")
        return {"when": entry["when"] or None}

    def references(self, entry: Entry) -> Iterable[str]:
        return (leaf["question"] for leaf in leaves(entry.get("when")))

    def check_references(self, question: PublishedQuestion, earlier: Known) -> None:
        for leaf in leaves_of(question):
            name, at = leaf["question"], f"question '{question.id}'.when"
            if question.sensitive or name not in earlier or earlier[name].sensitive:
                raise EntryError("a condition must depend on an earlier undisguised question.", at=at)
            if not set(leaf["is"]) <= set(type_of(earlier[name]).answers(earlier[name])):
                raise EntryError("its condition needs an option of '{name}'.", at=at, name=name)

    def marks(self, entry: Entry) -> Iterator[str]:
        yield _("only when %(condition)s") % {"condition": fold(entry["when"], _say_case, _say_cases)}

    def rename(self, question: Entered, old: str, new: str) -> None:
        def follow(leaf: Condition) -> Condition:
            return {**leaf, "question": new} if leaf["question"] == old else leaf

        question["when"] = question["when"] and fold(question["when"], follow, join_conditions)

    def keep(self, question: Entered, names: Iterable[str]) -> None:
        def stay(leaf: Condition) -> Condition | None:
            return leaf if leaf["question"] in names else None

        question["when"] = question["when"] and fold(question["when"], stay, join_conditions)


def _say_case(case: Condition) -> str:
    """`sex = “f” or “m”`"""
    values = _(" or ").join(f"“{value}”" for value in case["is"])
    return _("%(question)s = %(values)s") % {"question": case["question"], "values": values}


def _say_cases(by: str, cases: Sequence[str]) -> str:
    return (_(" and ") if by == "all" else _(" or ")).join(f"({case})" for case in cases)
