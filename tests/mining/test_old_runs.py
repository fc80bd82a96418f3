"""Runs of a site of before open as they did: their reasons were kept as English sentences, and are kept by codes now.

tests/vectors/runs_with_sentences.json holds what version 0.1.0 stored, before its migration 0003: two results, of the
survey that `sealed_survey` makes, and why other runs ended without one.
"""

import json
import re
import zlib
from base64 import b64decode
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils.translation import override

from config.signin import tokens
from mining.domain.request import run_again
from mining.engines.columns import Columns
from mining.models import MiningResult, MiningRun
from mining.offers import findings
from surveys.domain.closed.erase import erase
from surveys.domain.responses import disclosure
from surveys.models import CopyKey
from surveys.results import sharing
from tests.cases import first
from tests.mining.surveys import end_run, queued_run, sealed_survey
from tests.servers import ROOT

STORED = json.loads((ROOT / "tests" / "vectors" / "runs_with_sentences.json").read_text(encoding="utf-8"))
FLIPS = {"kind": "flip", "flips": [0.7, 0.2, 0.06, 0.04]}


def migrate():
    import_module("mining.migrations.0003_reasons_by_code").keep_codes(apps, None)


def stored_result(place):
    run = queued_run(sealed_survey(400, block=[{}, FLIPS][place], closed=True), negated=place == 0)
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
        (
            "en",
            "mlxtend takes up to 100\u202f000 answers",
            "Fewer than 100 people answered directly, or nobody did: all figures are about the others.",
        ),
        (
            "zh-CN",
            "mlxtend 最多处理 100\u202f000 个回答",
            "直接回答的不到 100 人，或没有人：所有数字都是关于其他人的。",
        ),
    ],
)
def test_an_old_result_opens_in_both_languages(admin_client, language, why, warning):
    """With all its rules and itemsets, why its engine was taken, and its warnings; not how few answered directly."""
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
    run = stored_result(0)

    def export(name):
        return b"".join(admin_client.get(f"/staff/runs/{run.pk}/{name}").streaming_content).decode()

    summary = run.result.summary
    result = json.loads(export("result.json"))
    assert result["summary"]["why"].startswith("mlxtend takes up to 100\u202f000 answers")
    assert [len(result["itemsets"]), len(result["rules"])] == [summary["itemsets"], summary["rules"]]
    assert export("itemsets.csv").count("\n") == 1 + summary["itemsets"]
    assert export("rules.csv").count("\n") == 1 + summary["rules"]


def test_a_result_from_before_there_were_reasons_has_none(admin_client):
    """Nor has one whose reason is no longer known by its sentence."""
    run = stored_result(0)
    MiningResult.objects.update(summary=STORED["results"][0]["summary"] | {"why": "For a reason of long ago."})
    migrate()
    run = MiningRun.objects.get(pk=run.pk)
    assert run.result.summary["why"] == ""
    assert admin_client.get(run.get_absolute_url()).status_code == 200


def test_a_run_that_had_no_room_for_all_responses_at_once_still_says_so(admin_client):
    """Its code is given to no run any more, now that bins are counted by parts; its page opens in both languages."""
    run = queued_run(sealed_survey(400, closed=True))
    MiningRun.objects.update(state="failed", ended_for={"code": "at_once", "values": {"most": 1024}})
    said = [
        admin_client.get(run.get_absolute_url(), headers={"accept-language": language}) for language in ("en", "zh")
    ]
    assert ["It needed more than 1" in said[0].text, "所需内存超过" in said[1].text] == [True, True]
    assert ["leave the bins out" in said[0].text, "请不用区间" in said[1].text] == [True, True]


SINCE = {  # the words of 0.1.0, and those of today
    "Mining broke on these records (KeyError); the log of the worker tells more.": (
        "Mining failed on these records (KeyError); see the worker's log."
    ),
    "The process that mined ended": "The mining process ended",
    "coins and a direct group no threshold on the supports mlxtend sees is": (
        "coins and a direct group, no threshold in mlxtend is"
    ),
    "Take the bitset": "Use the bitset",
}


