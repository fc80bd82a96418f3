"""Questions that nobody is asked: their answer is there from the beginning.

"parameter": "source"                    of the address, one of few undisguised "options"
"chances": [2147483648, 2147483648]      the device draws one of its undisguised "options", with these chances out
                                         of 2^32; a document has proportions, such as "1 : 1"
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy

from privacy.design.rationals import ONE, apportion
from privacy.errors import EntryError, to_translate
from surveys.features import parameters
from surveys.features.feature import PARAMETER, PARAMETER_RULE
from surveys.features.questions.ends import MOST_GROUPS, refuse_disguised
from surveys.features.questions.field import QuestionField
from surveys.questions import Entry, PublishedQuestion
from surveys.questions.entered import Question
from surveys.rules import LONGEST_LINE, LONGEST_VALUE, line

_CHANCES_RULE = to_translate("the device draws one of the options: give each a proportion above 0, such as 1 : 1.")


def refuse_numbers_of_people(source: Mapping[str, Any]) -> None:
    """Refuse an answer from the address that could tell who somebody is: one whose parameter a feature or another
    question takes, too.
    """
    entries = [entry for page in source["pages"] for entry in page["questions"] if "parameter" in entry]
    names = parameters(source) + [entry["parameter"] for entry in entries]
    for entry in entries:
        if names.count(entry["parameter"]) > 1:
            raise EntryError(
                "“{parameter}” is the provider's number of a person, or the answer to another question, too: an answer "
                "could tell who somebody is.",
                parameter=entry["parameter"],
                at=f"question '{entry['id']}'.parameter",
            )


class Parameter(QuestionField):
    name = "parameter"
    rule = staticmethod(line(LONGEST_VALUE))
    line = gettext_lazy("answer in the address")
    undisguised = of_type = unasked = is_cell = True

    def check(self, question: PublishedQuestion, entry: Entry) -> None:
        parameter, at = entry["parameter"], f"question '{question.id}'"
        if parameter is None:
            return
        refuse_disguised(question)
        if not isinstance(parameter, str) or not PARAMETER.fullmatch(parameter):
            raise EntryError(PARAMETER_RULE, at=at)
        if not 0 < len(question.options) <= MOST_GROUPS or question.items:
            raise EntryError("only one of at most {most} options can come from the address.", at=at, most=MOST_GROUPS)
        if question.required or question.out or question.enough:
            raise EntryError("what comes from the address is neither required, nor does it end the visit.", at=at)

    def marks(self, entry: Entry) -> Iterator[str]:
        yield _("not asked: the parameter “%(name)s” of the address has the answer") % {"name": entry["parameter"]}


class Chances(QuestionField):
    name = "chances"
    rule = staticmethod(line(LONGEST_LINE))
    line = gettext_lazy("versions of a question")
    undisguised = of_type = unasked = is_cell = True
    says_more = "order"

    def read(self, entry: Entry, at: str, languages: Sequence[str]) -> Mapping[str, Any]:
        chances = tuple(entry["chances"])
        return {"chances": chances, "required": bool(chances or entry.get("required"))}

    def check(self, question: PublishedQuestion, entry: Entry) -> None:
        chances, at = question.chances, f"question '{question.id}'.chances"
        if not chances:
            return
        if question.sensitive or {"when", "out", "enough", "parameter", "required"} & entry.keys():
            raise EntryError(
                "what the device draws is undisguised: it has no condition or parameter, ends no visit, is not "
                "required.",
                at=at,
            )
        whole = all(isinstance(chance, int) and chance > 0 for chance in chances)
        if question.items or len(chances) != len(entry.get("options", ())) or not whole or sum(chances) != ONE:
            raise EntryError(_CHANCES_RULE, at=at)

    def marks(self, entry: Entry) -> Iterator[str]:
        drawn = (
            f"“{option['value']}” {100 * chance / ONE:.4g} %"
            for option, chance in zip(entry["options"], entry["chances"], strict=True)
        )
        yield _("not asked: the device draws the answer, %(chances)s") % {"chances": _(", ").join(drawn)}

    def write(self, question: Question, languages: Sequence[str]) -> list[int]:
        """The proportions that were entered, as chances out of 2^32."""
        written = question.chances.replace(":", " ").replace(",", " ").split()
        if not all(part.isascii() and part.isdecimal() and len(part) < 20 and int(part) for part in written):
            raise EntryError(_CHANCES_RULE, at=f"{question.place}.chances")
        return [*apportion([Fraction(int(part)) for part in written])]
