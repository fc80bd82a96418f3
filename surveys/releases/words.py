"""The words of the columns of a released table: questions in place of names, and answers in place of codes."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _, gettext_noop

from privacy.release.responses import NO_ANSWER, flag_beside
from surveys.domain.exports.columns import columns_of
from surveys.models import SurveyVersion

_JOINED = " … "  # between the first and the last of some neighbours
ATTACKS = {  # by what reports call them
    "re-identification": gettext_noop("re-identification"),
    "homogeneity": gettext_noop("homogeneity"),
    "background knowledge of 1": gettext_noop("background knowledge of 1"),
    "complementary release": gettext_noop("complementary release"),
}


@dataclass(frozen=True)
class ColumnWords:
    """The titles of columns by their names, and by name what each value is called."""

    titles: dict[str, str] = field(default_factory=dict)
    values: dict[str, dict[str, str]] = field(default_factory=dict)

    def title(self, name: str) -> str:
        return self.titles.get(name, name)

    def list_titles(self, names: Iterable[str]) -> list[str]:
        return [self.title(name) for name in names]

    def quote(self, names: Iterable[str]) -> str:
        return _(", ").join(f"“{title}”" for title in self.list_titles(names))

    def value(self, name: str, cell: str) -> str:
        """A cell in words; generalised labels are words already or list their values.

        >>> ColumnWords(values={"mood": {"1": "low", "2": "high"}}).value("mood", "1 … 2")
        'low … high'
        """
        known = self.values.get(name, {})
        if cell == NO_ANSWER and cell not in known:
            return _("no answer")
        return known.get(cell) or _JOINED.join(known.get(part, part) for part in cell.split(_JOINED))

    def codes(self, name: str) -> list[tuple[str, str]]:
        """The values that are called something else, with what they are called."""
        return [(value, word) for value, word in self.values.get(name, {}).items() if value != word]

    def attack(self, name: str) -> str:
        """The name of an attack, with its column where a report has one.

        >>> ColumnWords({"hours": "Hours of sleep?"}).attack("homogeneity (hours)")
        'homogeneity (Hours of sleep?)'
        """
        kind, _open, about = name.removesuffix(")").partition(" (")
        called = _(ATTACKS.get(kind, kind))
        return _("%(attack)s (%(question)s)") % {"attack": called, "question": self.title(about)} if about else called

    def figures(self, said: dict[str, Any]) -> dict[str, Any]:
        """The figures of a sentence, of which some may be names of columns: `known` and `names` several of them."""
        figures = {key: self.title(value) if isinstance(value, str) else value for key, value in said.items()}
        if "value" in said:  # an answer of the question `secret`
            figures["value"] = self.value(said["secret"], said["value"])
        for key in {"known", "names"} & said.keys():
            figures[key] = self.quote(said[key].split(", "))
        return figures


def words_of_columns(version: SurveyVersion, language: str) -> ColumnWords:
    columns = columns_of(version.parsed)
    titles, flag = {column.name: column.title(language) for column in columns}, flag_beside(one.name for one in columns)
    titles |= dict.fromkeys(("direct", flag), _("How it was answered"))
    values = {
        column.name: {one.value: one.label.get(language) or one.value for one in column.values} for column in columns
    }
    return ColumnWords(titles, values | {flag: values["direct"]})
