"""Every request of docs/api.md is answered as the guide says: the same members, and a refusal word for word."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.config.api.conftest import Caller, caller, person, token_of
from tests.surveys.results.making import survey_with_results

pytestmark = pytest.mark.django_db

GUIDE = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
EXCHANGES = re.findall(r"```http\n(.*?)```\s+```json\n(.*?)```", GUIDE, re.DOTALL)


@pytest.fixture
def ask(no_worker: None) -> Caller:
    survey_with_results(1500)
    return caller(token_of(person("reader")))


def shape(value: Any) -> Any:
    """The names of members, also of what stands first in a list."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in value.items() if isinstance(member, dict | list)} | {
            "": sorted(value)
        }
    return shape(value[0]) if isinstance(value, list) and value else None


def test_the_guide_shows_what_the_api_answers(ask: Caller) -> None:
    assert len(EXCHANGES) == 9
    for request, answer in EXCHANGES:
        head, _, body = request.partition("\n\n")
        method, path, _version = head.splitlines()[0].split()
        response = ask(method, path.removeprefix("/api"), json.loads(body) if body else None)
        received, written = response.json(), json.loads(answer)
        if response.status_code >= 400:
            assert received == written
        assert sorted(received) == sorted(written), path
        for name, member in written.items():
            if shape(member) and name not in ("parameters",):
                assert shape(received[name]) is not None, (path, name)
                assert set(shape(member)[""]) == set(shape(received[name])[""]), (path, name)
