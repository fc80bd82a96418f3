"""The rules of a report and of a run's page, beside what those who read the questions say."""

import pytest
from django.http import QueryDict
from django.urls import reverse

from mining import run_page
from mining.domain.claim import claim, finish
from mining.domain.result import mine_run
from mining.views import visible
from privacy.errors import InputError
from privacy.reconstruct.careless import careless
from surveys.features.careless import anchors
from surveys.features.careless.figures import cannot_tell
from surveys.results.report import data_of
from tests.mining.surveys import queued_run
from tests.surveys.anchored import answered, with_anchors
from tests.surveys.staff import visit

pytestmark = pytest.mark.django_db


def refuse(*_):
    raise InputError("Too few were asked.")


def test_rules_have_the_confidence_of_those_who_read(admin_user, monkeypatch):
    """Report and run show all and those who read, of each rule that they say in words; careless people make answers
    seem to go together. Rules about the two questions themselves are not among them. Where too few were asked, the run
    says that its rules are of all."""
    monkeypatch.setattr("mining.domain.request.hint", lambda _run_id: None)
    version = answered(with_anchors(names=("drugs", "theft")), 0.3, 6000, link=0.7)
    run = queued_run(version.survey, min_support=0.02, min_confidence=0.1)
    finish(run.pk, claim(run.pk), *mine_run(run, lambda *_: None))

    parts = visit(admin_user, reverse("studio:results", args=[version.pk])).context_data["analysts"]
    (part,) = [own for part, own, _pictures in parts if part.key == f"rules-{run.pk}"]
    run = visible(admin_user).get()
    page = run_page.report(run, QueryDict())
    monkeypatch.setattr("surveys.features.careless.figures.check_enough", refuse)
    of_few = run_page.report(run, QueryDict())

    for said, figures in (
        ([*part["sentences"], *part["more"]], part["figures"]),
        ([*page["at_once"], *page["more"]], page["of_those_who_read"]),
    ):
        rules = [" => ".join(",".join(one["row"][side]) for side in ("antecedent", "consequent")) for one in said]
        found = careless(data_of(version).for_patterns, rules, anchors=anchors(version.parsed.source)).figures
        (figure,) = figures
        assert {"drugs => theft", "theft => drugs"} == {*rules}
        assert [row[1] for row in figure.table.rows] == ["all with the first answer", "those with it who read"] * len(
            rules
        )
        assert [row[2] for row in figure.table.rows[::2]] == [f"{100 * one.answered:.1f} %" for one in found]
    assert of_few["of_those_who_read"] == []
    assert of_few["warnings"] == [*page["warnings"], cannot_tell()]
