"""The promise where people draw: one figure, of the design as it is, wherever staff read it."""

import re
from fractions import Fraction
from math import ceil

import pytest
from django.test import Client

from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import promise_of
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import Draft, read_document, store
from surveys.models import Survey
from surveys.studio.alternatives import prices_of
from tests.surveys.making import make_survey
from tests.surveys.staff import somebody

PERSON = {"do": "draws", "value": "by-person"}


def drawn(names: str) -> Survey:
    survey = make_survey(names=tuple(names), direct=False)
    store(survey, apply(survey, read_document(survey), PERSON))
    return survey


def page(client: Client, survey: Survey, name: str) -> str:
    html = client.get(f"/staff/studio/{survey.pk}/{name}").content.decode()
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


@pytest.mark.parametrize(("names", "percent"), [("a", 14), ("ab", 33)])
def test_every_page_says_the_same_promise(client: Client, names: str, percent: int) -> None:
    """Five percent grow by the product of the odds of blocks that tell of people: on Protect, in the steps, Publish and
    both papers. The pair of known answers tells of nobody.
    """
    survey = drawn(names)
    odds = Fraction(1)
    for block in compose(Draft.load(survey)).design.blocks:
        odds *= 1 if block.items[0].id in ("moon", "water") else Fraction(block.odds)
    client.force_login(somebody())
    protect = page(client, survey, "protect/")

    assert ceil(100 * odds / (odds + 19)) == percent
    assert f"how sure may a stored answer make them? {percent} %" in protect
    assert f"from 5 % to at most {percent} %" in protect
    others = (page(client, survey, name) for name in ("publish/", "protocol/?of=draft", "preregistration/?of=draft"))
    for said in (protect, *others):
        assert set(re.findall(r"cannot make them surer than (\d+) %", said)) == {str(percent)}


def test_protect_offers_no_promise_that_blocks_made_by_hand_do_not_keep(client: Client) -> None:
    """Choices of a proposal would change nothing there."""
    survey = drawn("ab")
    client.force_login(somebody())

    assert 'name="sure"' not in client.get(f"/staff/studio/{survey.pk}/protect/").content.decode()


def test_who_draws_is_chosen_knowing_what_the_promise_becomes(client: Client) -> None:
    """Before the choice both ways say it, and the card of the other way says it as a cost."""
    survey = make_survey(names=("a", "b"), direct=False)
    before = promise_of(survey, read_document(survey))
    client.force_login(somebody())
    protect = page(client, survey, "protect/")
    costs = [price.costs for price in prices_of(survey, read_document(survey)) if '"draws"' in price.change]

    assert f"The device draws from 5 % to at most {before} %" in protect
    assert "People draw themselves from 5 % to at most 33 %" in protect
    assert costs[0][0] == f"A stored answer could make somebody 33 % sure, not {before} %. People read this number."


def test_the_preregistration_says_of_which_questions_its_precision_is(ann: Client) -> None:
    """The question that nobody affirms has a draw of its own, and another width."""
    said = page(ann, drawn("ab"), "preregistration/?of=draft")

    assert "Expected precision: ±4.9 points for a yes" in said
    assert "This is for all other questions: Have you ever been to the Moon?" in said
    assert re.search(r"only shows how people answer, and is known to ±6\.\d points\.", said)
