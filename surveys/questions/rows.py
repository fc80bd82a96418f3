"""The rows of a type of question as a page asks for them, one a line; and scales that one choice fills in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy

SKIP = "secret"  # the value of "prefer not to say"
Texts = dict[str, str]


@dataclass(frozen=True)
class RowGroup:
    """One group of a question's rows.

    are_items   whether each is an item with a name of its own in records
    numbered    whether values are numbers: 1, 2, 3
    optional    whether the type does without
    holds       whether a row of this value belongs to the group
    """

    name: str
    label: Any  # a lazy translation
    are_items: bool = False
    numbered: bool = False
    optional: bool = False
    holds: Callable[[str], bool] = lambda _value: True


OPTIONS = RowGroup("options", gettext_lazy("Options, one a line"))


@dataclass(frozen=True)
class ReadyScale:
    """A scale that is filled in by one choice: points with words, or numbers with words at both ends."""

    name: str
    label: Any  # a lazy translation
    points: tuple[Texts, ...] = ()
    min: str = ""
    max: str = ""
    low: Texts | None = None
    high: Texts | None = None


def _points(*texts: tuple[str, str]) -> tuple[Texts, ...]:
    return tuple(_both(*each) for each in texts)


def _both(english: str, chinese: str) -> Texts:
    return {"en": english, "zh-hans": chinese}


POINTS: Sequence[ReadyScale] = (
    ReadyScale(
        "agreement",
        gettext_lazy("agreement, 5 points"),
        _points(
            ("Strongly disagree", "非常不同意"),
            ("Disagree", "不同意"),
            ("Neither agree nor disagree", "既不同意也不反对"),
            ("Agree", "同意"),
            ("Strongly agree", "非常同意"),
        ),
    ),
    ReadyScale(
        "frequency",
        gettext_lazy("frequency, 5 points"),
        _points(("Never", "从不"), ("Rarely", "很少"), ("Sometimes", "有时"), ("Often", "经常"), ("Always", "总是")),
    ),
    ReadyScale(
        "often",
        gettext_lazy("how often, 4 points"),
        _points(("Never", "从未"), ("Once", "一次"), ("A few times", "几次"), ("Many times", "许多次")),
    ),
    ReadyScale(
        "satisfaction",
        gettext_lazy("satisfaction, 5 points"),
        _points(
            ("Very dissatisfied", "非常不满意"),
            ("Dissatisfied", "不满意"),
            ("Neither", "一般"),
            ("Satisfied", "满意"),
            ("Very satisfied", "非常满意"),
        ),
    ),
)
_DISAGREE, _AGREE = _both("Strongly disagree", "非常不同意"), _both("Strongly agree", "非常同意")
_NEVER, _ALWAYS = _both("Not at all", "完全没有"), _both("Extremely", "极其")
NUMBERS: Sequence[ReadyScale] = (
    ReadyScale("agree5", gettext_lazy("agreement, 1 to 5"), (), "1", "5", _DISAGREE, _AGREE),
    ReadyScale("agree7", gettext_lazy("agreement, 1 to 7"), (), "1", "7", _DISAGREE, _AGREE),
    ReadyScale("ten", gettext_lazy("0 to 10"), (), "0", "10", _NEVER, _ALWAYS),
)

YES_AND_NO = (("1", _both("Yes", "是")), ("0", _both("No", "否")))
PREFER_NOT = _both("Prefer not to say", "不愿透露")
