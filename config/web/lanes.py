"""Threads in lanes: requests that wait for one thing do not keep a thread from those that wait for another.

A database that somebody has locked holds everybody who sends for some seconds, and a stranger who guesses passwords
keeps the sign-in page at work. Neither may take the thread that serves a script, or the one that stores a response.
"""

import re

from waitress.channel import HTTPChannel
from waitress.task import ThreadedTaskDispatcher

from config.web import limits

# How many threads each lane has, in each process. Requests that send wait for the one writer of the database, so there
# are more of these; the others wait for little.
THREADS = {"files": 2, "questionnaires": 4, "messages": 12, "pages": 6, "uploads": 4}
# What is served from memory or from a file, without the database: respondents' pages are the same at every survey.
# /healthz is among them: a monitor would kill a web server that waits for its database.
FILES = re.compile(
    r"/(static|client)/.*|/s/[^/]+/(receipts/)?|/t/[^/]+/test/|/i/[^/]*|/favicon\.ico|/robots\.txt|/healthz|/\.well-known/.*"
)
RESPONDENTS = ("/s/", "/t/", "/f/")


def lane(method: str, path: str) -> str:
    """The lane of a request: questionnaires and messages of respondents each have their own, as have forms with files.

    /readyz, whether questionnaires can be handed out, is in their lane: waiting among pages, it would make a load
    balancer send no respondents here.
    """
    if method != "POST" and FILES.fullmatch(path):
        return "files"
    if method != "POST" and path == "/readyz":
        return "questionnaires"
    if path.startswith(RESPONDENTS):
        return "messages" if method == "POST" else "questionnaires"
    return "uploads" if method == "POST" and limits.UPLOADS.fullmatch(path) else "pages"


class Lanes:
    """What waitress hands its requests to, once they have arrived whole."""

    def __init__(self) -> None:
        self.lanes = {name: ThreadedTaskDispatcher() for name in THREADS}
        for name, threads in THREADS.items():
            self.lanes[name].set_thread_count(threads)

    def add_task(self, channel: HTTPChannel) -> None:
        """Queue a request in its lane; 503 if too many wait there already."""
        request = channel.requests[0]
        name = "files" if request.error else lane(request.command, request.path)
        if len(self.lanes[name].queue) >= limits.QUEUED.get(name, limits.CONNECTIONS):
            request.refuse(503)
            name = "files"
        self.lanes[name].add_task(channel)

    def shutdown(self) -> None:
        for dispatcher in self.lanes.values():
            dispatcher.shutdown(timeout=0)
