"""Which attack each model stops, and which it does not: the rows of the guide's table and of the page of releases."""

from dataclasses import dataclass

from privacy.errors import to_translate


@dataclass(frozen=True)
class Stops:
    """A model, how a spec asks for it, what it stops and what it does not; `page`: whether the page has it."""

    label: str
    example: str
    stopped: str
    left: str
    page: bool = True


STOPS = (
    Stops(
        to_translate("k-anonymity"), '"k": 5',
        to_translate("finding the row of somebody"),
        to_translate("learning the sensitive value where a whole class shares it"),
    ),
    Stops(
        to_translate("l-diversity"), '"l": {"kind": "distinct", "l": 3}',
        to_translate("that, and an attacker who can rule out l − 2 values"),
        to_translate("values that are nearly certain, or alike in meaning"),
    ),
    Stops(
        to_translate("entropy or recursive (c, l)-diversity"), '"l": {"kind": "entropy", "l": 3}',
        to_translate("values that are nearly certain"),
        to_translate("a class that is far from everybody else"),
    ),
    Stops(
        to_translate("(α, k)-anonymity"), '"alpha": 0.5',
        to_translate("one value that fills a class"),
        to_translate("values that become more likely below that share, or are ruled out"),
    ),
    Stops(
        to_translate("(ρ₁, ρ₂)-privacy"), '"rho": [0.2, 0.5]',
        to_translate(
            "that a value less likely than ρ₁ becomes more likely than ρ₂, or one more likely than 1 − ρ₁ less likely "
            "than 1 − ρ₂"
        ),
        to_translate("common values that become certain"),
    ),
    Stops(
        to_translate("t-closeness"), '"t": {"distance": "ordered", "t": 0.3}',
        to_translate("a class that differs much from the table"),
        to_translate("small shifts, for everybody"),
    ),
    Stops(
        to_translate("β-likeness"), '"beta": {"kind": "enhanced", "beta": 2}',
        to_translate(
            "a value more than 1 + β times as common in a class as in the table; rare values count as much as common "
            "ones"
        ),
        to_translate("values that a class rules out; if it is basic, also common values that become certain"),
    ),
    Stops(
        to_translate("δ-disclosure"), '"disclosure": 1',
        to_translate("a share that doubles or halves where δ is 1 (it is in bits), and ruling any value out"),
        to_translate("smaller shifts, for everybody; a rare value must be in every class, so most tables lose much"),
    ),
    Stops(
        to_translate("average risk"), '"average": 0.1',
        to_translate("more than this share of the rows being found"),
        to_translate("single rows: ask for k, too (k and average together are strict-average risk)"),
    ),
    Stops(
        to_translate("k-map"), '"k_map": 5',
        to_translate("finding the row of somebody who may not be in the table: so many people fit each class"),
        to_translate("a reader who knows that somebody is in it"),
    ),
    Stops(
        to_translate("δ-presence"), '"presence": [0.01, 0.3]',
        to_translate("becoming sure that somebody is in the table, or is not"),
        to_translate("learning about those who are in it"),
        page=False,
    ),
    Stops(
        to_translate("list of safe harbour"), '"safe_harbour": true',
        to_translate("columns that tell who somebody is by themselves, found by their names and values"),
        to_translate("combinations of others, which k is for; texts, pictures, and names in other languages"),
    ),
)  # fmt: skip
