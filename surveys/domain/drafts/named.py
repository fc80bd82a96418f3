"""The table of named changes, to which each module of changes adds its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from privacy.errors import EntryError
from surveys.domain.drafts import document as documents
from surveys.domain.drafts.document import Document

Change = Mapping[str, Any]
Doing = Callable[[Document, Change, set[str]], None]
"""Alters the document, and the names of the questions that are to be disguised."""

CHANGES: dict[str, Doing] = {}


def change(name: str) -> Callable[[Doing], Doing]:
    def keep(do: Doing) -> Doing:
        CHANGES[name] = do
        return do

    return keep


def find(document: Document, name: Any) -> dict[str, Any]:
    for question in documents.questions(document):
        if question["name"] == name:
            return question
    raise EntryError("The question “{name}” is not there any more.", name=name)
