"""A record that no device, and no person who follows the draw, can send is refused, by page and on paper alike."""

from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from privacy.design import Design
from surveys.domain.messages.submission import Refused, bytes_to_store, envelope
from tests.cases import first
from tests.codes import NOT_ASKED
from tests.privacy.channels import DESIGNS, declared, inputs
from tests.privacy.own_draw import people

CASES = [*DESIGNS.values(), *(Design.parse({"blocks": [block]}) for block in people.BLOCKS.values())]


def accepts(design: Design, record: tuple[int | None, ...]) -> bool:
    """Whether the server stores the record of somebody who answers with disguise."""
    document: dict[str, Any] = {"version": "0" * 64, "key": "0" * 32, "direct": 0, "open": {}, "pad": ""}
    published: Any = SimpleNamespace(design=design, beside_records=())
    try:
        bytes_to_store(envelope({**document, "record": list(record)}), published)
    except Refused:
        return False
    return True


@pytest.mark.parametrize("design", first(4, CASES))
def test_just_what_some_truth_can_send_is_stored(design: Design) -> None:
    """Every record of every length of each kind, against the chances that the format declares."""
    (block,) = design.blocks
    sent = {record for truth in inputs(design) for record, chance in declared(block, truth).items() if chance}
    every = product(*([*range(field.size), None] for field in design.fields))

    stored = {record for record in every if accepts(design, record)}

    assert stored == {tuple(None if code == NOT_ASKED else code for code in record) for record in sent}


@pytest.mark.parametrize("record", [(), (0,), (0, 0, 0), (0, True), (0, "1"), (0, -1), (0, 2), (0, 0.5), (None, None)])
def test_no_other_record_is_stored(record: tuple[Any, ...]) -> None:
    """Of another length or type, or with a number that no option has."""
    assert not accepts(Design.parse({"model": "warner", "theta": 0.9, "items": ["a", "b"]}), record)
