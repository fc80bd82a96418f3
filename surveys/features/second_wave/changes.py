"""Changes of the list of a second wave, which stands among the choices of protection as AFTER."""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy

from privacy.design import Design
from privacy.design.blocks import RECIPES
from privacy.design.recipes import EnteredItem
from privacy.errors import EntryError, InputError
from privacy.plan.wave import settings_after
from surveys.domain.drafts.change_part import ChangePart, Lister
from surveys.domain.drafts.named import Change, change
from surveys.domain.drafts.protect import HAND, NAMED_WORDS, ONE_WORD, PROPOSAL
from surveys.domain.questionnaire.document import Document
from surveys.features.second_wave import AFTER
from surveys.kinds import write_item
from surveys.rules import checked_by

MOST_TOP = 64  # sets that a second wave is to find


@change("after", gettext_lazy("list of a second wave taken or given up"))
def _choose_second_wave(document: Document, said: Change, _wanted: set[str]) -> None:
    """Take or give up the list of a second wave that an earlier version makes likely; `top`: how many sets it wants.

    people: how many wait for it, whom the draft plans for then; none where no lot has kept anybody.
    """
    own = {name: value for name, value in document["protection"].items() if name != AFTER}
    if said["value"]:
        own |= {"by": PROPOSAL, "way": ONE_WORD, AFTER: said["value"]}
    elif "top" in said:
        own[AFTER] = document["protection"][AFTER] | {"top": int(said["top"])}
    document["protection"] = own
    document["expected"] = said.get("people") or document["expected"]


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


def _lister(chosen: Mapping[str, Any]) -> Lister | None:
    after = chosen.get(AFTER)
    return partial(_list_likely_sets, after) if after else None


def _list_likely_sets(
    after: Mapping[str, Any], items: Sequence[EnteredItem], gamma: float, people: int
) -> dict[str, Any] | None:
    """The settings of the second wave's list: every single answer and the likely sets; None while it has none.

    Answers that the earlier version did not tell are words, too, but are in no set.
    """
    written = [write_item(NAMED_WORDS, {}, one) for one in items]
    alone = {f"{one['id']}={one['alone']}" for one in written if "alone" in one}
    shares = {answer: share for answer, share in after["shares"].items() if answer not in alone}
    with suppress(InputError):
        first = Design.parse({"blocks": RECIPES["one-of"].write({"list_gamma": gamma, "cap": 1}, written)})
        return {"list_gamma": gamma, **settings_after(first, shares, people, after["top"])}
    return None


PART = ChangePart(
    rules={}, elsewhere=_without_first_wave, entered={AFTER: checked_by(check_after)}, wrong=_wrong, listed=_lister
)
