"""The sentences that respondents read about numbers with noise."""

from collections.abc import Sequence
from fractions import Fraction

from privacy.design.block import Explained, Words
from privacy.design.blocks.number.design import NumberBlock
from privacy.design.blocks.number.noises import WRAP
from privacy.design.rationals import ONE
from privacy.design.sentences import Said, of_people
from privacy.errors import to_translate

_MIXED = to_translate("For {some} of {of} people it sends any number from {low} to {high} instead. Each is as likely.")
_WRAPPED = to_translate("Counting past {high} continues at {low}, and counting below {low} continues at {high}.")


def _explain(blocks: Sequence[NumberBlock]) -> Explained:
    return [([block], _of_one(block)) for block in blocks]


def _of_one(block: NumberBlock) -> list[Said]:
    """The sentences about one number: its noise, what becomes of the edges, and how often any number is sent."""
    ends = {"low": _minus(str(block.answers[0])), "high": _minus(str(block.answers[-1]))}
    said = [block.noise.explain()]
    if block.edge == WRAP:
        said.append(Said(_WRAPPED, ends))
    if block.mix < ONE:
        records = block.grid.records[0]
        of, (some,) = of_people([Fraction(ONE - block.mix, ONE)])
        said.append(Said(_MIXED, {"of": of, "some": some, "low": _minus(records[0]), "high": _minus(records[-1])}))
    return said


def _minus(number: str) -> str:
    """Write a negative number with a minus sign in place of a hyphen."""
    return number.replace("-", "\N{MINUS SIGN}")


WORDS = Words(to_translate("γ is above this site’s limit of {limit}. Disguise more."), _explain)
