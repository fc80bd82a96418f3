"""Models about the whole table: limits on its figures, and the list of safe harbour; each with its row.

Limits are bounds by the names under which people know them. None is about classes alone, so no class can be suppressed
for them: of the tables that fulfil the rest, the best one within them is taken.

The list is HIPAA's, 45 CFR 164.514(b)(2)(i). A column is found by an English word in its name, or by values that look
like an entry of the list. Nothing can be found in texts, pictures and words of other languages, and the rule's second
half is not about tables: that nobody of the house knows how the rest would tell who somebody is.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from privacy.design import arguments
from privacy.design.rationals import parse_number
from privacy.design.reading import items, quote
from privacy.errors import InputError, to_translate
from privacy.release.models.row import ModelField, ModelRow, Stops
from privacy.release.reasons import ReleaseError


def _read_share(value: Any, where: str) -> float:
    share = float(arguments.read_number(value, where))
    if not 0 <= share <= 1:
        raise InputError(f"{where}: {quote(value)} is not a share from 0 to 1.")
    return share


def _read_k_map(model: Mapping[str, Any], where: str) -> dict[str, float]:
    k = arguments.whole_number(model["k_map"], f"{where}.k_map")
    if k < 1:
        raise InputError(f"{where}.k_map: {k} is below 1.")
    return {"k_map": float(k)}


def _read_presence(model: Mapping[str, Any], where: str) -> dict[str, float]:
    value, where = model["presence"], f"{where}.presence"
    ends = [_read_share(one, where) for one in items(value, where)]
    if len(ends) != 2 or ends[0] > ends[1]:
        raise InputError(f"{where}: {quote(value)} is not the least and the largest chance of presence.")
    return {"presence": ends[1], "absence": 1 - ends[0]}


ROWS = (
    ModelRow(
        name="average",
        read=lambda model, where: {"marketer": _read_share(model["average"], f"{where}.average")},
        stops=(
            Stops(
                to_translate("average risk"), '"average": 0.1',
                to_translate("more than this share of the rows being found"),
                to_translate("single rows: ask for k, too (k and average together are strict-average risk)"),
            ),
        ),
    ),
    ModelRow(
        name="k_map",
        read=_read_k_map,
        fields=(
            ModelField(
                name="k_map", label=to_translate("Fewest of them who fit a group (k-map)"),
                about=to_translate("Tested, with a chance of 5 % to be wrong about a group. Empty: not asked."),
                least=1, most=None, whole=True,
            ),
        ),
        stops=(
            Stops(
                to_translate("k-map"), '"k_map": 5',
                to_translate("finding the row of somebody who may not be in the table: so many people fit each class"),
                to_translate("a reader who knows that somebody is in it"),
            ),
        ),
    ),
    ModelRow(
        name="presence",
        read=_read_presence,
        stops=(
            Stops(
                to_translate("δ-presence"), '"presence": [0.01, 0.3]',
                to_translate("becoming sure that somebody is in the table, or is not"),
                to_translate("learning about those who are in it"),
            ),
        ),
    ),
)  # fmt: skip
"""The limits on figures: what each reads are bounds."""

SAFE_HARBOUR = ModelRow(
    name="safe_harbour",
    read=lambda model, where: arguments.flag(model["safe_harbour"], f"{where}.safe_harbour"),
    fields=(
        ModelField(
            name="safe_harbour", label=to_translate("No column of the list of safe harbour"), tick=True,
            about=to_translate(
                "HIPAA's (45 CFR 164.514(b)(2)), by the short names and the codes of questions, in English: names, "
                "places, days, ages above 89, numbers and codes of a person. A table that has one is refused."
            ),
        ),
    ),
    stops=(
        Stops(
            to_translate("list of safe harbour"), '"safe_harbour": true',
            to_translate("columns that tell who somebody is by themselves, found by their names and values"),
            to_translate("combinations of others, which k is for; texts, pictures, and names in other languages"),
        ),
    ),
)  # fmt: skip

OLDEST, OLD = 89, to_translate("ages above 89")  # which are on the list
MANY = 10  # rows from which a column of different codes counts as a number of its own


@dataclass(frozen=True)
class ListEntry:
    """One entry of the list: its letter, what it is, words in the names of columns, and how a value looks.

    `only`: by its name a column counts only for values like these, such as a birth that is more than a year.
    """

    letter: str
    about: str
    words: str
    looks: str = ""
    only: str = ""

    def names(self, column: str) -> bool:
        return not set(_words(column)).isdisjoint(self.words.split())

    def count(self, column: str, values: Sequence[str]) -> int:
        """In how many rows a column has it, by its name or by their values."""
        named = self.names(column)
        if named and not self.only:
            return len(values)
        pattern = re.compile("|".join(one for one in (self.looks, self.only if named else "") if one) or "(?!)", re.I)
        return sum(bool(pattern.fullmatch(value)) for value in values)


_DAY = r"\d{4}[-/.]\d{1,2}([-/.]\d{1,2})?([T ].*)?|\d{1,2}[-/.]\d{1,2}[-/.](\d{2}|\d{4})"
_CALL = r"\+\d[\d ()/-]{7,}\d|\(\d{3}\) ?\d{3}-\d{4}"
_BYTE = r"(25[0-5]|2[0-4]\d|1?\d?\d)"
_HOST = rf"{_BYTE}(\.{_BYTE}){{3}}|([0-9a-f]{{1,4}}:){{7}}[0-9a-f]{{1,4}}"
ENTRIES = (
    ListEntry("A", to_translate("names"), "name names surname forename firstname lastname initials"),
    ListEntry("B", to_translate("places smaller than a state; of a ZIP code three digits may stay"),
              "address street city town county zip zipcode postcode postal precinct latitude longitude lat lon",
              only=r"(?=.*[a-z]).*|-?\d+\.\d+|\d{4,}.*"),
    ListEntry("C", to_translate("days and months of a person's dates"), "", looks=_DAY),
    ListEntry("D", to_translate("telephone numbers"), "phone telephone mobile tel", looks=_CALL),
    ListEntry("E", to_translate("fax numbers"), "fax"),
    ListEntry("F", to_translate("e-mail addresses"), "email mail", looks=r"[^@\s]+@[^@\s]+\.[a-z]{2,}"),
    ListEntry("G", to_translate("social security numbers"), "ssn", looks=r"\d{3}-\d{2}-\d{4}"),
    ListEntry("H", to_translate("medical record numbers"), "mrn"),
    ListEntry("I", to_translate("health plan numbers"), "beneficiary insurance"),
    ListEntry("J", to_translate("account numbers"), "account iban", looks=r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}"),
    ListEntry("K", to_translate("certificate and licence numbers"), "license licence certificate"),
    ListEntry("L", to_translate("vehicles and their plates"), "vehicle vin plate"),
    ListEntry("M", to_translate("devices and their serial numbers"), "device serial imei"),
    ListEntry("N", to_translate("web addresses"), "url website homepage", looks=r"(https?://|www\.)\S+"),
    ListEntry("O", to_translate("IP addresses"), "ip", looks=_HOST),
    ListEntry("P", to_translate("fingerprints, voices and the like"), "fingerprint biometric voiceprint iris retina"),
    ListEntry("Q", to_translate("pictures of faces"), "photo photograph picture"),
    ListEntry("R", to_translate("any other number or code of one person"), "id identifier uuid guid"),
)  # fmt: skip


@dataclass(frozen=True)
class OnList:
    """A column that is on the list: for which entry, and in how many rows."""

    column: str
    letter: str
    about: str
    rows: int


def on_list(columns: Mapping[str, Iterable[object]]) -> list[OnList]:
    """Find the columns that are on the list, in their order; missing and suppressed values count nowhere.

    >>> found = on_list({"Zip": ["75312", "753"], "seen": ["2024-05-17", "2024"]})
    >>> [(one.column, one.letter, one.rows) for one in found]
    [('Zip', 'B', 1), ('seen', 'C', 1)]
    """
    found = []
    for name, values in columns.items():
        given = [str(value) for value in values if value is not None and value == value and str(value) not in ("", "*")]
        for entry in ENTRIES:
            if rows := entry.count(name, given):
                found.append(OnList(name, entry.letter, entry.about, rows))
        for letter, about, count in (("C", OLD, _old), ("R", ENTRIES[-1].about, _codes)):
            if (rows := count(name, given)) and not any(one.column == name and one.letter == letter for one in found):
                found.append(OnList(name, letter, about, rows))
    return found


def require_off_list(columns: Mapping[str, Iterable[object]]) -> None:
    """Refuse a table with a column that is on the list."""
    if found := on_list(columns):
        one = found[0]
        values = {"rows": one.rows, "column": quote(one.column), "letter": one.letter, "about": one.about}
        raise ReleaseError("listed", at="model.safe_harbour", **values)


def _words(column: str) -> list[str]:
    """The words of a name: `dateOfBirth`, `date_of_birth` and `Date of birth` have the same."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", column).replace("_", " ").lower().replace("-", " ").split()


def _old(column: str, values: Sequence[str]) -> int:
    """How many ages are above the oldest that may be said."""
    if "age" not in _words(column):
        return 0
    return sum((number := parse_number(value)) is not None and number > OLDEST for value in values)


def _codes(_column: str, values: Sequence[str]) -> int:
    """How many rows there are, if each has a code of its own: letters with digits, or five digits and more."""
    coded = all(re.fullmatch(r"\d{5,}|(?=\S*\d)(?=\S*[A-Za-z])[\w-]+", value) for value in values)
    return len(values) if coded and len(set(values)) == len(values) >= MANY else 0
