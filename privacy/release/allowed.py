"""What a table still allows, in plain words: the paragraph at the top of every report."""

from collections.abc import Mapping, Sequence

from privacy.design.sentences import Said
from privacy.errors import to_translate
from privacy.release.attacks import HOMOGENEITY, Attack
from privacy.release.measures import TableMeasures
from privacy.release.methods import Method

FOUND = to_translate(
    "Somebody who knows {known} can find the rows of {some} of {of} people, because they are alone with these values."
)
HIDDEN = to_translate("Somebody who knows {known} can find no single row: at least {k} rows are alike in all of this.")
LEARNED = to_translate(
    "For {some} of {of} people “{secret}” can be learned without finding the row: all fitting rows have the same value."
)
UNKNOWN = to_translate("Nobody's “{secret}” can be learned from this table alone: rows that are alike differ in it.")
RULED_OUT = to_translate(
    "Somebody who can rule out one value of “{secret}” for each person learns the right one for {some} of {of} people."
)
ROSE = to_translate(
    "About “{secret}”, somebody who knows {known} goes from {before} in {of} to {after} in {size} for {some} of {of} "
    "people; no belief grows more."
)
ROSE_SURE = to_translate(
    "About “{secret}”, somebody who knows {known} goes from {before} in {of} to certain for {some} of {of} people; no "
    "belief grows more."
)
UNINFORMED = to_translate(
    "About “{secret}”, somebody who knows {known} learns no more than its share in the whole table."
)
METHOD_KNOWN = to_translate("What a reader learns who also knows how the table was made is not part of these figures.")
FELL = to_translate("For {some} of {of} people a value of “{secret}” can be ruled out that {before} of {of} have.")
SUPPRESSED = to_translate(
    "{some} rows are suppressed. People who fit no other class are among them, so all figures count them as a class."
)
SUPPRESSED_ONE = to_translate("1 row is suppressed. A person who fits no other class can be found by this.")
OLDER = (  # in reports that older sites keep, where suppressed rows were in no class
    to_translate(
        "{some} rows are suppressed. A person who fits no class of the table is one of them, so a few suppressed rows "
        "hide nobody."
    ),
    to_translate("1 row is suppressed. It belongs to the person who fits no class of the table, so it hides nobody."),
)
DISTORTED = to_translate("Some rows may carry another value than the true one, on purpose.")
NO_SECRET = to_translate(
    "No column is sensitive, so these figures do not cover what can be learned without finding a row."
)
NO_VALUE = to_translate(
    "{some} of {of} rows have no “{secret}”. That hides nobody, so what is said of it is about the other rows."
)
NO_VALUE_ONE = to_translate(
    "1 of {of} rows has no “{secret}”. That hides nobody, so what is said of it is about the other rows."
)
BEYOND = to_translate("All this assumes that the reader knows no more and sees no other table about the same people.")
_SECRET = to_translate("the sensitive value")


def remaining_risks(
    measures: TableMeasures,
    attacks: Sequence[Attack],
    known: Sequence[str],
    secrets: Sequence[str],
    *,
    suppressed: int = 0,
    missing: Mapping[str, int] | None = None,
    method: Method | None = None,
    on_disguised: Sequence[Said] = (),
) -> list[Said]:
    """Say what a table still allows.

    `suppressed`: how many rows are hidden. `missing`: how many have no value, by sensitive column. `method` made the
    table; how many values it changed would tell of single rows. `on_disguised`: what is said of columns that are
    disguised, about which no attack is tried.
    """
    alone, *others = attacks
    names = ", ".join(known)
    if alone.succeeded:
        said = [Said(FOUND, {"known": names, "some": alone.succeeded, "of": alone.tried})]
    else:
        said = [Said(HIDDEN, {"known": names, "k": measures.k})]
    for attack in others:
        secret = attack.about or (secrets[0] if len(secrets) == 1 else _SECRET)
        figures: dict[str, int | str] = {"secret": secret, "some": attack.succeeded, "of": attack.tried}
        if attack.kind == HOMOGENEITY:
            said.append(Said(LEARNED if attack.succeeded else UNKNOWN, figures))
        elif attack.succeeded:
            said.append(Said(RULED_OUT, figures))
    if method:
        said.append(Said(METHOD_KNOWN, {}))
    rise, fall = measures.rise, measures.fall
    if rise:
        secret = rise.about or (secrets[0] if len(secrets) == 1 else _SECRET)
        figures = {"secret": secret, "known": names, "before": rise.before, "of": rise.of, "some": rise.rows}
        if rise.growth <= 1:
            said.append(Said(UNINFORMED, {"secret": secret, "known": names}))
        elif rise.after == rise.size:
            said.append(Said(ROSE_SURE, figures))
        else:
            said.append(Said(ROSE, figures | {"after": rise.after, "size": rise.size}))
    if fall and fall.rows:
        secret = fall.about or (secrets[0] if len(secrets) == 1 else _SECRET)
        said.append(Said(FELL, {"secret": secret, "some": fall.rows, "of": fall.of, "before": fall.before}))
    for name, some in (missing or {}).items():
        if some:
            said.append(Said(NO_VALUE if some > 1 else NO_VALUE_ONE, {"secret": name, "some": some, "of": alone.tried}))
    if not secrets and not on_disguised:
        said.append(Said(NO_SECRET, {}))
    if suppressed:
        said.append(Said(SUPPRESSED, {"some": suppressed}) if suppressed > 1 else Said(SUPPRESSED_ONE, {}))
    if method and method.disguised:
        said.append(Said(DISTORTED, {}))
    return [*said, *on_disguised, Said(BEYOND, {})]


def paragraph(said: Sequence[Said]) -> str:
    """Join sentences into one English paragraph.

    >>> paragraph([Said("{some} rows are suppressed.", {"some": 2}), Said("No column is sensitive.", {})])
    '2 rows are suppressed. No column is sensitive.'
    """
    return " ".join(map(str, said))
