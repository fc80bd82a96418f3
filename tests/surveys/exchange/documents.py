"""A document with every type of question."""

from typing import Any

from surveys.domain.questionnaire.document import Document, empty, new_question


def _both(english: str, chinese: str) -> dict[str, str]:
    return {"en": english, "zh-hans": chinese}


def _option(value: str, english: str, chinese: str, last: bool = False) -> dict[str, Any]:
    return {"value": value, "label": _both(english, chinese), "last": last, "settings": {}}


def every_type() -> Document:
    """In two languages, with conditions, limits and blocks that were made by hand; nothing that a spreadsheet lacks."""
    document = empty("All types", ["en", "zh-hans"])
    document |= {
        "heading": _both("All", "全部"),
        "why": _both("To try it", "试一试"),
        "consent": _both("I agree", "同意"),
    }
    document |= {"direct": True, "expected": 700}

    def ask(name: str, kind: str, **fields: Any) -> dict[str, Any]:
        return new_question(name, kind) | {"text": _both(f"{name}?", f"{name}？")} | fields

    jobs = [_option("study", "I study", "读书"), _option("work", "I work", "工作"), _option("x", "Else", "其他")]
    after = {"question": "job", "is": ["study", "x"]}
    never, always = _both("never", "从不"), _both("always", "总是")
    points = [_option("1", "Never", "从不"), _option("2", "Often", "经常")]
    document["pages"] = [
        {
            "number": 1,
            "title": _both("About you", "关于您"),
            "shuffle": False,
            "moves": False,
            "ask": 5,
            "questions": [
                ask("job", "choice", options=jobs, required=True, shuffle=True, help=_both("One only", "一项")),
                ask("spare", "several", options=[_option("sport", "Sport", "运动"), _option("music", "Music", "音乐")]),
                ask(
                    "mood", "matrix", options=[_option("sad", "Sad", "难过"), _option("glad", "Glad", "高兴"), *points]
                ),
                ask("born", "date", min="1930-01-01", max="2010-12-31", when=after),
                ask("taste", "ranking", options=[_option("sweet", "Sweet", "甜"), _option("sour", "Sour", "酸")]),
                ask("why", "text", max="300", when={"question": "spare", "is": ["music"]}),
                ask("late", "yesno", when={"question": "mood", "is": ["sad=2"]}, out=["1"]),
                ask("wave", "choice", options=[_option("a", "A", "甲"), _option("b", "B", "乙")], parameter="wave"),
                ask("story", "choice", options=[_option("x", "X", "甲"), _option("y", "Y", "乙")], chances="1 : 3"),
            ],
        },
        {
            "number": 2,
            "title": _both("In secret", "私下"),
            "shuffle": True,
            "moves": True,
            "ask": None,
            "questions": [
                ask("drugs", "yesno", no_skip="Asked of everybody: the board agreed, 12 May."),
                ask("steals", "yesno", settings={"theta": 0.75}),
                ask("lies", "scale", min="1", max="5", low=never, high=always),
                ask("income", "number", min="0", max="100"),
                ask(
                    "ends",
                    "matrix",
                    options=[_option("kind", "Kind", "友善"), _option("calm", "Calm", "平静")],
                    min="1",
                    max="3",
                    low=_both("low", "低"),
                    high=_both("high", "高"),
                ),
                ask(
                    "vote",
                    "yesno",
                    options=[
                        _option("1", "Yes", "是"),
                        _option("0", "No", "否"),
                        _option("secret", "Prefer not to say", "不愿透露", last=True),
                    ],
                ),
            ],
        },
    ]

    document["blocks"] = [
        {"name": "pair", "kind": "coin", "settings": {"keep": 0.3, "theta": 0.6}, "questions": ["drugs", "steals"]},
        {
            "name": "alone",
            "kind": "each",
            "settings": {"keep": 0.4, "theta": 0.5},
            "questions": ["lies", "ends", "vote"],
        },
        {"name": "noise", "kind": "square-wave", "settings": {"epsilon": 1.5}, "questions": ["income"]},
    ]
    return document
