"""The terms of *Experts*, each with an explanation that its one sentence beside the field leads to."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from privacy.errors import to_translate
from surveys.access import staff_only
from surveys.kinds import BLOCK_FIELDS, QUESTION_FIELDS
from surveys.kinds.forms import Explanation

BLOCK = Explanation(
    to_translate("Block"),
    to_translate("Questions that are disguised together. One random draw covers all of them, or one each."),
    to_translate("The γ of all blocks multiply: the blocks share one promise."),
)


@staff_only()
def terms(request: HttpRequest) -> HttpResponse:
    """The term of a block, and those that the fields of the kinds of block lead to."""
    fields = {name: field.term for name, field in (QUESTION_FIELDS | BLOCK_FIELDS).items() if field.term}
    return render(request, "studio/terms.html", {"terms": {"block": BLOCK} | fields})
