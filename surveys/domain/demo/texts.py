"""What the demo surveys ask and say, in English and Simplified Chinese, and how common the answers are in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from privacy.design import Design
from surveys.domain.demo.people import TOWN, in_town

Text = dict[str, str]


def _text(en: str, zh: str) -> Text:
    return {"en": en, "zh-hans": zh}


_CLOSING = _text("Thank you for trying it.", "感谢您的试用。")


@dataclass(frozen=True)
class DemoQuestion:
    """A yes/no question, or one of another type with what it takes."""

    name: str
    text: Text
    risks: tuple[float, float] = (0.0, 0.0)  # chance of a yes outside and inside the group that takes more risks
    yes: Text = field(default_factory=dict)  # how a report tells it of those who say yes, and of those who say no
    no: Text = field(default_factory=dict)
    type: str = "yesno"
    fields: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class DemoBlock:
    name: str
    kind: str
    settings: dict[str, Any]
    questions: tuple[DemoQuestion, ...]


@dataclass(frozen=True)
class DemoSurvey:
    slug: str
    title: str
    heading: Text
    why: Text
    blocks: tuple[DemoBlock, ...]
    who: Text
    consent: Text
    closing: Text = field(default_factory=_CLOSING.copy)
    direct: bool = True
    options: tuple[tuple[str, Text], ...] = ()  # of each question, in place of yes and no
    people: Callable[[Design], np.ndarray] | None = None  # their answers as codes, where not all are yes or no


_WHO = _text(
    "Nobody asks. This is a demonstration, and the people counted in it are simulated.",
    "没有人：这是一个演示。其中统计的每一位受访者都是模拟的。",
)
_CONSENT = _text(
    "I know that this is a demonstration. I can stop at any time.",
    "我知道这是一个演示。我可以随时停止。",
)
_DRUGS = DemoQuestion(
    "drugs",
    _text("Have you ever used illegal drugs?", "您曾经使用过毒品吗？"),
    (0.10, 0.60),
    _text("used illegal drugs", "使用过毒品"),
    _text("never used illegal drugs", "从未使用过毒品"),
)
_CHEATING = DemoQuestion(
    "cheating",
    _text("Have you ever cheated in an exam?", "您曾经在考试中作弊吗？"),
    (0.20, 0.70),
    _text("cheated in an exam", "在考试中作过弊"),
    _text("never cheated in an exam", "从未在考试中作弊"),
)
_THEFT = DemoQuestion(
    "theft",
    _text("Have you ever taken something from a shop without paying?", "您曾经在商店拿走东西而没有付钱吗？"),
    (0.06, 0.45),
    _text("took something from a shop without paying", "在商店拿过东西而没有付钱"),
    _text("never took anything from a shop without paying", "从未在商店拿东西而不付钱"),
)

_MAY_SKIP = (
    ("1", _text("Yes", "是")),
    ("0", _text("No", "否")),
    ("secret", _text("Prefer not to say", "不愿透露")),
)

_TEN = (
    _DRUGS,
    _CHEATING,
    _THEFT,
    DemoQuestion(
        "drunk-driving",
        _text("In the last year, have you driven after drinking too much?", "过去一年里，您曾经酒后驾车吗？"),
        (0.08, 0.45),
        _text("drove after drinking too much", "酒后驾过车"),
        _text("did not drive after drinking too much", "没有酒后驾车"),
    ),
    DemoQuestion(
        "gambling",
        _text(
            "In the last year, have you gambled more than you could afford?", "过去一年里，您曾经超出承受能力赌博吗？"
        ),
        (0.05, 0.35),
        _text("gambled more than they could afford", "超出承受能力赌博过"),
        _text("did not gamble more than they could afford", "没有超出承受能力赌博"),
    ),
    DemoQuestion(
        "violence",
        _text("Have you ever hit somebody in anger as an adult?", "成年以后，您曾经因为生气打过人吗？"),
        (0.10, 0.40),
        _text("hit somebody in anger", "因为生气打过人"),
        _text("never hit anybody in anger", "从未因为生气打人"),
    ),
    DemoQuestion(
        "affair",
        _text("Have you ever been unfaithful to a partner?", "您曾经对伴侣不忠吗？"),
        (0.15, 0.50),
        _text("were unfaithful to a partner", "对伴侣不忠过"),
        _text("were never unfaithful to a partner", "从未对伴侣不忠"),
    ),
    DemoQuestion(
        "tax",
        _text("Have you ever left income out of your tax return?", "您曾经在报税时漏报收入吗？"),
        (0.18, 0.55),
        _text("left income out of their tax return", "在报税时漏报过收入"),
        _text("never left income out of their tax return", "从未在报税时漏报收入"),
    ),
    DemoQuestion(
        "fare",
        _text("In the last year, have you travelled without a ticket?", "过去一年里，您曾经逃票乘车吗？"),
        (0.25, 0.70),
        _text("travelled without a ticket", "逃过票"),
        _text("did not travel without a ticket", "没有逃票"),
    ),
    DemoQuestion(
        "sick-leave",
        _text("Have you ever called in sick when you were well?", "您曾经没有生病却请病假吗？"),
        (0.30, 0.70),
        _text("called in sick when they were well", "没有生病却请过病假"),
        _text("never called in sick when they were well", "从未在没有生病时请病假"),
    ),
)

_DRINKS = DemoQuestion(
    "drinks",
    _text("How many glasses of alcohol do you drink in a usual week?", "您通常每周喝多少杯酒？"),
    type="number",
    fields={"minimum": "0", "maximum": "60"},
)
_HOME = DemoQuestion(
    "home",
    _text("Where in this town do you live?", "您住在这座城镇的什么地方？"),
    type="place",
    fields={
        "settings": {
            "map": {
                **TOWN,
                "lines": [
                    [0, 2100, 700, 2300, 1500, 2150, 2300, 1750, 3200, 1700, 4100, 2100, 5000, 2250, 6000, 1900],
                    [0, 1800, 700, 2000, 1500, 1850, 2300, 1450, 3200, 1400, 4100, 1800, 5000, 1950, 6000, 1600],
                    [2700, 0, 2750, 900, 2950, 1500, 3000, 2600, 2800, 3600, 2900, 4800],
                    [0, 3300, 1300, 3200, 2800, 3300, 4500, 3600, 6000, 3500],
                    [4400, 1850, 4500, 900, 4700, 0],
                ],
            },
            "zones": [[2600, 2200, 900, 800], [1100, 1100, 800, 600]],
        }
    },
)

SURVEYS = (
    DemoSurvey(
        slug="demo-prefer",
        title="Demo: three questions that may be skipped (simulated)",
        heading=_text("Demonstration: you may prefer not to say (simulated)", "演示：可以选择“不愿透露”（模拟）"),
        why=_text(
            "To show that nobody has to say yes or no. “Prefer not to say” is a third answer to each question, and "
            "chance may put it in place of another, or another in its place. So nobody can tell who would not say. The "
            "people are those of the demonstration “three sensitive questions”. What you send here is counted with "
            "their answers and serves nothing else.",
            "为了展示没有人必须回答“是”或“否”。每个问题的第三个选项是“不愿透露”，它可能随机取代其他回答，也可能被其他回答取代，"
            "因此无人能知道谁不愿透露。受访者与演示“三个敏感问题”中的相同。"
            "您在这里发送的内容会与他们的回答一起统计，不作任何其他用途。",
        ),
        blocks=(DemoBlock("One coin, three answers", "coin", {"keep": 0.39}, (_DRUGS, _CHEATING, _THEFT)),),
        who=_WHO,
        consent=_CONSENT,
        direct=False,
        options=_MAY_SKIP,
    ),
    DemoSurvey(
        slug="demo",
        title="Demo: three questions, one coin (simulated)",
        heading=_text("Demonstration: three sensitive questions (simulated)", "演示：三个敏感问题（模拟）"),
        why=_text(
            "To show how a survey can be answered honestly. The 10 000 respondents in it are simulated; what you send "
            "here is counted with their answers and serves nothing else. As in the paper behind it, the answers are "
            "yes and no. Another demonstration lets you prefer not to say.",
            "为了展示如何可以诚实地回答问卷。其中的 10 000 位受访者都是模拟的；"
            "您在这里发送的内容会与他们的回答一起统计，不作任何其他用途。与其所依据的论文一样，回答只有“是”和“否”；"
            "另一个演示允许您选择“不愿透露”。",
        ),
        blocks=(DemoBlock("One coin", "coin", {"keep": 0.3, "theta": 0.6}, (_DRUGS, _CHEATING, _THEFT)),),
        who=_WHO,
        consent=_CONSENT,
    ),
    DemoSurvey(
        slug="demo-ten",
        title="Demo: ten questions by flips (simulated)",
        heading=_text("Demonstration: ten sensitive questions (simulated)", "演示：十个敏感问题（模拟）"),
        why=_text(
            "To show how ten questions stay safe and useful at once. Chance turns some of the ten answers over, yes to "
            "no and no to yes, before they are sent. Nobody knows which, but the shares of many people can still be "
            "worked out. Flips know yes and no alone; another demonstration lets you prefer not to say. 10 000 "
            "simulated people have answered. What you send here is counted with their answers and serves nothing else.",
            "为了展示十个问题如何既安全又有用。发送前，十个答案中的一些会随机翻转：“是”变为“否”，“否”变为“是”。"
            "无人知道是哪些，但许多人的比例仍能推算出来。翻转只适用于“是”和“否”；另一个演示允许您选择“不愿透露”。"
            "已有 10 000 位模拟受访者作答。"
            "您在这里发送的内容会与他们的回答一起统计，不作任何其他用途。",
        ),
        blocks=(DemoBlock("Ten by flips", "flip", {"gamma": 19.0, "radius": 2}, _TEN),),
        who=_WHO,
        consent=_CONSENT,
        direct=False,
    ),
    DemoSurvey(
        slug="demo-ten-coin",
        title="Demo: the same ten questions, one coin (simulated)",
        heading=_text("Demonstration: ten questions, one coin (simulated)", "演示：十个问题，一枚硬币（模拟）"),
        why=_text(
            "To show what one coin over many questions costs. To protect as well as the demonstration “ten sensitive "
            "questions” does, it must draw all ten answers of 98 people in 100 by chance. So it learns far less from "
            "the same 10 000 simulated people. Another demonstration lets you prefer not to say. What you send here is "
            "counted with their answers and serves nothing else.",
            "为了展示用一枚硬币保护许多问题的代价。要达到与演示“十个敏感问题”同样的保护，"
            "它必须把每 100 人中 98 人的全部十个答案换成随机答案，因此从同样的 10 000 位模拟受访者那里得知的要少得多。"
            "另一个演示允许您选择“不愿透露”。"
            "您在这里发送的内容会与他们的回答一起统计，不作任何其他用途。",
        ),
        blocks=(DemoBlock("One coin over ten", "coin", {"keep": 0.01727, "theta": 0.5}, _TEN),),
        who=_WHO,
        consent=_CONSENT,
        direct=False,
    ),
    DemoSurvey(
        slug="demo-town",
        title="Demo: a number and a place (simulated)",
        heading=_text("Demonstration: a number and a place (simulated)", "演示：一个数字和一个地点（模拟）"),
        why=_text(
            "To show how a number and a place are hidden. Your device sends another number in place of yours. In the "
            "shaded zones of the map, the quarters of a clinic and of a shelter, it sends another place. Outside them "
            "it mostly sends the place itself. The town is invented. A number and a place have no “prefer not to say”: "
            "if you would rather not answer, close this page, and nothing is sent. 10 000 simulated people have "
            "answered. What you send here is counted with their answers and serves nothing else.",
            "为了展示数字和地点如何被隐藏。您的设备会发送另一个数字代替您的数字。在地图的阴影区（诊所和庇护所所在的街区）内，"
            "它会发送另一个地点；在阴影区外，多数情况下发送地点本身。这座城镇是虚构的。数字和地点没有“不愿透露”的选项："
            "如果您不想回答，请关闭此页，不会发送任何内容。已有 10 000 位模拟受访者作答。"
            "您在这里发送的内容会与他们的回答一起统计，不作任何其他用途。",
        ),
        blocks=(
            DemoBlock("A number", "square-wave", {"epsilon": 1.2}, (_DRINKS,)),
            DemoBlock("A place", "zones", {"epsilon": 1.7}, (_HOME,)),
        ),
        who=_WHO,
        consent=_CONSENT,
        direct=False,
        people=in_town,
    ),
)
