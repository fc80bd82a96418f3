"""Why a release ended without a table is kept by a code and its values, and said in the reader's language."""

from html import unescape
from importlib import import_module
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import gettext, override

from privacy.errors import EntryError
from privacy.release.reasons import ReleaseError
from surveys.models import TableRelease
from surveys.releases.ask import ask
from surveys.releases.claim import claim, dead_process_error, fail
from surveys.releases.reasons import TableError
from tests.surveys.results.making import survey_with_results

DIED = ("Its worker died 3 times; ask again.", "处理它的进程中断了 3 次；请重新请求。")
FEW = (
    "Each group of direct respondents needs 3 answers to “age”, but all together gave 2; ask for less.",
    "每组直接作答者对“age”应有 3 种回答，而他们全部合起来只有 2 种；请降低要求。",
)
TREE = ("the hierarchy has no rows.", "层级表没有任何行。")


@pytest.fixture
def release() -> TableRelease:
    tree = [["arts", "*"], ["law", "*"], ["music", "*"]]
    asked = {"attributes": {"faculty": {"role": "quasi", "hierarchy": tree}}, "model": {"k": 5}}
    return ask(survey_with_results(400), asked, None)


def sentences_on_page(client: Client, release: TableRelease, sentences: tuple[str, str]) -> list[tuple[bool, ...]]:
    """Which of these sentences stand on the page of the release, in English and in Chinese."""
    address = reverse("studio:release", args=[release.version_id, release.pk])
    pages = [
        unescape(client.get(address, headers={"Accept-Language": one}).content.decode()) for one in ("en", "zh-CN")
    ]
    return [tuple(sentence in page for sentence in sentences) for page in pages]


@pytest.mark.parametrize(
    ("reason", "kept", "sentences"),
    [
        (dead_process_error(), {"code": "died", "values": {"attempts": 3}}, DIED),
        (
            ReleaseError("few", least=3, item="age", given=2),
            {"code": "few", "values": {"least": 3, "item": "age", "given": 2}},
            FEW,
        ),
        (
            EntryError("the hierarchy has no rows.", at="attributes.faculty"),
            {"sentence": "the hierarchy has no rows.", "values": {}},
            TREE,
        ),
    ],
)
def test_a_reason_is_said_in_the_language_of_whoever_reads(
    release: TableRelease, admin_client: Client, reason: EntryError, kept: dict[str, Any], sentences: tuple[str, str]
) -> None:
    """The same release, read by two people: of the site, of making tables, and of what was entered."""
    token = claim(release.pk)
    assert token is not None
    fail(release.pk, token, reason)

    assert TableRelease.objects.get().ended_for == kept
    assert sentences_on_page(admin_client, release, sentences) == [(True, False), (False, True)]


def test_every_code_has_a_sentence_in_chinese() -> None:
    """Also those that no test brings about, and every code to which old sentences were upgraded."""
    upgraded = set(import_module("surveys.migrations.0039_reasons_of_releases").ENDS.values())
    with override("zh-hans"):
        translated = {code for code, sentence in TableError.SENTENCES.items() if gettext(sentence) != sentence}
    assert (upgraded - translated, set(TableError.SENTENCES) - translated) == (set(), set())
