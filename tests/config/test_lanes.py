"""Each request waits in a lane of its kind."""

from django.urls import URLPattern

from config.web.lanes import lane
from surveys import page, urls
from surveys.features.frames import page as page_in_frames


def serves_a_page(pattern: URLPattern) -> bool:
    return pattern.callback.__module__ in {page.__name__, page_in_frames.__name__}


def test_the_respondents_pages_wait_for_no_database() -> None:
    """Every address of theirs is in the lane of the files, so that a locked database does not keep it waiting."""
    routes = [str(pattern.pattern) for pattern in urls.urlpatterns if serves_a_page(pattern)]
    lanes = {route: lane("GET", "/" + route.replace("<slug:slug>", "study")) for route in routes}
    assert lanes == {
        "s/<slug:slug>/": "files",
        "t/<slug:code>/test/": "files",
        "s/<slug:slug>/receipts/": "files",
        "f/<slug:slug>/": "questionnaires",  # it asks the survey which sites may hold it
        "client/manifest.txt": "files",
        "client/<path:name>": "files",
    }


def test_whether_the_process_serves_is_answered_while_the_database_stands_still() -> None:
    """Else it would be killed, and its successor, too."""
    assert (lane("GET", "/healthz"), lane("HEAD", "/healthz")) == ("files", "files")


def test_whether_it_is_ready_waits_for_no_page() -> None:
    """Four hundred strangers at the sign-in page would else take every web server from its load balancer."""
    assert (lane("GET", "/readyz"), lane("HEAD", "/readyz")) == ("questionnaires", "questionnaires")


def test_what_the_pages_ask_for_has_lanes_of_its_own() -> None:
    """What reads or writes the database is not served beside the files."""
    asked = [
        ("GET", "/s/study/questionnaire"),
        ("GET", "/f/study/questionnaire"),
        ("GET", "/s/study/receipts/2f9a77"),
        ("GET", "/s/study/statement"),
        ("POST", "/s/study/responses"),
        ("GET", "/staff/admin/"),
    ]
    assert [lane(*request) for request in asked] == [
        "questionnaires", "questionnaires", "questionnaires", "questionnaires", "messages", "pages"
    ]  # fmt: skip


def test_files_that_are_read_keep_nobody_from_signing_in() -> None:
    """A form with a file waits for the process that reads it; its page is a page like others."""
    assert (lane("POST", "/staff/studio/import/"), lane("POST", "/staff/studio/7/translation/")) == (
        "uploads",
        "uploads",
    )
    assert (lane("GET", "/staff/studio/import/"), lane("POST", "/staff/admin/login/")) == ("pages", "pages")
