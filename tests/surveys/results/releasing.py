"""Making releases in the process of a test, which alone sees what its transaction has written."""

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from surveys.models import SurveyVersion, TableRelease
from surveys.releases.ask import ask
from surveys.releases.claim import claim
from surveys.releases.form import ReleaseForm
from surveys.releases.make import make
from surveys.releases.table import releasable_columns, sensitive_columns
from surveys.releases.words import words_of_columns

ITEMS = ("drugs", "cheating", "theft", "age")
MOOD = {"role": "quasi", "hierarchy": [["1", "low", "*"], ["2", "low", "*"], *([x, "high", "*"] for x in "345")]}
ATTRIBUTES = {
    "faculty": {"role": "quasi", "hierarchy": [["arts", "*"], ["law", "*"], ["music", "*"]]},
    "mood": MOOD,
} | {item: {"role": "sensitive"} for item in ITEMS}
ASKED = {
    "candor": 1,
    "attributes": ATTRIBUTES,
    "model": {"k": 5, "l": {"kind": "distinct", "l": 2}},
    "method": "full-domain",
    "minimise": "discernibility",
    "suppression": 0,
}

FORM = {
    "do": "make", "k": "5", "l_kind": "distinct", "l": "2", "method": "full-domain", "minimise": "discernibility",
    "suppression": "0", "role-mood": "quasi", "shape-mood": "hierarchy",
    "levels-mood": "1;low;*\n2;low;*\n3;high;*\n4;high;*\n5;high;*", "role-faculty": "disguised",
    "gamma-faculty": "9", "publish-drugs": "on",
}  # fmt: skip


def form_of(version: SurveyVersion, given: Mapping[str, Any], files: Mapping[str, Any] | None = None) -> ReleaseForm:
    """The form of a release as somebody sends it; a list stands for several ticks."""
    posted = QueryDict(mutable=True)
    for name, value in given.items():
        posted.setlist(name, value if isinstance(value, list) else [str(value)])
    columns, words = releasable_columns(version, "en"), words_of_columns(version, "en")
    return ReleaseForm(1, columns, sensitive_columns(version), words, posted, files or {})


def work(pk: int) -> None:
    """Take the release if it is free, and make it, as a worker's process does."""
    if token := claim(pk):
        make(pk, token)


def table_of(release: TableRelease) -> list[dict[str, str]]:
    """The rows of a table that was made, as its file has them."""
    return list(csv.DictReader(io.StringIO(bytes(release.table).decode(), newline="")))


def made(version: object, **attributes: object) -> TableRelease:
    release = ask(version, ASKED | {"attributes": {"mood": MOOD} | attributes}, None)  # type: ignore[arg-type]
    work(release.pk)
    return TableRelease.objects.get(pk=release.pk)


def make_by_form(version: SurveyVersion, client: Client, form: dict[str, str]) -> tuple[str, TableRelease]:
    """The page of the table that somebody asks for by the form, and the table."""
    answer = client.post(reverse("studio:releases", args=[version.pk]), form)
    assert answer.status_code == 302, answer.context["form"].errors
    work(TableRelease.objects.get().pk)
    return answer["Location"], TableRelease.objects.get()


def files_of(version: SurveyVersion, client: Client, form: dict[str, str], folder: Path) -> list[Path]:
    """The table and the design that somebody takes from the site, who asked for them by the form and released them."""
    address, release = make_by_form(version, client, form)
    client.post(reverse("studio:release-publish", args=[version.pk, release.pk]))
    page, files = client.get(address).content.decode(), []
    for kind, name in (("csv", "table.csv"), ("design", "design.json")):
        file = reverse("studio:release-file", args=[version.pk, release.pk, kind])
        assert file in page
        files.append(folder / name)
        files[-1].write_bytes(client.get(file).content)
    return files
