"""Questionnaires to try the respondent's page with."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from privacy.design import Design

ONE_COIN = {
    "candor": 1,
    "direct": True,
    "blocks": [{"keep": 0.3, "items": [{"id": name, "theta": 0.6} for name in ("drugs", "cheating", "theft")]}],
}
SAMPLED = {
    "candor": 1,
    "direct": False,
    "blocks": [{"keep": 0.3, "ask": 2, "items": [{"id": f"item{number}", "theta": 0.5} for number in range(6)]}],
}
EVERYTHING = {
    "candor": 1,
    "direct": True,
    "blocks": [
        {
            "keep": 0.3,
            "items": [
                {"id": "drugs", "theta": 0.6},
                {"id": "age", "options": ["18-29", "30-49", "50+", "prefer"], "noise": [0.3, 0.3, 0.2, 0.2]},
                {"id": "trust", "options": ["1", "2", "3", "4", "5"], "noise": [0.2] * 5},
            ],
        },
        {"flips": [0.4, 0.4, 0.2], "items": [{"id": "beer"}, {"id": "wine"}]},
    ],
}
ZH = {
    "Did your supervisor threaten you?": "您的上司是否威胁过您？",
    "Did your supervisor touch you against your will?": "您的上司是否违背您的意愿触碰过您？",
    "Did you take illegal drugs during the last year?": "过去一年里，您是否吸食过毒品？",
    "Did you cheat in an examination?": "您是否在考试中作弊？",
    "Did you take something from a shop without paying?": "您是否从商店拿走东西而没有付款？",
    "How old are you?": "您的年龄？",
    "How far do you trust the police?": "您对警察有多信任？",
    "Which of these did you drink last week?": "上周您喝过哪些？",
}


def text(english: str, chinese: str | None = None) -> dict[str, str]:
    return {"en": english, "zh-hans": chinese or ZH.get(english, english)}


def yesno(name: str, words: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "type": "yesno", "sensitive": True, "text": text(words), **more}


def definition(design: dict[str, Any], *pages: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "candor": 1,
        "slug": "tried",
        "languages": ["en", "zh-hans"],
        "title": text("Student life and health", "学生生活与健康"),
        "who": text("The Institute for Social Research, University of Exampleton.", "示例大学社会研究所。"),
        "why": text(
            "We want to know how common certain experiences are among students, so that counselling can be planned.",
            "我们希望了解某些经历在学生中有多普遍，以便规划咨询服务。",
        ),
        "consent": text("Taking part is voluntary. You can stop at any time.", "参加是自愿的。您可以随时停止。"),
        "closing": text("Your answer helps to plan counselling for students.", "您的回答有助于规划学生咨询服务。"),
        "design": json.loads(Design.parse(design).canonical()),
        "access": "open",
        "override": None,
        "pages": [{"questions": questions} for questions in pages],
        "pad": 2048,
        **more,
    }


def one_coin(**more: Any) -> dict[str, Any]:
    """The demo's setting: three sensitive yes/no questions under one coin."""
    return definition(
        ONE_COIN,
        [
            yesno("drugs", "Did you take illegal drugs during the last year?"),
            yesno("cheating", "Did you cheat in an examination?"),
            yesno("theft", "Did you take something from a shop without paying?"),
        ],
        **more,
    )


def flips() -> dict[str, Any]:
    design = {"candor": 1, "direct": False, "blocks": [{"flips": [0.4, 0.4, 0.2], "items": [{"id": "a"}, {"id": "b"}]}]}
    return definition(design, [yesno("a", "A?"), yesno("b", "B?")])


def six_with_lot(**more: Any) -> dict[str, Any]:
    """Six questions, of which each device asks two."""
    return definition(SAMPLED, *[[yesno(f"item{number}", f"Question number {number}?")] for number in range(6)], **more)


def open_question(name: str, kind: str, english: str, chinese: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "type": kind, "sensitive": False, "text": text(english, chinese), **more}


