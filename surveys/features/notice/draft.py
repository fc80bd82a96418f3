"""The privacy notice in a document: what is published of it, and what is missing."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy

from surveys.domain.questionnaire.document import Document, Draft
from surveys.domain.questionnaire.draft_part import DraftPart, Gap
from surveys.features.notice import NEEDED, NOTICE
from surveys.models import Survey
from surveys.questions.entered import in_languages
from surveys.rules import texts


def has_notice(document: Document) -> bool:
    return any(text for name in NOTICE for text in document[name].values())


def _entries(draft: Draft) -> dict[str, Any]:
    texts = {name: in_languages(draft.document[name], draft.languages) for name in NOTICE}
    return {"notice": {name: text for name, text in texts.items() if name in NEEDED or any(text.values())}}


def _gaps(draft: Draft) -> Iterator[Gap]:
    document = draft.document
    if not has_notice(document):
        return
    needed = NEEDED | ({"obtained"} if document["access"] == Survey.Access.INVITATION else set())
    for name, words in NOTICE.items():
        for tag in draft.languages:
            if not document[name].get(tag) and (name in needed or any(document[name].values())):
                yield Gap(draft.survey, _("“%(name)s” has no text in %(language)s."), tag, str(words))


PART = DraftPart(
    has=has_notice,
    entries=_entries,
    about_answers=False,
    gaps=_gaps,
    lost=gettext_lazy("the privacy notice"),
    rules=dict.fromkeys(NOTICE, texts),
)
