"""Modules of the respondent's page for themselves, under Node."""

import json
import re
from collections.abc import Callable
from typing import Any

from surveys.domain.page import bundle
from surveys.questions import TYPES


def test_every_type_stands_in_the_table() -> None:
    """The name of each type that the server knows, once, and the module that it comes from; no module is left over."""
    source = (bundle.CLIENT / "questionnaire.js").read_text().split("\nconst TYPES = {")[1].split("\n};")[0]
    table = dict(re.findall(r"(\w+): \(\) => (?:withRare\()?(?:import\('\./questions/)?(\w+)", source))
    modules = {module.stem for module in (bundle.CLIENT / "questions").glob("*.js")}
    assert sorted(table) == sorted(TYPES)
    assert set(table.values()) == modules - {"usual"} | {"yesno", "choice", "scale"}


def test_no_module_waits_while_it_is_loaded() -> None:
    """WebKit runs a module before one that it imports, where two that come at once wait for the same third."""
    modules = [name for name in bundle.files() if name.endswith(".js") and not name.startswith("vendor/")]
    at_the_top = re.compile(rb"^(\S.* = )?await ", re.MULTILINE)
    assert [name for name in modules if at_the_top.search(bundle.files()[name].body)] == []


def test_every_body_has_the_size_the_questionnaire_names(evaluate: Callable[..., Any]) -> None:
    """Letters of one, two, three and four bytes, quotes and line ends: always so many bytes, and all of it JSON."""
    texts = ["", "a", "é", "中", "🙂", '"', "\\", "a" * 90, "\u2028", "中" * 30]
    responses = [{"record": [1, None, 11], "open": {"remark": text}} for text in texts]
    bodies = evaluate("response.js", "({ bodyOf }, all) => all.map((one) => bodyOf(one, 256))", responses)
    assert [len(body.encode()) for body in bodies] == [256] * len(texts)
    assert [json.loads(body)["open"]["remark"] for body in bodies] == texts


def test_a_response_that_does_not_fit_is_not_sent_short(evaluate: Callable[..., Any]) -> None:
    """A definition with too small a size is a fault that shows, not one that leaks a length."""
    function = "({ bodyOf }, one) => { try { return bodyOf(one, 30) } catch (error) { return error.message } }"
    said = evaluate("response.js", function, {"open": {"remark": "a" * 20}})
    assert said.startswith("Invalid count value: -")