def everything(**more: Any) -> dict[str, Any]:
    """Every type of question, sensitive and open, with a condition, on three pages."""
    drugs = yesno("drugs", "Did you take illegal drugs during the last year?")
    drugs["help"] = text("Tobacco and alcohol do not count.", "烟草和酒不算。")
    age = yesno("age", "How old are you?", type="choice", shuffle=True)
    age["options"] = [{"value": value, "label": text(value)} for value in ("18-29", "30-49", "50+")]
    age["options"].append({"value": "prefer", "label": text("I prefer not to say", "不愿透露"), "last": True})
    trust = yesno("trust", "How far do you trust the police?", type="scale", min=1, max=5)
    trust["ends"] = {"low": text("not at all", "完全不信任"), "high": text("fully", "完全信任")}
    drinks = yesno("drinks", "Which of these did you drink last week?", type="several")
    drinks["items"] = [{"id": "beer", "label": text("Beer", "啤酒")}, {"id": "wine", "label": text("Wine", "葡萄酒")}]
    sports = [{"id": "run", "label": text("Running", "跑步")}, {"id": "swim", "label": text("Swimming", "游泳")}]
    employed = {"question": "job", "is": ["1"]}
    return definition(
        EVERYTHING,
        [drugs, age, trust],
        [drinks],
        [
            open_question("job", "yesno", "Do you have a job?", "您有工作吗？", required=True),
            open_question(
                "hours",
                "number",
                "How many hours a week do you work?",
                "您每周工作多少小时？",
                min=0,
                max=80,
                required=True,
                when=employed,
            ),
            open_question("since", "date", "Since when do you study?", "您从何时开始学习？", max="2030-01-01"),
            open_question("sports", "several", "Which sports do you do?", "您做哪些运动？", items=sports),
            open_question("remark", "text", "Is there anything else?", "还有其他想说的吗？", max=300),
        ],
        **more,
    )


def with_a_long_word() -> dict[str, Any]:
    """The same, where a question and one of its options are a word that no phone has room for."""
    source = everything()
    age = source["pages"][0]["questions"][1]
    age["text"] = age["options"][0]["label"] = text("Donaudampfschifffahrtselektrizitätenhauptbetriebswerk?")
    return source


def bytes_of(source: dict[str, Any]) -> bytes:
    return json.dumps(source, ensure_ascii=False).encode()


def sha256(source: dict[str, Any]) -> str:
    return hashlib.sha256(bytes_of(source)).hexdigest()


def statement(name: str, english: str, chinese: str) -> dict[str, Any]:
    return {"id": name, "label": text(english, chinese)}


AGREEMENT = [
    {"value": "1", "label": text("Strongly disagree", "非常不同意")},
    {"value": "2", "label": text("Disagree", "不同意")},
    {"value": "3", "label": text("Neither", "中立")},
    {"value": "4", "label": text("Agree", "同意")},
    {"value": "5", "label": text("Strongly agree", "非常同意")},
]
AT_WORK = [
    statement("boss", "My supervisor humiliates people in front of others", "我的上司当众羞辱他人"),
    statement("report", "Whoever reports a mistake here has to fear for the job", "在这里报告错误的人要担心丢掉工作"),
    statement("rules", "I break safety rules to save time", "我为了省时间而违反安全规定"),
    statement("leave", "I am looking for another job", "我正在找别的工作"),
]


