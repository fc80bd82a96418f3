"""`open_survey`: the respondent's page with a questionnaire, over a wire that the test holds in its hand.

It waits until all is here that a visit needs; of what comes while the first page is read, nothing is missing then.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.client.questionnaires import one_coin
from tests.client.wire import Wire

ALL_IS_HERE = """() => ['questionnaire', 'response'].every(name =>
    performance.getEntriesByType('resource').some(entry => entry.name.endsWith(`/${name}.js`)))"""


@pytest.fixture
def open_survey(page: Page) -> Callable[..., Wire]:
    """Open a questionnaire (the demo's setting unless another is given) by its link and wait for the first heading."""

    def visit(definition: dict[str, Any] | None = None, fragment: str | None = None, **wire: Any) -> Wire:
        attached = Wire(one_coin() if definition is None else definition, **wire).attach(page.context)
        page.goto(attached.link(fragment))
        page.get_by_role("heading", level=1).wait_for()
        if page.locator(".protection").count():  # the first page, or the receipt
            page.wait_for_function(ALL_IS_HERE)
        return attached

    return visit
