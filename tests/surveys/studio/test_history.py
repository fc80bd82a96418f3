"""The history of a draft says of each change which part it changed, as far as it was kept."""

import html
import re

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys.domain.drafts import history
from surveys.domain.drafts.history import Editor
from surveys.domain.people.roles import Role, give
from surveys.models import DraftChange
from tests.surveys.making import make_survey


def test_each_change_says_what_was_changed(client: Client) -> None:
    """The question with its field, a field of the survey, and an undo; what is not known any more is a change."""
    ann = User.objects.create(username="ann", is_staff=True)
    survey = make_survey()
    give(survey, ann, Role.OWNER)
    client.force_login(ann)

    for number, said in enumerate(
        (
            {"do": "question", "question": "drugs", "field": "help", "language": "en", "value": "Ever."},
            {"do": "survey", "field": "who", "language": "en", "value": "We"},
            {"do": "survey", "field": "expected", "value": "500"},
        )
    ):
        history.change(survey, Editor(ann, "tab", number), said)
    history.undo(survey, Editor(ann, "tab", 3))
    DraftChange.objects.create(survey=survey, number=99, at=timezone.now(), name="of-long-ago")
    page = client.get(f"/staff/studio/{survey.pk}/history/").content.decode()

    rows = re.findall(r"<td>(.*?)</td>\s*</tr>", page, re.DOTALL)
    said_of = [" ".join(html.unescape(re.sub(r"<[^>]+>", "", row.rpartition("<td>")[2])).split()) for row in rows]
    assert said_of == [
        "draft changed",
        "taken back",
        "survey changed: expected people",
        "survey changed: who asks",
        "question changed: drugs (help text)",
    ]