def statements(ask: int | None = None, **more: Any) -> dict[str, Any]:
    """A sensitive matrix with words at every point, an undisguised one with words at its ends, and what hangs on
    that.
    """
    items = [{"id": one["id"], "options": list("12345"), "noise": [0.2] * 5} for one in AT_WORK]
    sampled = {"keep": 0.2, "coin": "each", "ask": ask, "items": items}
    blocks = [sampled] if ask else [{"keep": 0.2, "items": [item]} for item in items]
    sensitive = yesno("work", "How far do you agree with these statements?", type="matrix")
    sensitive |= {"text": text("How far do you agree?", "您在多大程度上同意？"), "items": AT_WORK, "options": AGREEMENT}
    food = [
        statement("taste", "Taste", "味道"),
        statement("price", "Price", "价格"),
        statement("queue", "Queue", "排队"),
    ]
    open_one = open_question("canteen", "matrix", "How is the canteen?", "食堂怎么样？", items=food, min=1, max=5)
    open_one["ends"] = {"low": text("very bad", "很差"), "high": text("very good", "很好")}
    why = {"when": {"question": "canteen", "is": ["price=1", "price=2"]}}
    return definition(
        {"candor": 1, "direct": ask is None, "blocks": blocks},
        [sensitive],
        [open_one | more, open_question("dear", "text", "What is too dear?", "什么太贵？", max=80, **why)],
    )


def one_sided(harmless: str = "0", coin: bool = False, **more: Any) -> dict[str, Any]:
    """Two questions whose harmless answer is not hidden, and one under a coin where that is asked for."""
    marked = [{"id": name, "harmless": harmless} for name in ("threatened", "touched")]
    blocks: list[dict[str, Any]] = [{"one-sided": 0.25, "items": marked}]
    questions = [
        yesno("threatened", "Did your supervisor threaten you?"),
        yesno("touched", "Did your supervisor touch you against your will?"),
    ]
    if coin:
        blocks.append({"keep": 0.5, "items": [{"id": "drugs", "theta": 0.5}]})
        questions.append(yesno("drugs", "Did you take illegal drugs during the last year?"))
    return definition({"candor": 1, "direct": True, "blocks": blocks}, questions, **more)


def places(zones: Sequence[Sequence[float]] = ((400, 300, 200, 200),), **more: Any) -> dict[str, Any]:
    """Two places: one on a plain grid, one on a map of Exampleton with sensitive zones."""
    lines = [[100, 100, 900, 150, 950, 700, 500, 760, 120, 600, 100, 100], [120, 600, 400, 380, 930, 420]]
    grid, town = {"width": 400, "height": 400, "cell": 20}, {"width": 1000, "height": 800, "cell": 10}
    home = {"place": "square", "epsilon": 2, "items": [{"id": "home", **grid}]}
    zoned = {"place": "zones", "epsilon": 2, "zones": list(map(list, zones)), "items": [{"id": "work", **town}]}
    at = {"lines": lines, "degrees": [13.0, 52.0, 68000.0, 111320.0]}
    return definition(
        {"candor": 1, "direct": False, "blocks": [home, zoned]},
        [
            {"id": "home", "type": "place", "sensitive": True, "text": text("Where do you live?"), "map": grid},
            {
                "id": "work",
                "type": "place",
                "sensitive": True,
                "text": text("Where do you work?"),
                "map": {**town, **at},
            },
        ],
        **more,
    )


def one_word(longest: int = 1, **more: Any) -> dict[str, Any]:
    """Two yes/no questions and one with options, of which one word is sent; and one that is sent as given."""
    bribe = {"id": "bribe", "options": ["asked", "paid", "never", "prefer"], "harmless": "never"}
    items: list[Any] = ["drugs", "theft", bribe]
    design = {"model": "one-of", "gamma": 19, "cap": 2, "longest": longest, "direct": False, "items": items}
    asked = yesno("bribe", "Did an official ask you for a bribe?", type="choice")
    labels = {"asked": "Yes, and I refused", "paid": "Yes, and I paid", "never": "No", "prefer": "I prefer not to say"}
    asked["options"] = [{"value": value, "label": text(label)} for value, label in labels.items()]
    return definition(
        design,
        [
            yesno("drugs", "Did you take illegal drugs during the last year?"),
            yesno("theft", "Did you take something from a shop without paying?"),
            asked,
            open_question("job", "yesno", "Do you have a job?", "您有工作吗？"),
        ],
        **more,
    )
