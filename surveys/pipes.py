"""Answers in later texts: `{job}` in a text of a question stands for the answer to the question “job”.

It stands there only where the question says what takes its place without an answer: `"pipes": {"job": TEXT}`. Braces
without that are braces. Names are those of undisguised questions with one answer, on an earlier page.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from surveys.questions.entered import Question, Texts

_NAME = re.compile(r"\{([a-z][a-z0-9_-]{0,39})\}")


def texts_of(question: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """The texts of a question, as a document has it, in which answers may stand."""
    yield from (question["text"], question["help"])
    yield from (option["label"] for option in question["options"])


def names_in(question: Question) -> list[str]:
    """The names in braces in the texts of a question, each once."""
    texts = (question.text, question.help, *(option.label for option in question.options))
    return list(dict.fromkeys(_NAME.findall("\n".join(chain.from_iterable(map(dict.values, texts))))))


def pipes_of(question: Question) -> dict[str, Texts]:
    """The names of answers that stand in a question's texts, each with the text that replaces a missing one."""
    return {name: question.pipes[name] for name in names_in(question) if any(question.pipes.get(name, {}).values())}


def rename(texts: Iterable[dict[str, str]], old: str, name: str) -> None:
    for text in texts:
        text.update({tag: words.replace(f"{{{old}}}", f"{{{name}}}") for tag, words in text.items()})
