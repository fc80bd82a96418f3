"""Changes of the texts of the respondent's page."""

from typing import Any

from django.utils.translation import gettext_lazy

from surveys.domain.drafts.change_part import Change, ChangePart, change
from surveys.domain.questionnaire.document import Document
from surveys.features.page_texts.draft import check_page_texts
from surveys.rules import Faults, checked_by, language_tags, texts


@change("speak", gettext_lazy("texts of the respondent's page changed"))
def _write_page_texts(document: Document, said: Change, _wanted: set[str]) -> None:
    """Replace the texts of the respondent's page in one language; without any the usual ones return."""
    texts = {name: text.replace("\r\n", "\n").strip() for name, text in said["texts"].items()}
    own = {name: text for name, text in texts.items() if text}
    others = {tag: kept for tag, kept in document["page_texts"].items() if tag != said["language"]}
    document["page_texts"] = others | ({said["language"]: own} if own else {})


def _faults(languages: Any, at: str) -> Faults:
    tags = list(languages) if isinstance(languages, dict) else [None]
    yield from language_tags(tags, at) if tags else ()
    for tag in tags if isinstance(languages, dict) else ():
        yield from checked_by(check_page_texts)(languages[tag], f"{at}.{tag}")


PART = ChangePart(rules={"page_texts": _faults, "unspoken": texts})
