"""What a table still allows, in plain words: the paragraph at the top of every report."""

from collections.abc import Sequence

from privacy.design.sentences import Said
from privacy.errors import to_translate
from privacy.release.attacks import DOWNCODING, HOMOGENEITY, MINIMALITY, Attack
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
EXPLAINED = to_translate(
    "A reader who also knows how the table was made, and everybody's {known}, learns more about {some} of {of} people "
    "than the model allows: found within {worlds} possible tables."
)
UNEXPLAINED = to_translate(
    "A reader may also know how the table was made: within {worlds} possible tables nothing beyond the model was found."
    " More tables may show more."
)
UNTRIED = to_translate(
    "A reader may also know how the table was made. What that tells was not tried, because it would take too long."
)
FINER = to_translate(
    "A reader who also knows how the table was made, and which values occur, can write {cells} cells finer than they "
    "are published, of at least {some} of {of} people: found within {worlds} possible tables."
)
NOT_FINER = to_translate(
    "A reader may know how the table was made, and which values occur: within {worlds} possible tables no finer value "
    "was found. More tables may show more."
)
NOT_TRIED_FINER = to_translate(
    "A reader may know how the table was made, and which values occur. What finer values that tells was not tried, "
    "because it would take too long."
)
ONE_TABLE = {  # each of these of a single table
    EXPLAINED: to_translate(
        "A reader who also knows how the table was made, and everybody's {known}, learns more about {some} of {of} "
        "people than the model allows: found within 1 possible table."
    ),
    UNEXPLAINED: to_translate(
        "A reader may also know how the table was made: within 1 possible table nothing beyond the model was found. "
        "More tables may show more."
    ),
    FINER: to_translate(
        "A reader who also knows how the table was made, and which values occur, can write {cells} cells finer than "
        "they are published, of at least {some} of {of} people: found within 1 possible table."
    ),
    NOT_FINER: to_translate(
        "A reader may know how the table was made, and which values occur: within 1 possible table no finer value was "
        "found. More tables may show more."
    ),
}
BY_LOT = to_translate(
    "A reader may also know how the table was made. What that tells was not tried: the method draws by lot, so each "
    "possible table becomes this one with a tiny chance."
)
FELL = to_translate("For {some} of {of} people a value of “{secret}” can be ruled out that {before} of {of} have.")
OF_MEANS = to_translate(
    "A reader may also know how the table was made. What that tells was not tried: a mean stands for no single value."
)
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
BEYOND = to_translate("All this assumes that the reader knows no more and sees no other table about the same people.")
_SECRET = to_translate("the sensitive value")


def remaining_risks(
    measures: TableMeasures,
    attacks: Sequence[Attack],
    known: Sequence[str],
    secrets: Sequence[str],
    *,
    suppressed: int = 0,
    method: Method | None = None,
    on_disguised: Sequence[Said] = (),
) -> list[Said]:
    """Say what a table still allows.

    `suppressed`: how many rows are hidden. `method` made the table; how many values it changed would tell of single
    rows. `on_disguised`: what is said of columns that are disguised, about which no attack is tried.
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
        if attack.kind == MINIMALITY:
            how = UNTRIED if not attack.worlds else EXPLAINED if attack.succeeded else UNEXPLAINED
            how = ONE_TABLE[how] if attack.worlds == 1 else how
            said.append(Said(how, figures | {"known": names, "worlds": attack.worlds or 0}))
        elif attack.kind == DOWNCODING:
            how = NOT_TRIED_FINER if not attack.worlds else FINER if attack.succeeded else NOT_FINER
            how = ONE_TABLE[how] if attack.worlds == 1 else how
            said.append(Said(how, figures | {"cells": attack.cells or 0, "worlds": attack.worlds or 0}))
        elif attack.kind == HOMOGENEITY:
            said.append(Said(LEARNED if attack.succeeded else UNKNOWN, figures))
        elif attack.succeeded:
            said.append(Said(RULED_OUT, figures))
    if method and method.by_lot:
        said.append(Said(BY_LOT, {}))
    if method and method.means:
        said.append(Said(OF_MEANS, {}))
    rise, fall = measures.rise, measures.fall
    if rise:
        secret = rise.about or (secrets[0] if len(secrets) == 1 else _SECRET)
        figures = {"secret": secret, "known": names, "before": rise.before, "of": rise.of, "some": rise.rows}
        if rise.growth <= 1:
            if not any(attack.kind in (MINIMALITY, DOWNCODING) and attack.succeeded for attack in others):
                said.append(Said(UNINFORMED, {"secret": secret, "known": names}))
        elif rise.after == rise.size:
            said.append(Said(ROSE_SURE, figures))
        else:
            said.append(Said(ROSE, figures | {"after": rise.after, "size": rise.size}))
    if fall and fall.rows:
        secret = fall.about or (secrets[0] if len(secrets) == 1 else _SECRET)
        said.append(Said(FELL, {"secret": secret, "some": fall.rows, "of": fall.of, "before": fall.before}))
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
