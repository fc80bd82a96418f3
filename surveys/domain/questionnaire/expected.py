"""What is taken for granted of answers before anybody is asked: plans compute with it, and simulated people answer so.

Three in ten say yes to each yes/no question, all options of a choice are equally common, and one in twenty prefers not
to say, where they may. Questions with options go together two by two in their order: the first with the second, the
third with the fourth. Nobody can know beforehand what real people will say; a link that stands alone is the hardest to
find, so what is forecast is found in most surveys.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from django.utils.translation import gettext as _

from privacy.design import YES_NO, Block, Design
from privacy.design.brief import Brief, ExpectedItem
from privacy.design.items import Item
from privacy.output import whole
from privacy.plan.connections import YES, Connection, connections, roughly
from surveys.questions.rows import SKIP

SKIPS = 0.05  # prefer not to say, where they may
LONGEST = 3  # answers in a rule

Link = tuple[int, int]
"""Two items of a design by their places, the first one before the second one."""


def shares(item: Item) -> tuple[float, ...]:
    said = _options_without_skip(item)
    own = {"0": 1 - YES, "1": YES} if _is_yes_no(said) else dict.fromkeys(said, 1 / len(said))
    left = 1 - SKIPS * (SKIP in item.options)
    return tuple(left * own[option] if option in own else SKIPS for option in item.options)


def make_brief(blocks: Sequence[Block], respondents: int, length: int) -> Brief:
    """What the advisor needs to know of these blocks to compute their errors for patterns up to a length."""
    items = [item for block in blocks for item in block.items]
    expected = tuple(ExpectedItem(item.id, item.options, shares(item)) for item in items)
    return Brief(expected, respondents, Fraction(2), length=min(length, len(expected)))


def answer_to_link(item: Item) -> int:
    """The place of the option that goes together with one of another item: yes, or the first one."""
    said = _options_without_skip(item)
    return item.options.index("1" if _is_yes_no(said) else said[0])


def _options_without_skip(item: Item) -> list[str]:
    return [option for option in item.options if option != SKIP]


def _is_yes_no(options: list[str]) -> bool:
    return {*options} == {*YES_NO}


def pair_items(design: Design) -> list[Link]:
    places = [place for place, item in enumerate(design.items) if item.has_options]
    return list(zip(places[::2], places[1::2], strict=False))


@lru_cache(maxsize=2048)
def expect_connections(
    design: Design, respondents: int, least: int = 1, direct_share: float = 0.0
) -> tuple[Connection, ...]:
    """How likely links are found, by their number of answers; about fewer than `least` people nothing is reported.

    This is the measure of what goes together on every page: of a true link, the chance that the report has it.
    """
    items = [item for item in design.items if item.has_options]
    if len(items) < 2:
        return ()
    return connections(
        Design(tuple(block for block in design.blocks if block.distribution is None), design.direct),
        respondents,
        shares={item.id: shares(item) for item in items},
        answers={item.id: answer_to_link(item) for item in items if not item.boolean},
        longest=LONGEST,
        direct_share=direct_share,
        least=least,
        links=sum(_tests(design.items[first], design.items[second]) for first, second in pair_items(design)),
    )


def people_for_links(design: Design, least: int = 1) -> str:
    """With how many people links are found, in the one sentence that every page has; empty where no number is enough.

    The number is that of `expect_connections`, as it is on the prices of a design and in its chart.
    """
    pair = _pair(design, least)
    if pair is None:
        return ""
    return _(
        "With about %(n)s people, a report finds 8 of 10 links such as this: an answer that %(few)s %% of all give is "
        "given by %(many)s %% of those who give another."
    ) % {
        "n": whole(roughly(pair.needed or 0)),
        "few": round(100 * pair.among_all),
        "many": round(100 * pair.among_those),
    }


def respondents_for_links(design: Design, least: int = 1) -> int | None:
    """The same number, unrounded; None where no number is enough."""
    pair = _pair(design, least)
    return pair.needed if pair else None


def _pair(design: Design, least: int) -> Connection | None:
    return next((one for one in expect_connections(design, 1, least) if one.length == 2 and one.needed), None)


def _tests(item: Item, other: Item) -> int:
    """The least number of tests of a link: of yes/no questions only yes is mined, of others each option."""
    return 1 if item.boolean and other.boolean else 2
