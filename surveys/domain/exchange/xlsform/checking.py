"""Whether pyxform, the program of ODK, takes a workbook for an XLSForm, and what it warns of."""

from collections.abc import Mapping
from typing import Any

from surveys.domain.exchange.files import WorkbookSheet
from surveys.domain.exchange.imported import import_refusal

KNOWN = ("survey", "choices", "settings", "external_choices", "entities", "osm")
LONGEST = 500


def warnings_of(sheets: Mapping[str, WorkbookSheet]) -> list[str]:
    """List what pyxform warns of; a workbook that is no form is refused in its words. It reads texts, and no file."""
    # Imported where it is needed: a quarter of a second, for a page that is rarely opened.
    from pyxform.errors import PyXFormError
    from pyxform.xls2xform import convert

    book: dict[str, Any] = {"sheet_names": [sheet.name for sheet in sheets.values()], "fallback_form_name": "form"}
    for name in KNOWN:
        if sheet := sheets.get(name):
            book[name] = [dict(row) for row in sheet.rows]
            book[f"{name}_header"] = [dict.fromkeys(filter(None, sheet.heads))]
    warnings: list[str] = []
    try:
        convert(book, warnings=warnings)
    except PyXFormError as error:
        raise import_refusal(_short(str(error)), "pyxform") from None
    except MemoryError:
        raise
    except Exception as error:  # what it does not expect itself fails in any way
        raise import_refusal(_short(f"{type(error).__name__}: {error}"), "pyxform") from None
    return [_short(warning) for warning in warnings]


def _short(sentence: str) -> str:
    line = " ".join(sentence.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"
