"""What a row of the table of fields says. Most fields lack most of it, so everything here has an empty default."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from surveys.questions import Entry, PublishedQuestion
from surveys.questions.entered import Question, Texts
from surveys.rules import Rule

Entered = dict[str, Any]  # the JSON object of a question in a document
Known = Mapping[str, PublishedQuestion]
Doing = Callable[[Entered, Mapping[str, Any]], None]
"""Alters the question by what a change says."""
Changes = tuple[tuple[str, Doing, Any], ...]


class QuestionField:
    """A field that a question may have beside those of its type.

    name         its key, the same in a document and in a definition
    rule         its shape in a document
    empty        the type whose empty value a document holds where the question does not have it
    undisguised  whether a disguised question cannot have it
    of_type      whether it means nothing any more once the question has another type
    line         what the history calls it, if it is one line of text, which the change of a plain field writes
    unasked      whether people are not asked: the answer is there from the beginning
    is_read      whether people read it, so that answers are not combined where it differs
    says_more    the part of the page's rare words that it needs, if any
    lost         what a spreadsheet cannot hold of it, in words
    is_cell      whether a spreadsheet has a column of it
    same_page    whether a question that it names may be on the same page
    too_late     the refusal where a question that it names may come later
    changes      the named changes of a question that write it: their names, what they do, what the history calls them
    outcome      how a visit ends by it
    """

    name: str
    rule: Rule
    empty: type = str
    undisguised = False
    of_type = False
    line: Any = ""  # a lazy translation
    unasked = False
    is_read = False
    says_more = ""
    lost: Any = ""  # a lazy translation
    is_cell = False
    same_page = False
    too_late = ""
    changes: Changes = ()
    outcome = ""

    def read(self, entry: Entry, at: str, languages: Sequence[str]) -> Mapping[str, Any]:
        """The fields of the published question that follow from it; refused where its shape is wrong."""
        return {}

    def check(self, question: PublishedQuestion, entry: Entry) -> None:
        """Refuse what does not fit the question."""

    def references(self, entry: Entry) -> Iterable[str]:
        """The other questions that it names."""
        return ()

    def check_references(self, question: PublishedQuestion, earlier: Known) -> None:
        """Refuse names of other questions than it may name; `earlier` are those before it."""

    def marks(self, entry: Entry) -> Iterator[str]:
        """What staff read of it beside the question."""
        yield from ()

    def in_effect(self, question: Question) -> Any:
        """What of it counts in a question as it was entered; empty where nothing does."""
        return getattr(question, self.name)

    def write(self, question: Question, languages: Sequence[str]) -> Any:
        """What is published of it, where anything counts."""
        return self.in_effect(question)

    def texts(self, question: Entered) -> Iterator[tuple[str, Texts]]:
        """Its texts in a document, each with the end of its place in files for translators."""
        yield from ()

    def pictures(self, question: Entered) -> Iterator[dict[str, Any]]:
        """Its pictures and sounds in a document: what holds their "words"."""
        yield from ()

    def needed_texts(self, question: Question, names: Iterable[str]) -> Iterator[tuple[str, bool, Texts]]:
        """Its texts that every language needs: what each is, and whether it says what a file shows."""
        yield from ()

    def read_cell(self, text: str) -> Any:
        """What a cell of a spreadsheet says of it."""
        return " ".join(text.split())

    def write_cell(self, value: Any) -> str:
        return str(value)

    def rename(self, question: Entered, old: str, new: str) -> None:
        """Follow another question that has another name now."""

    def keep(self, question: Entered, names: Iterable[str]) -> None:
        """Forget other questions than these, which are left."""

    def drop(self, question: Entered, values: Iterable[str]) -> None:
        """Forget answers of the question that are there no more."""