def test_why_old_runs_ended_is_said_in_both_languages():
    """By the code of the sentence, with its values; what has no code is said as it was."""
    run = queued_run(sealed_survey(200))
    said = []
    for ended_for in STORED["ended_for"]:
        MiningRun.objects.update(state="failed", ended_for=ended_for)
        migrate()
        run.refresh_from_db()
        with override("zh-hans"):
            chinese = run.reason
        said.append((run.ended_for["code"], run.reason, chinese != run.reason))
    sentences = [
        re.sub(r"(?<=\d),?(?=\d{3} )", "\u202f", entry["sentence"].format(**entry["values"]))
        for entry in STORED["ended_for"]
    ]
    for old, new in SINCE.items():
        sentences = [sentence.replace(old, new) for sentence in sentences]
    codes = ["rules", "died", "other", "broke", "late", "memory", "stopped", "several"]
    assert said == [(code, text, code != "other") for code, text in zip(codes, sentences, strict=True)]


def run_that_counts_direct_answers(monkeypatch, survey):
    """As runs were made before it was asked whether so many gave the same direct answers."""
    run = queued_run(survey)
    with monkeypatch.context() as before:
        before.setattr(disclosure, "of_several", lambda *_: disclosure.Reportable(direct=True, open=True))
        end_run(run)
    result = MiningResult.objects.get(run=run)
    assert result.summary["direct"] > 100
    del result.summary["gated"]
    result.save()
    return run


def everywhere(admin_client, run):
    """What pages, a shared link, files and the API show of a run."""
    staff = User.objects.get(username="admin")
    version = run.snapshot.version
    _shared, token = sharing.share(version, "Colleague", [f"rules-{run.pk}"], 30, staff)
    headers = {"Authorization": f"Bearer {tokens.make(staff, 'tests', ['read'], 1)[1]}"}
    at = run.get_absolute_url().removesuffix("change/")
    pages = {
        "run": admin_client.get(run.get_absolute_url()),
        "list": admin_client.get("/staff/runs/"),
        "report": admin_client.get(f"/staff/studio/versions/{version.pk}/results/"),
        "link": Client().get(f"/r/{token}/"),
    }
    files = [admin_client.get(f"{at}{name}") for name in ("rules.csv", "itemsets.csv", "result.json")]
    shown = Client().get(f"/api/runs/{run.pk}", headers=headers).json()
    listed = Client().get("/api/runs", headers=headers).json()["items"][0]
    return {
        "said": [
            name for name, page in pages.items() if "An earlier version of Candor made this" in page.content.decode()
        ],
        "percentages": [name for name in ("run", "link") if re.search(r"\d\s% \(\d", pages[name].content.decode())],
        "files": [answer.status_code for answer in files],
        "api": [
            (shown["summary"] is not None, len(shown["files"])),
            (listed["summary"] is not None, len(listed["files"])),
        ],
        "file of the api": Client().get(f"/api/runs/{run.pk}/files/rules.csv", headers=headers).status_code,
        "study pack": len(list(findings(run.snapshot))),
    }


@pytest.mark.parametrize("closed", first(1, [False, True]))
def test_a_run_that_counted_direct_answers_whoever_gave_them_is_not_shown(admin_client, monkeypatch, closed):
    """Nowhere, and it says why; what is stored stays, and a run made again is shown."""
    survey = sealed_survey(2000, closed=closed)
    run = run_that_counts_direct_answers(monkeypatch, survey)
    stored = MiningResult.objects.get(run=run)

    shown = everywhere(admin_client, run)
    again = MiningResult.objects.get(run=run)
    admin_client.get(run.get_absolute_url())  # reads why there were no files
    run_again(run)
    end_run(run)
    when_run_again = everywhere(admin_client, MiningRun.objects.get(pk=run.pk))

    assert shown == {
        "said": ["run", "report", "link"],
        "percentages": [],
        "files": [302] * 3,
        "api": [(False, 0), (False, 0)],
        "file of the api": 409,
        "study pack": 0,
    }
    assert when_run_again == {
        "said": [],
        "percentages": ["run", "link"],
        "files": [200] * 3,
        "api": [(True, 3), (True, 3)],
        "file of the api": 200,
        "study pack": 3,
    }
    assert (again.summary, bytes(again.columns)) == (stored.summary, bytes(stored.columns))


@pytest.mark.parametrize("by", ["the upgrade", "erasing"])
def test_the_keys_of_copies_that_workers_kept_are_destroyed(by, survey):
    """By the upgrade; one that an older machine draws after it goes with its survey."""
    CopyKey.objects.create(name="x", version=survey.versions.get(), key=b"drawn by an older machine")
    if by == "erasing":
        erase(survey)
    else:
        editor = SimpleNamespace(connection=connection, execute=connection.cursor().execute)
        import_module("mining.migrations.0008_no_copies").destroy_keys(apps, editor)
    assert not CopyKey.objects.exists()
