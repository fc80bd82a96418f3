"""Changes of the list of a second wave, which stands among the choices of protection as AFTER."""

import json
import re
from collections.abc import Mapping
from typing import Any

from privacy.errors import EntryError
from surveys.domain.drafts.change_part import ChangePart
from surveys.domain.drafts.named import Change, change
from surveys.domain.drafts.protect import AFTER, HAND, ONE_WORD, PROPOSAL
from surveys.domain.drafts.rules import checked_by
from surveys.domain.questionnaire.document import Document

MOST_TOP = 64  # sets that a second wave is to find


@change("after")
def _choose_second_wave(document: Document, said: Change, _wanted: set[str]) -> None:
    """Take or give up the list of a second wave that an earlier version makes likely; `top`: how many sets it wants."""
    own = {name: value for name, value in document["protection"].items() if name != AFTER}
    if said["value"]:
        own |= {"by": PROPOSAL, "way": ONE_WORD, AFTER: said["value"]}
    elif "top" in said:
        own[AFTER] = document["protection"][AFTER] | {"top": int(said["top"])}
    document["protection"] = own


def _without_first_wave(document: Document) -> Document:
    """The document for another survey, which has no such first wave: the words of the list stay, made by hand."""
    if AFTER not in document["protection"]:
        return document
    own = {name: value for name, value in document["protection"].items() if name != AFTER}
    return {**document, "protection": {**own, "by": HAND}}


def check_after(after: Any, at: str) -> None:
    """Refuse what is no list of a second wave: a version, how many sets are wanted, shares and errors. None passes."""
    if after is None:
        return
    whole = isinstance(after, dict) and after.keys() == {"version", "of", "top", "shares"}
    if not whole or not isinstance(after["shares"], dict) or not isinstance(after["version"], str):
        raise EntryError("this is no list of a second wave.", at=at)
    if not re.fullmatch("[0-9a-f]{64}", after["version"]) or type(after["of"]) is not int:
        raise EntryError("this is no list of a second wave.", at=at)
    if type(after["top"]) is not int or not 1 <= after["top"] <= MOST_TOP:
        raise EntryError("{top} is not from 1 to {most}.", at=f"{at}.top", top=json.dumps(after["top"]), most=MOST_TOP)
    for pair in after["shares"].values():
        numbers = pair if isinstance(pair, list) and len(pair) == 2 else [None]
        if not all(type(one) in (int, float) and abs(one) <= 10 for one in numbers) or not numbers[1] > 0:
            raise EntryError("a share has an error above 0.", at=f"{at}.shares")


def _wrong(chosen: Mapping[str, Any]) -> None:
    check_after(chosen.get(AFTER), f"protection.{AFTER}")


PART = ChangePart(rules={}, elsewhere=_without_first_wave, entered={AFTER: checked_by(check_after)}, wrong=_wrong)
