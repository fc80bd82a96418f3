"""What each model stops is said once: in the guide and on the page of releases."""

import json

from privacy.release.limits import LIMITS
from privacy.release.models import CONDITIONS
from privacy.release.specs import SAFE_HARBOUR
from privacy.release.stops import STOPS
from tests.docs.pages import text_of
from tests.servers import ROOT


def test_the_table_of_the_guide_has_these_rows() -> None:
    """In their order, with the member of a spec that asks for each."""
    table = text_of(ROOT / "docs" / "release.md").partition("| what it stops |")[2].partition("\n\n")[0]

    assert table.splitlines()[2:] == [f"| {one.label}, `{one.example}` | {one.stopped} | {one.left} |" for one in STOPS]


def test_every_model_has_a_row() -> None:
    """Whatever a model may ask for, somebody can read what it does not stop."""
    members = {member for one in STOPS for member in json.loads(f"{{{one.example}}}")}

    assert members == {"k", *CONDITIONS, *LIMITS, SAFE_HARBOUR}
