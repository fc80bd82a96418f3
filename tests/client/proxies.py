"""A site of one survey, behind a proxy that may alter what it serves."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import ThreadingHTTPServer

from surveys.domain.page import bundle
from tests.servers import Quiet, answering

Headers = list[tuple[str, str]]
Alter = Callable[[str, dict[str, str], Headers, bytes], tuple[Headers, bytes]]
QUESTIONNAIRE = b'{"candor":1}'


@contextmanager
def proxy(alter: Alter, at: tuple[str, int] = ("127.0.0.1", 0)) -> Iterator[str]:
    """A site that serves this repository, and a proxy before it that may alter each answer; its address."""

    class Proxy(Quiet):
        def answer(self) -> None:
            pages = {"/s/one/": "index.html", "/s/one/receipts/": "closed/receipts.html"}
            asked = self.path.removeprefix("/client/")
            pages |= {f"/{bundle.place(name)}": name for name in bundle.OF_TABLETS}
            name = pages.get(self.path, bundle.names().get(asked, asked))
            if name in bundle.files():
                headers, body = list(bundle.headers(name).items()), bundle.files()[name].body
            else:
                headers = list(bundle.survey_headers(sha256(QUESTIONNAIRE).hexdigest()).items())
                body = QUESTIONNAIRE
            headers, body = alter(name, {key.lower(): text for key, text in self.headers.items()}, headers, body)
            self.reply(body, headers)

    with answering(ThreadingHTTPServer(at, Proxy)) as site:
        yield f"http://{at[0]}:{site.server_port}/s/one/"
