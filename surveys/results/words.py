"""VersionWords for answers in the sentences of a report: “used illegal drugs”, or else “answered “Yes” to …”."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _

from privacy.records import Records
from surveys.definition import Definition
from surveys.models import SurveyVersion
from surveys.questions import NOBODY, Answers, type_of


@dataclass(frozen=True)
class ItemWords:
    """A disguised item in words: its question, and its answers by the values of records."""

    name: str
    heading: str
    answers: dict[str, str]


@dataclass(frozen=True)
class VersionWords:
    """The words of a version's disguised items in one language. `phrases` are what the researcher wrote for reports."""

    items: dict[str, ItemWords]
    phrases: dict[tuple[str, str], str]

    def question(self, literal: str) -> str:
        return self._parse(literal)[0].heading

    def short_entry(self, literal: str) -> str:
        """A literal as a short entry of a list: its question and its answer."""
        item, value, positive = self._parse(literal)
        return f"{item.heading} {self._answer(item, value, positive)}"

    def phrase(self, literal: str) -> str:
        """A literal as the end of a sentence about people: “used drugs”, “answered “No” to “…””."""
        item, value, positive = self._parse(literal)
        if not positive and (item.name, "0") in self.phrases:
            return self.phrases[item.name, "0"]
        if positive and (item.name, value) in self.phrases:
            return self.phrases[item.name, value]
        values = {"answer": self._answer(item, value, positive), "question": item.heading}
        return _("answered “%(answer)s” to “%(question)s”") % values

    def brief(self, literal: str) -> str:
        """A literal in short: the researcher's words for reports, or question and answer."""
        item, value, positive = self._parse(literal)
        return self.phrases.get((item.name, value if positive else "0"), "") or self.short_entry(literal)

    def join(self, literals: Iterable[str]) -> str:
        return _(" and ").join(self.phrase(literal) for literal in literals)

    def join_briefly(self, literals: Iterable[str]) -> str:
        return "; ".join(map(self.brief, literals))

    def finds(self, literal: str, wanted: str) -> bool:
        """Whether the words of a literal, or its short name, contain a text."""
        said = (literal, self.short_entry(literal), self.phrase(literal))
        return any(wanted.casefold() in each.casefold() for each in said)

    def _answer(self, item: ItemWords, value: str, positive: bool) -> str:
        return item.answers.get(value if positive else "0", value)

    def _parse(self, literal: str) -> tuple[ItemWords, str, bool]:
        """The item, the value and the sign of a literal: "drugs", "!drugs", "age=30-39"."""
        name, _equals, value = literal.removeprefix("!").partition("=")
        return self.items[name], value or "1", not literal.startswith("!")


def words_of(version: SurveyVersion, language: str) -> VersionWords:
    """The words of a version in a language, or in its main one where the questionnaire does not have it."""
    spoken = _language(version.parsed, language)
    written = {(each.item, each.value): each.words.get(spoken, "") for each in version.survey.phrases.all()}
    phrases = {key: text for key, text in written.items() if text}
    return VersionWords(_items(version.parsed, spoken, version.survey.least), phrases)


def words_of_definition(definition: Definition, language: str) -> VersionWords:
    """Return the words of a questionnaire that has no phrases of its own, or is not published yet."""
    return VersionWords(_items(definition, _language(definition, language), 1), {})


def _language(definition: Definition, language: str) -> str:
    languages: list[str] = definition.source["languages"]
    return language if language in languages else languages[0]


def _items(definition: Definition, spoken: str, least: int) -> dict[str, ItemWords]:
    design = definition.design
    nobody = Records(design, np.empty((0, len(design.items)), design.code_type), np.empty(0, bool))
    options = {item.id: item.options for item in design.items}
    items = {}
    for question in definition.questions:
        if not question.sensitive:
            continue
        answers = Answers(question, definition.entries[question.id], spoken, NOBODY, nobody, least)
        items[question.id] = ItemWords(
            question.id, answers.text, {}
        )  # the bins of a number or a place are their own words
        for axis in type_of(question).categories(answers):
            items[axis.name] = ItemWords(
                axis.name, axis.heading, dict(zip(options[axis.name], axis.labels, strict=True))
            )
    return items
