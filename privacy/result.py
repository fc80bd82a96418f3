"""How results are shown: sentences and tables as text, and in a notebook the same with pictures."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, ForwardRef

from privacy.output import as_cell, as_table, count_of

if TYPE_CHECKING:
    from pandas import DataFrame
else:
    DataFrame = ForwardRef("pandas.DataFrame")  # its name alone: pandas is slow to import

WIDTH = 100  # of a paragraph that is printed
MOST_ROWS = 20  # of a table that was not asked to be printed whole


@dataclass(frozen=True)
class TextColumns:
    """A table to be read: words to the left, numbers to the right."""

    headings: Sequence[str]
    rows: Sequence[Sequence[object]]

    def to_text(self, most: int | None = None) -> str:
        return as_table(self.headings, self.rows[:most]) + "".join(f"\n{line}" for line in self._say_more_rows(most))

    def to_html(self, most: int | None = None) -> str:
        rows = [
            "".join(f"<{tag}>{escape(as_cell(value))}</{tag}>" for value in row)
            for tag, row in [("th", self.headings), *(("td", row) for row in self.rows[:most])]
        ]
        lines = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table>{lines}</table>" + "".join(f"<p>{escape(line)}</p>" for line in self._say_more_rows(most))

    def _say_more_rows(self, most: int | None) -> Iterator[str]:
        if most is not None and len(self.rows) > most:
            yield f"… and {count_of(len(self.rows) - most, 'more row')}"


class Result(ABC):
    """A result that is read as sentences and tables. `str` is all of it, `repr` the first rows of each table."""

    @abstractmethod
    def contents(self) -> Iterator[str | TextColumns]:
        """The sentences and tables in the order in which they are read; "" is an empty line."""

    def picture(self) -> str:
        """The result as SVG, or nothing where there is no picture of it."""
        return ""

    @abstractmethod
    def to_frame(self) -> DataFrame:
        """The figures as a DataFrame."""

    @abstractmethod
    def to_json(self) -> Any:
        """The figures as the command of the same name prints them with `--json`."""

    def __str__(self) -> str:
        return self._text(None)

    def __repr__(self) -> str:
        return self._text(MOST_ROWS)

    def _repr_html_(self) -> str:
        return "\n".join([*self._html(), *filter(None, [self.picture()])])

    def _text(self, most: int | None) -> str:
        return "\n".join(part.to_text(most) if isinstance(part, TextColumns) else part for part in self.contents())

    def _html(self) -> Iterator[str]:
        for part in self.contents():
            if isinstance(part, TextColumns):
                yield part.to_html(MOST_ROWS)
            elif part:
                yield f"<p>{escape(part)}</p>"


def data_frame(figures: Any, columns: list[str] | None = None) -> DataFrame:
    """Make a DataFrame of columns by name, of rows by name, or of rows and the names of their columns.

    >>> data_frame([["drugs", 0.25]], ["pattern", "support"])
      pattern  support
    0   drugs     0.25
    """
    import pandas

    return pandas.DataFrame(figures, columns=columns)
