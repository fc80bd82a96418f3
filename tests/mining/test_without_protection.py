"""A survey that protects nobody, published with a signed override, can still be mined, and its report says so."""

import pytest

from mining.domain.claim import claim, finish
from mining.domain.result import mine_run
from tests.cases import first
from tests.mining.surveys import queued_run, sealed_survey

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("estimator", first(1, ["stratified", "combined", "pooled"]))
@pytest.mark.parametrize("block", first(1, [{"theta": 0.0}, {"keep": 1.0}, {"theta": 1.0}]))
def test_the_report_says_in_words_that_there_is_no_protection(admin_client, block, estimator):
    """A coin that always keeps the truth, or noise that says only one thing: γ is infinite, in either language."""
    run = queued_run(sealed_survey(500, block=block), estimator=estimator, negated=True)
    finish(run.pk, claim(run.pk), *mine_run(run, lambda *_: None))
    for language, sentence in (
        ("en", "A disguised record can give the true answers away: there is no protection."),
        ("zh-CN", "伪装后的记录可能泄露真实回答：没有保护。"),
    ):
        page = admin_client.get(run.get_absolute_url(), headers={"Accept-Language": language})
        assert page.status_code == 200
        assert f"<dd>{sentence}</dd>" in page.content.decode()
    for name in ("rules.csv", "itemsets.csv", "result.json", "rules.graphml"):
        assert admin_client.get(f"/staff/runs/{run.pk}/{name}").getvalue()
    assert admin_client.get("/staff/runs/").status_code == 200
