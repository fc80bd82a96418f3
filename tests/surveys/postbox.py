"""A mail server for tests: it keeps what it is sent, and refuses what it is asked to refuse."""

import socketserver
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from surveys.domain.mail.invitees import Boxes
from surveys.models import Survey
from tests.servers import answering


class Postbox:
    """The messages that came, in order. `answers` gives the reply to RCPT for some addresses, such as 550."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []
        self.answers: dict[str, int] = {}
        self.before_thanks: Callable[[], None] = lambda: None  # the message is taken, and the sender does not know yet
        self.port = 0

    def take(self, content: bytes) -> None:
        self.messages.append(message_from_bytes(content, policy=policy.default))  # type: ignore[arg-type]
        self.before_thanks()

    @property
    def recipients(self) -> list[str]:
        return [str(message["To"]) for message in self.messages]


def note_as_invited(survey: Survey) -> None:
    """Note in every box of the survey that the mail server has taken the invitation."""
    boxes = Boxes(survey)
    for row, person in list(boxes.people()):
        boxes.put(row, person._replace(step=1))


class _Handler(socketserver.StreamRequestHandler):
    postbox: Postbox

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())

    def handle(self) -> None:
        self.say("220 postbox")
        while line := self.rfile.readline().decode().strip():
            verb = line[:4].upper()
            if verb == "RCPT":
                code = self.postbox.answers.get(line.partition("<")[2].partition(">")[0], 250)
                self.say(f"{code} so it is")
            elif verb == "DATA":
                self.say("354 go on")
                lines = []
                while (piece := self.rfile.readline()) not in (b".\r\n", b""):
                    lines.append(piece.removeprefix(b"."))
                self.postbox.take(b"".join(lines))
                self.say("250 taken")
            else:
                self.say("221 bye" if verb == "QUIT" else "250 good")


@contextmanager
def open_postbox(settings: Any) -> Iterator[Postbox]:
    """A mail server to which these settings lead."""
    postbox = Postbox()
    handler = type("Handler", (_Handler,), {"postbox": postbox})

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

        def handle_error(self, *_: object) -> None:
            """A sender that was killed is none of this server's errors."""

    with answering(Server(("127.0.0.1", 0), handler)) as server:
        postbox.port = server.server_address[1]
        smtp = "django.core.mail.backends.smtp.EmailBackend"
        settings.MAIL = {"backend": smtp, "host": "127.0.0.1", "port": postbox.port, "timeout": 20}
        yield postbox
