"""What the studio asks for and says of a block of which people draw the chance themselves."""

from collections.abc import Mapping
from typing import Any

from privacy.errors import to_translate
from surveys.kinds.forms import ASK, Form, FormField, Value

NAME = "by-person"
WAYS = {
    "crosswise": to_translate("compare with a fact or a die"),
    "extended": to_translate("compare with a fact, half the people with its opposite"),
    "triangular": to_translate("at least one yes, which hides a yes alone"),
    "warner": to_translate("the truth or its opposite"),
    "forced": to_translate("the truth, or yes, or no"),
    "unrelated": to_translate("the truth, or another question"),
}
SOURCES = {
    "day": to_translate("the day of a birthday"),
    "die": to_translate("a die"),
    "coin": to_translate("a coin"),
    "digit": to_translate("digits of a number"),
    "phone": to_translate("the last digit of a phone number"),
}
FACTS = {  # in the order of `privacy.own_draw.person_draw.WHOSE`
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


OF_PERSON, GIVES_MANY = ("day", "digit", "phone"), ("die", "digit")


def turns(settings: Mapping[str, Any]) -> bool:
    """Whether a lot chooses which outcomes count."""
    return bool(settings.get("lot"))


FORMS = {
    NAME: Form(
        label=to_translate("respondent-administered draw: people draw themselves (yes/no items only)"),
        fields=(
            FormField(
                "draw_way",
                Value.CHOICE,
                to_translate("way of drawing"),
                help=to_translate("What people do with what they draw."),
                default="crosswise",
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
                help=to_translate("Of a birthday, a phone or a number. Each question needs a fact of its own."),
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
