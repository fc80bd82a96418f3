"""Answers in later texts: `{job}` in a text of a question stands for the answer to the question “job”.

    "pipes": {"job": TEXT}       what takes its place without an answer

Braces without that are braces. Names are those of undisguised questions with one answer, on an earlier page.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from django.utils.translation import gettext_lazy

from privacy.errors import EntryError, InputError, to_translate
from surveys.features.questions.field import Entered, Known, QuestionField
from surveys.questions import Entry, PublishedQuestion
from surveys.questions.entered import Question, Texts, in_languages, write_text
from surveys.questions.question import check_text
from surveys.rules import LONGEST_VALUE, NAME, Faults, question_name, texts

MOST = 20
_NAME = re.compile(rf"\{{({NAME.pattern})\}}")


def names_in(question: Question) -> list[str]:
    """The names in braces in the texts of a question, each once."""
    texts = (question.text, question.help, *(option.label for option in question.options))
    return list(dict.fromkeys(_NAME.findall("\n".join(chain.from_iterable(map(dict.values, texts))))))


def _write_pipe(question: Entered, said: Mapping[str, Any]) -> None:
    """Write the text that stands in this question's texts where the earlier question named there has no answer."""
    write_text(question["pipes"].setdefault(said["name"], {}), said["language"], said["value"])


def _check_pipes(pipes: Any, at: str) -> Faults:
    if not isinstance(pipes, dict) or len(pipes) > MOST:
        yield EntryError("this is an object from names of questions to texts, not too many.", at=at)
        return
    for name, text in pipes.items():
        yield from question_name(name, at)
        yield from texts(text, f"{at}.{name[:LONGEST_VALUE]}")


class Pipes(QuestionField):
    name = "pipes"
    rule = staticmethod(_check_pipes)
    empty = dict
    is_read = True
    lost = gettext_lazy("that answers stand in its texts, and what stands there without one")
    too_late = to_translate("an answer can stand only in a text of a later page, in every order.")
    changes = (("pipe", _write_pipe, gettext_lazy("text in place of an answer changed")),)

    def read(self, entry: Entry, at: str, languages: Sequence[str]) -> Mapping[str, Any]:
        if not isinstance(entry["pipes"], dict):
            raise InputError(f"{at}: pipes names questions, each with a text.")
        for text in entry["pipes"].values():
            check_text(text, languages, f"{at}: text without an answer")
            if languages and not any(text.values()):
                raise InputError(f"{at}: say what stands in its text without an answer.")
        return {"pipes": tuple(entry["pipes"])}

    def references(self, entry: Entry) -> Iterable[str]:
        return entry.get("pipes", ())

    def check_references(self, question: PublishedQuestion, earlier: Known) -> None:
        for name in question.pipes:
            if name not in earlier or earlier[name].sensitive or earlier[name].items:
                raise EntryError(
                    "“{name}” stands in a text, so it must be an earlier undisguised question with one answer.",
                    at=f"question '{question.id}'.pipes",
                    name=name,
                )

    def in_effect(self, question: Question) -> dict[str, Texts]:
        """The names of answers that stand in its texts, each with the text that replaces a missing one."""
        return {name: question.pipes[name] for name in names_in(question) if any(question.pipes.get(name, {}).values())}

    def write(self, question: Question, languages: Sequence[str]) -> dict[str, Texts]:
        return {name: in_languages(text, languages) for name, text in self.in_effect(question).items()}

    def texts(self, question: Entered) -> Iterator[tuple[str, Texts]]:
        yield from ((f"pipes.{name}", text) for name, text in question["pipes"].items())

    def needed_texts(self, question: Question, names: Iterable[str]) -> Iterator[tuple[str, bool, Texts]]:
        for name in set(names).intersection(names_in(question)):
            yield f"{{{name}}}", False, question.pipes.get(name, {})

    def rename(self, question: Entered, old: str, new: str) -> None:
        if old in question["pipes"]:
            question["pipes"][new] = question["pipes"].pop(old)
            for text in (question["text"], question["help"], *(option["label"] for option in question["options"])):
                text.update({tag: words.replace(f"{{{old}}}", f"{{{new}}}") for tag, words in text.items()})
