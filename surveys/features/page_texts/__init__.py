"""What the respondent's page says in a language that it does not speak, by the survey's author, or why it does not.

in a document      "page_texts": {"it": {"begin": "…", …}}, "unspoken": {"it": "…"}
in a definition    "texts": {"it": {"begin": "…", …}}, "unspoken": {"it": "…"}
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from privacy.errors import InputError
from surveys.features.feature import Around, Feature, Named, Source
from surveys.sentences import language_name


def _check(around: Around) -> None:
    texts, reasons = around.source.get("texts", {}), around.source.get("unspoken", {})
    for name, entries in (("texts", texts), ("unspoken", reasons)):
        if not isinstance(entries, dict) or not set(entries) <= set(around.source["languages"]):
            raise InputError(f"{name}: give languages of the survey alone.")
    said = [*reasons.values(), *(text for own in texts.values() for text in own.values())]
    if not all(isinstance(text, str) and text for text in said):
        raise InputError("texts and unspoken hold texts that are not empty.")


def _says(source: Source, _named: Named) -> Iterator[str]:
    if own := {**source.get("texts", {}), **source.get("unspoken", {})}:
        yield _("What the page says in these languages, or why it does not, is by the author: %(languages)s.") % {
            "languages": _(", ").join(map(language_name, own))
        }


PAGE_TEXTS = Feature(
    "page_texts",
    {"page_texts": {}, "unspoken": {}},
    _check,
    _says,
    entries=("texts", "unspoken"),
    parts=("draft", "staff"),
)
