"""Runs of a site of before open as they did: their reasons were kept as English sentences, and are kept by codes now.

tests/vectors/runs_with_sentences.json holds what version 0.1.0 stored, before its migration 0003: two results, of the
survey that `sealed_survey` makes, and why other runs ended without one.
"""

import json
import zlib
from base64 import b64decode
from importlib import import_module

import pytest
from django.apps import apps
from django.utils.translation import override

from mining.engines.columns import Columns
from mining.models import MiningResult, MiningRun
from tests.mining.surveys import queued_run, sealed_survey
from tests.servers import ROOT

pytestmark = pytest.mark.django_db

STORED = json.loads((ROOT / "tests" / "vectors" / "runs_with_sentences.json").read_text(encoding="utf-8"))
FLIPS = {"kind": "flip", "flips": [0.7, 0.2, 0.06, 0.04]}


@pytest.fixture(autouse=True)
def _no_hints(monkeypatch):
    monkeypatch.setattr("mining.domain.request.hint", lambda _run_id: None)


def migrate():
    import_module("mining.migrations.0003_reasons_by_code").keep_codes(apps, None)


def stored_result(place):
    run = queued_run(sealed_survey(400, block=[{}, FLIPS][place]), negated=place == 0)
    stored = STORED["results"][place]
    MiningResult.objects.create(
        run=run, summary=stored["summary"], columns=zlib.decompress(b64decode(stored["columns"]))
    )
    MiningRun.objects.filter(pk=run.pk).update(state="done")
    migrate()
    return MiningRun.objects.get(pk=run.pk)


@pytest.mark.parametrize(
    ("language", "why", "warning"),
    [
        ("en", "The reference engine takes up to 100,000 answers", "The direct answers of 95 respondents are left out"),
        ("zh-CN", "参考引擎最多处理 100,000 个回答", "95 位受访者的直接回答未计入"),
    ],
)
def test_an_old_result_opens_in_both_languages(admin_client, language, why, warning):
    """With all its rules and itemsets, why its engine was taken, and its warnings."""
    run = stored_result(0)
    page = admin_client.get(run.get_absolute_url(), headers={"Accept-Language": language})
    columns, summary = Columns.from_bytes(bytes(run.result.columns)), run.result.summary
    assert summary["why"] == "small"
    assert (len(columns.itemset), len(columns.items)) == (summary["rules"], summary["itemsets"])
    assert page.context["itemsets"].count == summary["itemsets"]
    assert why in page.content.decode()
    assert page.context["warnings"][0].startswith(warning)


def test_an_old_result_is_exported(admin_client):
    """Every file holds as many itemsets and rules as the result."""
    run = stored_result(1)
    assert run.result.summary["why"] == "flips"

    def export(name):
        return b"".join(admin_client.get(f"/admin/mining/miningrun/{run.pk}/{name}").streaming_content).decode()

    summary = run.result.summary
    result = json.loads(export("result.json"))
    assert result["summary"]["why"] == STORED["results"][1]["summary"]["why"]
    assert [len(result["itemsets"]), len(result["rules"])] == [summary["itemsets"], summary["rules"]]
    assert export("itemsets.csv").count("\n") == 1 + summary["itemsets"]
    assert export("rules.csv").count("\n") == 1 + summary["rules"]
    assert export("rules.graphml").count('<node id="r') == summary["rules"]


def test_a_result_from_before_there_were_reasons_has_none(admin_client):
    """Nor has one whose reason is no longer known by its sentence."""
    run = stored_result(0)
    MiningResult.objects.update(summary=STORED["results"][0]["summary"] | {"why": "For a reason of long ago."})
    migrate()
    run = MiningRun.objects.get(pk=run.pk)
    assert run.result.summary["why"] == ""
    assert admin_client.get(run.get_absolute_url()).status_code == 200


def test_why_old_runs_ended_is_said_in_both_languages():
    """By the code of the sentence, with its values; what has no code is said as it was."""
    run = queued_run(sealed_survey(200))
    told = []
    for ended_for in STORED["ended_for"]:
        MiningRun.objects.update(state="failed", ended_for=ended_for)
        migrate()
        run.refresh_from_db()
        with override("zh-hans"):
            chinese = run.reason
        told.append((run.ended_for["code"], run.reason, chinese != run.reason))
    sentences = [entry["sentence"].format(**entry["values"]) for entry in STORED["ended_for"]]
    codes = ["rules", "died", "other", "broke", "late", "memory", "stopped", "several"]
    assert told == [(code, text, code != "other") for code, text in zip(codes, sentences, strict=True)]
