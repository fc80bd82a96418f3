"""What a device that several people use sends: a response, encrypted to the key in its link."""

from base64 import b64decode

from django.http import HttpRequest, HttpResponse, JsonResponse

from surveys.api import check_inbox, read_body, taking
from surveys.domain.messages.boxes import open_box, private_key
from surveys.domain.messages.submission import read_object, unfit
from surveys.domain.questionnaire.versions import get_public_survey
from surveys.domain.responses.receive import receive


@taking
def boxes(request: HttpRequest, slug: str) -> tuple[HttpResponse, bool]:
    """Store what is in the box as if the page had sent it."""
    check_inbox()
    sent = read_object(read_body(request))
    try:
        response = open_box(private_key(get_public_survey(slug)), sent["version"], b64decode(sent["box"]))
    except (KeyError, TypeError, ValueError):
        response = None
    if response is None:
        raise unfit("The box cannot be opened.")
    receipt, is_new = receive(slug, response)
    return JsonResponse({"receipt": receipt}, status=201 if is_new else 200), is_new
