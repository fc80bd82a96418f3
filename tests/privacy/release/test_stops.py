"""What each model stops is said once: in the guide and on the page of releases."""

import json

import pytest

from privacy.release.models import MODELS, ModelRow
from tests.docs.pages import text_of
from tests.servers import ROOT


def test_the_table_of_the_guide_has_the_rows_of_all_models() -> None:
    """In their order, with the member of a spec that asks for each."""
    table = text_of(ROOT / "docs" / "release.md").partition("| what it stops |")[2].partition("\n\n")[0]

    assert table.splitlines()[2:] == [
        f"| {one.label}, `{one.example}` | {one.stopped} | {one.left} |"
        for model in MODELS.values()
        for one in model.stops
    ]


@pytest.mark.parametrize("model", MODELS.values(), ids=list(MODELS))
def test_a_model_stops_something_by_its_own_member(model: ModelRow) -> None:
    """Whatever a model may ask for, somebody can read what it does not stop, and the example is one that is read."""
    examples = [json.loads(f"{{{one.example}}}") for one in model.stops]

    assert [list(example) for example in examples] == [[model.name]] * max(len(examples), 1)
    for example in examples:
        model.read(example, "model")
