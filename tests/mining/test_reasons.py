"""Why a run ended without a result is kept as a code and its values, and said in the reader's language."""

import pytest
from django.utils.translation import override

from mining.domain.claim import claim, fail
from mining.domain.request import run_again
from mining.engines.reasons import CHOICES, MiningError
from mining.offers import findings
from tests.mining.surveys import finished_run, queued_run, sealed_survey


@pytest.fixture
def run():
    return queued_run(sealed_survey(200))


def reason_in(run, language):
    run.refresh_from_db()
    with override(language):
        return run.reason


def test_a_cap_is_said_in_the_language_of_whoever_reads(run):
    """The same run, read by two people; figures are written as the sentence writes them."""
    fail(run.pk, claim(run.pk), MiningError("itemsets", most=200_000, support=0.05))

    run.refresh_from_db()
    assert run.ended_for == {"code": "itemsets", "values": {"most": 200_000, "support": 0.05}}
    english = "More than 200\u202f000 itemsets reach a support of 0.05: raise the support or lower the length."
    assert reason_in(run, "en") == english
    assert reason_in(run, "zh-hans") == "支持度达到 0.05 的项集超过 200\u202f000 个：请提高支持度或减小长度。"


def test_a_sentence_inside_a_sentence_is_said_in_that_language_too(run):
    """An old run, for which mlxtend had declined with a reason and advice; both are Chinese on a Chinese page."""
    fail(run.pk, claim(run.pk), MiningError("sampled"))

    assert reason_in(run, "en") == f"{CHOICES['sampled']} Use the bitset engine."
    assert reason_in(run, "zh-hans").endswith("请改用 bitset 引擎。")
    assert "mlxtend knows" not in reason_in(run, "zh-hans")


def test_a_result_keeps_no_sentence_of_how_the_groups_differ():
    """Figures alone: the report says what follows from them in the language of a person who reads it."""
    groups = finished_run().result.summary["groups"]

    assert set(groups) == {"alike", "answers"}
    assert len(groups["answers"]) == 3


def test_what_was_found_stays_while_it_is_mined_again():
    """In the study pack as in the report: a second run that fails takes nothing away."""
    run = finished_run()
    before = [name for name, _lines in findings(run.snapshot)]
    assert run_again(run)
    assert [name for name, _lines in findings(run.snapshot)] == before != []
