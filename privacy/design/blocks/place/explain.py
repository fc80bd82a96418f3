"""The sentences that respondents read about places."""

from collections.abc import Sequence
from fractions import Fraction

from privacy.design.block import Explained, Partly, Words
from privacy.design.blocks.place.design import PlaceBlock
from privacy.design.rationals import ONE
from privacy.design.sentences import Said, of_people
from privacy.errors import to_translate

_SQUARE = to_translate(
    "Of {of} people, {some} send a random place from the whole map. The others send one from a square of {side} by "
    "{side} around their own."
)
_IN_ZONES = to_translate(
    "In the shaded zones: of {of} people, {some} send a place drawn from all zones. The others send one from a square "
    "of {side} by {side} that holds their own."
)
_IN_LEVELS = to_translate(
    "In the shaded zones: of {of} people, {some} to {most} send a place drawn from all zones. Most do where zones "
    "hide best. The others send one from a square of {side} by {side} that holds their own."
)
_OUTSIDE = to_translate(
    "Outside the shaded zones a place is not hidden. Of {of} people there, about {some} send a place in a zone "
    "instead. The others send exactly their own. A place outside the zones that is sent is true. Reports show no place "
    "there with few people. But anyone who reads the stored answers sees each place."
)
_TOGETHER = to_translate(
    "A place that is sent from outside the shaded zones is true. Say half of a crowd would give your answer, a "
    "place in a zone. The other half would give another. Take {of} people in it with the same stored answers. Up to "
    "{most} would give your answer. At least {some} would give another."
)
_BELIEVED = to_translate(
    "A place that is sent from outside the shaded zones is true. If someone is {prior} % sure that a respondent is at "
    "some place in a zone, the stored answer cannot make them surer than {posterior} %."
)
_NOTE = (
    "Outside its zones a place is not protected: gamma is infinite, and what is sent from there is true. The odds\n"
    "of a place in a zone, against any other, grow at most by the odds named here."
)
_ADVICE = to_translate(
    "The odds of a place can grow more than this site’s limit of {limit} times. Take a smaller epsilon."
)


def _explain(blocks: Sequence[PlaceBlock]) -> Explained:
    return [([block], _of_one(block)) for block in blocks]


def _of_one(block: PlaceBlock) -> list[Said]:
    """Say how often a random place is sent, how far near places are from the true one, and what is not hidden."""
    of, (some,) = of_people([1 - block.mechanism.beta])
    side = f"{block.units(block.mechanism.side):g}"
    if block.mechanism.everywhere:
        return [Said(_SQUARE, {"of": of, "some": some, "side": side})]
    outside = Said(_OUTSIDE, {"of": of, "some": some})
    if (least := min(block.mechanism.keeps)) < block.mechanism.keep:
        of, (some, most) = of_people([1 - Fraction(keep, ONE) for keep in (block.mechanism.keep, least)])
        return [Said(_IN_LEVELS, {"of": of, "some": some, "most": most, "side": side}), outside]
    return [Said(_IN_ZONES, {"of": of, "some": some, "side": side}), outside]


WORDS = Words(_ADVICE, _explain, Partly(_TOGETHER, _BELIEVED, _NOTE))
