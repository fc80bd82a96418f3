"""The shared vectors: the same words give the same record in Python, under Node and in the browser."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from privacy.design import Design
from privacy.disguise import disguise, draw_asked
from tests.cases import every
from tests.codes import NOT_ASKED
from tests.privacy.disguise.words import given_words

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "disguise.json").read_text())


def ids(vector: dict[str, Any]) -> str:
    return vector["promise"]


@pytest.mark.parametrize("vector", VECTORS["asked"], ids=ids)
def test_python_asks_what_the_vector_says(vector: dict[str, Any]) -> None:
    """The asked set follows from the words by hand, and takes all of them."""
    take = given_words(np.array(vector["words"], np.uint32))

    asked = draw_asked(Design.parse(vector["design"]), 1, take)

    assert asked.tolist() == [vector["asked"]]
    with pytest.raises(ValueError, match="words were given"):
        take(1)


@pytest.mark.parametrize("vector", every(4, VECTORS["disguise"]), ids=ids)
def test_python_sends_what_the_vector_says(vector: dict[str, Any]) -> None:
    """The record follows from the words by hand, and takes all of them."""
    take = given_words(np.array(vector["words"], np.uint32))
    answers = np.array([[NOT_ASKED if answer is None else answer for answer in vector["answers"]]], np.uint8)

    records = disguise(Design.parse(vector["design"]), answers, take=take)

    assert [None if code == NOT_ASKED else code for code in records.codes[0].tolist()] == vector["record"]
    with pytest.raises(ValueError, match="words were given"):
        take(1)
