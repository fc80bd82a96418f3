"""A run always says what it is at: the engines tell their phase, its row keeps it, and its page says it in words."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from mining.domain.claim import claim, renew
from mining.engines.findings import findings
from mining.engines.request import MiningRequest
from mining.models import MiningRun
from surveys.domain.database import jobs
from tests.cases import first
from tests.clocks import set_time
from tests.mining.designs import design_of, records_of
from tests.mining.surveys import queued_run, sealed_survey
from tests.surveys.staff import page_of, somebody


def test_every_phase_is_told_when_it_begins() -> None:
    """Reading, counting, making rules."""
    design, heard = design_of("one block"), list[str]()
    request = MiningRequest(0.3, 0.3, engine="bitset", negated=True)
    findings([records_of(design, 150)], design, request, lambda phase, *_: heard.append(phase))
    assert list(dict.fromkeys(heard)) == ["reading", "counting", "rules"]


def test_a_new_phase_is_told_at_once_and_figures_within_one_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two lines of one phase lies half a second."""
    now = iter([0.0, 0.0, 0.1, 0.2, 0.6, 0.8])
    set_time(monkeypatch, jobs, lambda: next(now))
    tell = jobs.Progress("reading")
    for phase, candidates in (("counting", 1), ("counting", 2), ("rules", 3), ("rules", 4), ("rules", 5)):
        tell(phase, phase=phase, candidates=candidates)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["phase"], line["candidates"]) for line in lines] == [("counting", 1), ("rules", 3), ("rules", 5)]


def test_a_run_is_never_without_a_word() -> None:
    """From the moment it is taken, while its process only starts."""
    run = queued_run(sealed_survey(200))
    claim(run.pk)
    run.refresh_from_db()
    with override("en"):
        assert run.doing == "reading the answers"


@pytest.mark.parametrize(
    ("phase", "english", "chinese"),
    first(
        1,
        [
            ("reading", ["reading the answers", ""], ["正在读取回答", ""]),
            (
                "counting",
                ["counting itemsets of length 3", "77 candidates counted"],
                ["正在计数长度为 3 的项集", "已计数 77 个候选项集"],
            ),
            ("reference", ["mlxtend searches for itemsets", ""], ["mlxtend 正在搜索项集", ""]),
            ("rules", ["making rules", "77 rules so far"], ["正在生成规则", "目前 77 条规则"]),
        ],
    ),
)
def test_each_phase_has_words_in_both_languages(
    admin_client: Client, phase: str, english: list[str], chinese: list[str]
) -> None:
    """What the live page asks for, in the language of its reader."""
    run = queued_run(sealed_survey(200))
    renew(run.pk, claim(run.pk) or "", phase=phase, level=3, candidates=77, share=0.25)
    for language, words in (("en", english), ("zh-CN", chinese)):
        answer = admin_client.get(
            reverse("mining_run_progress", args=[run.pk]), headers={"Accept-Language": language}
        ).json()
        assert [answer["doing"], answer["counted"]] == words


@pytest.mark.long
def test_what_is_read_aloud_changes_only_with_the_words(live: LiveServer, browser: Browser) -> None:
    """Figures go on beside it; the live region itself is rewritten when the phase is another, and only then."""
    run = queued_run(sealed_survey(200))
    token = claim(run.pk) or ""
    renew(run.pk, token, phase="counting", level=2, candidates=10, share=0.1)
    page = page_of(somebody(), browser, live)
    page.goto(f"{live.url}{run.get_absolute_url()}")
    page.evaluate(
        """() => {
            window.written = [];
            const place = document.querySelector("[aria-live]");
            const note = () => window.written.push(place.textContent);
            new MutationObserver(note).observe(place, { childList: true, characterData: true, subtree: true });
        }"""
    )

    def wait_for(words: str, **progress: object) -> None:
        renew(run.pk, token, **progress)
        page.wait_for_function("words => document.getElementById('state').textContent.includes(words)", arg=words)

    wait_for("20 candidates counted", candidates=20)
    wait_for("30 candidates counted", candidates=30)
    wait_for("making rules", phase="rules", candidates=0, share=0)
    wait_for("5 rules so far", candidates=5)
    written = page.evaluate("window.written")
    unknown = page.evaluate("!document.querySelector('progress').hasAttribute('value')")
    MiningRun.objects.filter(pk=run.pk).update(state="cancelled")
    page.context.close()
    assert written == ["making rules"]
    assert unknown
