"""Changes of the counts with noise: of their choices in what is chosen of protection, and of the names in these."""

import json
from collections.abc import Mapping
from typing import Any

from privacy.errors import EntryError
from privacy.guarantee.bounds import MOST_DELTA, MOST_EPSILON
from surveys.domain.drafts.change_part import ChangePart
from surveys.domain.questionnaire.document import Document
from surveys.features.noisy_counts.draft import CENTRAL


def _wrong(chosen: Mapping[str, Any]) -> None:
    pairs = chosen.get("tables", [])
    if not isinstance(pairs, list) or not all(isinstance(pair, str) and len(pair.split()) == 2 for pair in pairs):
        raise EntryError("a table is of two questions.", at="protection.tables")
    for name, most in (("epsilon", MOST_EPSILON), ("delta", MOST_DELTA)):
        value = chosen.get(name)
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most
        ):
            raise EntryError(
                "{value} is not a number above 0 and at most {most}.",
                at=f"protection.{name}",
                value=json.dumps(value),
                most=most,
            )


def _set_noise(own: dict[str, Any], name: str, value: str) -> None:
    own.pop(name, None)
    if typed := str(value).strip():
        own[name] = _parse_number(typed, f"protection.{name}")


def _parse_number(text: str, at: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise EntryError("{text} is no number.", at=at, text=f"“{text}”") from None


def _cross(own: dict[str, Any], name: str, value: str) -> None:
    """Count two questions together, or no longer; the same two in either order are one table."""
    pair = set(value.split())
    own["tables"] = [one for one in own.get("tables", ()) if set(one.split()) != pair]
    own["tables"] += [value] if name == "cross" and pair else []


def _rename(document: Document, old: str, new: str) -> None:
    if pairs := document["protection"].get("tables"):
        names = ([new if one == old else one for one in pair.split()] for pair in pairs)
        document["protection"] = {**document["protection"], "tables": [" ".join(pair) for pair in names]}


PART = ChangePart(
    rules={},
    choices=dict.fromkeys(CENTRAL, _set_noise) | dict.fromkeys(("cross", "uncross"), _cross),
    wrong=_wrong,
    rename=_rename,
)
