"""Sites whose pages may hold a survey, as a researcher names them, and the lines that Field gives for such a page."""

import html

from django.test import Client

from surveys.domain.page import bundle
from surveys.domain.questionnaire.document import read_document
from surveys.domain.questionnaire.publish import publish
from surveys.features.frames import sites
from surveys.models import Survey
from tests.surveys.making import write


def test_the_sites_are_published_and_field_has_the_lines_for_their_pages(ann: Client, survey: Survey) -> None:
    """An address of a page stands for its site; the link has the hash of the version, the script its own."""
    typed = "https://WWW.example.edu/course/1\n\n https://lab.example.edu:8443\nhttps://www.example.edu/"
    assert ann.post(f"/staff/studio/{survey.pk}/frames/", {"sites": typed}).status_code == 302
    version = publish(survey)
    assert sites(version.parsed.source) == ("https://www.example.edu", "https://lab.example.edu:8443")
    page = html.unescape(ann.get(f"/staff/studio/{survey.pk}/fieldwork/").content.decode())
    assert f'<iframe src="http://testserver/f/study/#v={version.sha256}" title="Survey"' in page
    assert f'integrity="{bundle.integrity(bundle.HOST)}" crossorigin="anonymous"></script>' in page


def test_the_frame_of_a_panel_has_a_place_that_the_page_around_fills(ann: Client, survey: Survey) -> None:
    """And says so: what the panel fills in its own links nobody fills in a page of another site."""
    panel = {"by": "prolific", "name": "Prolific", "number": "PROLIFIC_PID", "sent": "C7K2QD9P", "out": "", "full": ""}
    write(survey, access="invitation", panel=panel, frames=["https://www.example.edu"])
    version = publish(survey)
    page = html.unescape(ann.get(f"/staff/studio/{survey.pk}/fieldwork/").content.decode())
    frame = f'/f/study/#v={version.sha256}&amp;PROLIFIC_PID=[PROLIFIC_PID]"'
    assert (frame in page, "In place of [PROLIFIC_PID] your page puts" in page) == (True, True)


def test_what_is_no_site_is_refused_at_its_field(ann: Client, survey: Survey) -> None:
    """In a sentence, with what was typed, and nothing changes."""
    page = ann.post(f"/staff/studio/{survey.pk}/frames/", {"sites": "https://*.example.edu"}).content.decode()
    assert "“https://*.example.edu” is no site: https:// and its name" in page
    assert read_document(survey)["frames"] == []
