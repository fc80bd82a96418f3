"""How long a connection may take, how much it may send, and with which sentence it is refused."""

import re
from http import HTTPStatus

from django.conf import settings
from django.http import parse_cookie

from config.signin import attempts
from config.web.phrases import phrase
from surveys.definition import BODY_LIMIT
from surveys.domain.database import busy

# No thread waits for a slow sender, so the time can be generous: 64 KiB, the largest message of a respondent, take 11 s
# over a line of 50 kbit/s. A device that takes longer sends the same bytes again.
REQUEST_SECONDS = 20.0
IDLE_SECONDS = 10.0  # between two requests of a connection, and before the first
ANSWER_SECONDS = 20.0  # without a byte taken of an answer
LINGER_SECONDS = 2.0  # after a refusal: what was under way meanwhile is read, or the refusal would be lost with it

# In each process. Over these the connections go that have been unfinished for longest, so that new ones come in.
CONNECTIONS = 4096
MEMORY = 128 * 1024 * 1024  # bytes of unfinished requests and of answers that nobody has taken yet

# Requests that have arrived whole and wait for a thread, in each process: some seconds' work. A request that comes
# after them is asked to come again, as the respondent's page does by itself. What loads the page is never turned away:
# it takes milliseconds, and a page that lacks one of its files is broken.
QUEUED = {"messages": 1024, "pages": 256, "uploads": 16}

FIRST_LINE = 4096  # bytes
HEADER = 16 * 1024
SMALL = BODY_LIMIT  # what anybody may send
# What may come from a browser in which somebody has signed in: the forms of a long questionnaire. Django holds as much
# in memory at most.
LARGE = settings.DATA_UPLOAD_MAX_MEMORY_SIZE

# The pages with a field for a file: releases (a hierarchy), a translation, also of what the page says, addresses to
# mail to, the pictures and sounds of a survey, sheets of paper, a survey to import. Nobody else's file is read.
UPLOADS = re.compile(
    "|".join(
        settings.STAFF_PATH + page
        for page in (
            r"studio/versions/\d+/results/releases/",
            r"studio/\d+/translation/",
            r"studio/\d+/page-texts/[\w-]+/",
            r"studio/\d+/mail/",
            r"studio/\d+/looks/",
            r"studio/\d+/paper/",
            "studio/import/",
        )
    )
)

SENTENCES = {
    400: "This is not an HTTP request.",
    408: "The request did not arrive whole in time: please send it again.",
    411: "Send the request whole, with its Content-Length: it is not read in chunks.",
    413: "The request is larger than anything that is read here.",
    414: "The address is longer than any address of this site.",
    415: "No file is taken here.",
    431: "The header of the request is too large.",
    503: "The site is busy: please send this again in a moment.",
}


class RefusalResponse:
    """The answer to a request that reaches no page: it repeats nothing of it."""

    def __init__(self, status: int) -> None:
        self.status = status

    def to_response(self, _server: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """Return the refusal as waitress wants it."""
        headers = [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
        ]
        if self.status == HTTPStatus.SERVICE_UNAVAILABLE:
            headers.append(("Retry-After", busy.RETRY_AFTER))
        body = f"{SENTENCES[self.status]}\n".encode()
        return f"{self.status} {phrase(self.status)}", headers, body


def refusal_status(path: str, headers: dict[str, str]) -> int | None:
    """The status with which a request is refused for what its header announces, before a byte of its body is kept.

    Files come to few pages, and from people inside. Whether a session is a true one, only the database knows; that
    somebody has signed in before in a browser, its signed cookie proves.
    """
    length = int(headers.get("CONTENT_LENGTH", 0))
    if length > LARGE or (length > SMALL and not _may_send_more(path, headers)):
        return 413
    sends_file = headers.get("CONTENT_TYPE", "").lower().startswith("multipart/")
    if sends_file and not (UPLOADS.fullmatch(path) and _may_send_more(path, headers)):
        return 415
    return None


def _may_send_more(path: str, headers: dict[str, str]) -> bool:
    inside = path.startswith(settings.STAFF_PATH) and not path.startswith(f"{settings.STAFF_PATH}admin/login")
    return inside and attempts.is_known(parse_cookie(headers.get("COOKIE", "")))
