"""A site of one survey, behind a proxy that may alter what it serves."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from surveys.domain.page import bundle

Headers = list[tuple[str, str]]
Alter = Callable[[str, dict[str, str], Headers, bytes], tuple[Headers, bytes]]
QUESTIONNAIRE = b'{"candor":1}'


@contextmanager
def proxy(alter: Alter, at: tuple[str, int] = ("127.0.0.1", 0)) -> Iterator[str]:
    """A site that serves this repository, and a proxy before it that may alter each answer; its address."""

    class Proxy(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            pages = {"/s/one/": "index.html", "/s/one/receipts/": "closed/receipts.html"}
            asked = self.path.removeprefix("/client/")
            name = pages.get(self.path, bundle.names().get(asked, asked))
            if name in bundle.files():
                headers, body = list(bundle.headers(name).items()), bundle.files()[name].body
            else:
                headers, body = (
                    list(bundle.survey_headers(sha256(QUESTIONNAIRE).hexdigest()).items()),
                    QUESTIONNAIRE,
                )
            headers, body = alter(name, {key.lower(): text for key, text in self.headers.items()}, headers, body)
            self.send_response_only(200)
            for header, text in [("Content-Length", str(len(body))), *headers]:
                self.send_header(header, text)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(at, Proxy) as site:
        Thread(target=site.serve_forever, args=[0.05], daemon=True).start()
        try:
            yield f"http://{at[0]}:{site.server_port}/s/one/"
        finally:
            site.shutdown()
