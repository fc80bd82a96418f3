"""The rules of a report, beside what those who read the questions say."""

import pytest
from django.urls import reverse

from mining.domain.claim import claim, finish
from mining.domain.result import mine_run
from privacy.reconstruct.careless import careless
from surveys.results.report import data_of
from tests.mining.surveys import queued_run
from tests.surveys.anchored import answered, with_anchors
from tests.surveys.staff import visit

pytestmark = pytest.mark.django_db


def test_rules_of_a_report_have_the_confidence_of_those_who_read(admin_user, monkeypatch):
    """Of each rule that is shown, all and those who read; careless people make answers seem to go together."""
    monkeypatch.setattr("mining.domain.request.hint", lambda _run_id: None)
    version = answered(with_anchors(names=("drugs", "theft")), 0.3, 6000, link=0.7)
    run = queued_run(version.survey, min_support=0.02, min_confidence=0.1)
    finish(run.pk, claim(run.pk), *mine_run(run, lambda *_: None))

    page = visit(admin_user, reverse("studio:results", args=[version.pk])).context_data

    (shown,) = [own for part, own, _pictures in page["parts"] if part.key == f"rules-{run.pk}"]
    rules = [
        " => ".join(",".join(one["row"][side]) for side in ("antecedent", "consequent"))
        for one in (*shown["sentences"], *shown["more"])
    ]
    found = careless(data_of(version).jointly, rules, anchors=version.parsed.careless).figures
    (figure,) = shown["figures"]
    assert rules
    assert [row[1] for row in figure.table.rows] == ["all", "those who read"] * len(rules)
    assert [row[2] for row in figure.table.rows[::2]] == [f"{100 * one.answered:.1f} %" for one in found]
    assert "drugs => theft" in rules
