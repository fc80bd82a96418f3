"""Changes of the looks."""

from django.utils.translation import gettext_lazy

from privacy.errors import to_translate
from surveys.domain.drafts.change_part import Change, ChangePart, change
from surveys.domain.questionnaire.document import Document
from surveys.features.looks import check_color
from surveys.media import is_name, is_picture
from surveys.questions.entered import write_text
from surveys.rules import checked_by, object_of, or_empty, rule, texts


@change("looks", gettext_lazy("looks changed"))
def _set_looks(document: Document, said: Change, _wanted: set[str]) -> None:
    """Set the logo with its words, and the colour; an empty value removes either."""
    looks = document["looks"]
    looks["logo"] = said["logo"]
    for tag, words in said["words"].items():
        write_text(looks["words"], tag, words)
    looks["accent"] = said["accent"].strip().lower()


_PICTURE = rule(lambda name: is_name(name) and is_picture(name), to_translate("a logo is a picture."))
PART = ChangePart(
    rules={
        "looks": object_of({"logo": or_empty(_PICTURE), "words": texts, "accent": or_empty(checked_by(check_color))})
    }
)
