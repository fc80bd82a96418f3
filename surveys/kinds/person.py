"""What the studio asks for and says of a block of which people draw the chance themselves."""

from collections.abc import Mapping
from typing import Any

from privacy.errors import to_translate
from surveys.kinds.forms import ASK, Form, FormField, Value

NAME = "by-person"
WAYS = {
    "extended": to_translate("compare with a fact, half the people with its opposite"),
    "crosswise": to_translate("compare with a fact or a die"),
    "triangular": to_translate("at least one yes, which hides a yes alone"),
    "warner": to_translate("the truth or its opposite"),
    "forced": to_translate("the truth, or yes, or no"),
    "unrelated": to_translate("the truth, or another question"),
    "kuk": to_translate("the colour of a card from one of two packs"),
    "table": to_translate("its row in a table says “the truth”, or what to press"),
    "coins": to_translate("the truth to all, or a coin for each"),
    "signs": to_translate("a card of signs for each question"),
}
SOURCES = {
    "day": to_translate("the day of a birthday"),
    "month": to_translate("the month of a birthday"),
    "die": to_translate("a die"),
    "dice": to_translate("a die, thrown twice"),
    "coin": to_translate("a coin"),
    "cards": to_translate("a card"),
    "digit": to_translate("the last digit of a number"),
    "digits": to_translate("the last two digits of a number"),
    "house": to_translate("the first digit of a house number"),
    "phone": to_translate("the last digit of a phone number"),
}
FACTS = {  # in the order of `privacy.draws.facts.WHOSE`
    "mother": to_translate("the mother"),
    "father": to_translate("the father"),
    "grandmother": to_translate("the grandmother"),
    "friend": to_translate("a good friend"),
    "cousin": to_translate("a cousin"),
    "teacher": to_translate("a former teacher"),
    "relative": to_translate("a relative"),
    "note": to_translate("a banknote"),
    "bill": to_translate("a bill or receipt"),
}
"""Whose fact it is; never the person’s own, which the survey, the panel or the employer may have."""


OF_PERSON = ("day", "month", "digit", "digits", "house", "phone")


def turns(settings: Mapping[str, Any]) -> bool:
    """Whether a lot chooses which outcomes count."""
    return bool(settings.get("lot"))


FORMS = {
    NAME: Form(
        label=to_translate("people draw themselves (yes/no items only)"),
        fields=(
            FormField(
                "draw_way",
                Value.CHOICE,
                to_translate("way of drawing"),
                help=to_translate("What people do with what they draw."),
                default="extended",
                choices=WAYS,
            ),
            FormField(
                "source",
                Value.CHOICE,
                to_translate("source of the chance"),
                help=to_translate("What people draw with. Nothing of it is asked or sent."),
                default="day",
                choices=SOURCES,
            ),
            FormField(
                "fact",
                Value.CHOICE,
                to_translate("whose it is"),
                help=to_translate(
                    "Of a birthday, a house, a phone or a number. Each question needs a fact of its own."
                ),
                default="mother",
                choices=FACTS,
            ),
            FormField(
                "part",
                Value.COUNT,
                to_translate("how many outcomes count"),
                help=to_translate("So many say the truth, or are the fact; the others say something else."),
                default=8,
            ),
            FormField(
                "lot",
                Value.CHOICE,
                to_translate("which outcomes count"),
                help=to_translate("Drawn by a lot that nobody keeps, the chance is exact whatever people are like."),
                choices={"": to_translate("the same for all"), "lot": to_translate("by lot")},
            ),
            ASK,
        ),
        refusal=to_translate("people draw themselves for plain yes/no questions, without “Prefer not to say”."),
    )
}
