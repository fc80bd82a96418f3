"""A parcel: interviews that a tablet sends together, and how many people it could not ask.

A message has at most 64 KiB, as from everybody, so a large parcel comes in several messages, one after the other.

    {"version": "812f…", "code": "…", "boxes": [base64, …], "turned": {"refused": 3, "broken": 1, "absent": 2}}

Boxes are opened at once and stored like responses that came by the page, each once, however often its message comes.
The three counts are added to the sums of the survey where all boxes beside them are new, and belong to nobody.
"""

import base64
import hmac
from typing import Any

from django.db import transaction

from surveys.domain.messages.boxes import open_box, private_key
from surveys.domain.messages.invite import derive_key
from surveys.domain.messages.submission import (
    Envelope,
    Refused,
    bytes_to_store,
    check_stated,
    envelope,
    read_object,
    unfit,
)
from surveys.domain.responses.receive import check_time, newest_version, receive_together
from surveys.features.interviews import has_interviews, mode_of_interviews
from surveys.models import Survey, SurveyVersion

MOST = 39  # boxes of a parcel: what is more makes two of twenty
TURNED = ("refused", "broken", "absent")
MOST_TURNED = 10_000  # of a parcel
SHOWN_FROM = 20  # people: a sum is shown in full twenties


def code_of(survey: Survey) -> str:
    """What lets a tablet send interviews; one for all of a survey, so that none says whose it is."""
    return derive_key(survey, "tablets", 16).hex()


def receive_parcel(survey: Survey, body: bytes) -> int:
    """Store a message, all of it or nothing; how many of its interviews are new. Refused says why nothing is stored."""
    sent = _read(body)
    newest: SurveyVersion = survey.versions.latest("number")
    if not has_interviews(newest.parsed.source):
        raise unfit("This survey takes no interviews.")
    private = private_key(survey)
    if not hmac.compare_digest(sent["code"].encode(), code_of(survey).encode()):
        raise Refused(403, "code", "This tablet does not belong to the survey.")
    check_time(survey, tablet=True)
    newest_version(survey, sent["version"])
    read = [_open(private, newest, box) for box in sent["boxes"]]
    if bad := [place for place, response in enumerate(read) if response is None]:
        raise Refused(422, "boxes", "Some interviews of this parcel cannot be read.", bad=bad)
    responses = [response for response in read if response is not None]
    with transaction.atomic():
        stored = len(receive_together(newest, responses, tablet=True))
        if stored == len(responses):
            _add_turned(survey, sent["turned"])
    return stored


def shown_turned(survey: Survey) -> dict[str, int]:
    """How many people at least were not asked, and why, in full twenties."""
    kept = survey.turned_away or {}
    return {why: kept.get(why, 0) // SHOWN_FROM * SHOWN_FROM for why in TURNED}


def _add_turned(survey: Survey, turned: dict[str, int]) -> None:
    """Called under the survey's lock."""
    kept = Survey.objects.values_list("turned_away", flat=True).get(pk=survey.pk) or {}
    added = {why: kept.get(why, 0) + turned[why] for why in TURNED}
    Survey.objects.filter(pk=survey.pk).update(turned_away=added)


def _read(body: bytes) -> dict[str, Any]:
    """The message of a tablet, whose types are checked; Refused names what is wrong with it."""
    sent = read_object(body)
    if sent.keys() != {"version", "code", "boxes", "turned"}:
        raise unfit("The message must contain exactly version, code, boxes and turned.")
    if not all(isinstance(sent[name], str) for name in ("version", "code")):
        raise unfit("version and code must be texts.")
    boxes, turned = sent["boxes"], sent["turned"]
    if not isinstance(boxes, list) or not 1 <= len(boxes) <= MOST or not all(isinstance(box, str) for box in boxes):
        raise unfit(f"boxes must hold 1 to {MOST} texts.")
    if not isinstance(turned, dict) or turned.keys() != set(TURNED):
        raise unfit("turned must hold exactly refused, broken and absent.")
    if not all(type(count) is int and 0 <= count <= MOST_TURNED for count in turned.values()):
        raise unfit(f"turned must hold numbers from 0 to {MOST_TURNED}.")
    return sent


def _open(private: Any, version: SurveyVersion, box: str) -> Envelope | None:
    """The response in a box; None where it is damaged, or is none of this version."""
    try:
        content = open_box(private, version.sha256, base64.b64decode(box, validate=True))
        if content is None:
            return None
        response = envelope(read_object(content))
        check_stated(response, version.parsed, mode_of_interviews(version.parsed.source))
        if response.version == version.sha256 and response.token is None:
            bytes_to_store(response, version.parsed)
            return response
    except (ValueError, Refused):
        pass
    return None
