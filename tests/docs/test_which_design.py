"""The table of rare answers, of decision 60, is what `candor advise` gives."""

import re

import pytest

from privacy.design.blocks.one_of.advise import GROUP_OF, ONE_OF, SETS_OF
from privacy.design.brief import Brief, yes_no
from privacy.plan.advice import best_designs
from tests.cases import first
from tests.servers import ROOT

TEXT = (ROOT / "docs" / "decisions" / "0060-one-word.md").read_text(encoding="utf-8")
ROW = r"^\| (\d+) \| (\.\d+) \| (\S+) / (\S+) \| (\S+) / (\S+) \| (.+) \|$"
ROWS = re.findall(ROW, TEXT, re.MULTILINE)
ROW_HAS = ("items", "yes", "one", "other", "pair", "other_pair", "takes")
NAMES = {ONE_OF: "one word", GROUP_OF: "a group of words", SETS_OF: "words with a threshold"}


def figures(items: int, yes: float, length: int) -> tuple[str, str, str]:
    """The errors of the list and of the best of all others, as they are written, and what is taken."""
    advice = best_designs(Brief(yes_no(items, yes), 10_000, 19, length))
    listed = [one for one in advice.choices if one.family in (ONE_OF, GROUP_OF)]
    others = [one for one in advice.choices if one.family not in NAMES]
    written = [f"{one.errors.expected[-1]:.4f}"[1:] for one in (*listed[:1], min(others, key=advice.error))]
    return ("–", *written)[-2], written[-1], NAMES.get(advice.recommended.family, "one sampled coin")


@pytest.mark.parametrize(ROW_HAS, first(1, ROWS))
def test_the_table_of_rare_answers_is_true(
    items: str, yes: str, one: str, other: str, pair: str, other_pair: str, takes: str
) -> None:
    """Root mean square errors at n = 10 000 and γ = 19, of singles and of pairs."""
    singles, pairs = (figures(int(items), float(yes), length) for length in (1, 2))

    assert (one, other, pair, other_pair, takes) == (*singles[:2], *pairs)
