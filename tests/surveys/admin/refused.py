"""What the pages of a survey and of one question refuse, and the sentence that they say: refused in each language."""

from typing import Any

FLIP = {"blocks-0-kind": "flip"}
# What is entered, the field at which it is refused, and the sentence.
OF_SURVEYS: list[tuple[dict[str, str], str, str]] = [
    ({"blocks-0-keep": "1.5"}, "blocks-0-keep", "Ensure this value is less than or equal to 1.0."),
    ({"blocks-0-keep": "-0.1"}, "blocks-0-keep", "Ensure this value is greater than or equal to 0.0."),
    ({"blocks-0-keep": ""}, "blocks-0-keep", "A coin needs p, the chance that the truth stays."),
    (
        {"blocks-0-keep": "0", "direct": ""},
        "blocks-0-keep",
        "0 keeps no answer, so without a direct group nothing could be recovered.",
    ),
    ({"blocks-0-keep": "1e-12"}, "blocks-0-keep", "1e-12 is nearer to 0 than the steps of 2^-32 can tell."),
    ({"blocks-0-theta": "2"}, "blocks-0-theta", "Ensure this value is less than or equal to 1.0."),
    (
        {"blocks-0-theta": ""},
        "questions-0-__all__",
        "Give θ, the chance that noise says yes, here or in its block.",
    ),
    ({"blocks-0-ask": "0"}, "blocks-0-ask", "0 is not from 1 to the 3 items of the block."),
    (FLIP, "blocks-0-gamma", "A flip block needs its flips, or γ and radius."),
    (
        {**FLIP, "blocks-0-gamma": "19"},
        "blocks-0-radius",
        "A flip block needs its flips, or γ and radius.",
    ),
    (
        {**FLIP, "blocks-0-flips": "0.5, 0.5", "blocks-0-gamma": "19", "blocks-0-radius": "1"},
        "blocks-0-flips",
        "Give either the flips, or γ and radius.",
    ),
    (
        {**FLIP, "blocks-0-flips": "half, half"},
        "blocks-0-flips",
        "Write numbers with commas between them: 0.5, 0.3, 0.2.",
    ),
    (
        {**FLIP, "blocks-0-flips": "0.5, 0.6, 0, 0"},
        "blocks-0-flips",
        "The shares [0.5, 0.6, 0.0, 0.0] sum to 1.1, not to 1.",
    ),
    ({**FLIP, "blocks-0-flips": "nan, 1, 0, 0"}, "blocks-0-flips", "Nan is not a number."),
    (
        {**FLIP, "blocks-0-flips": "0.5, 0.5"},
        "blocks-0-flips",
        "2 shares do not say how likely 0 to 3 of 3 answers are turned over; give 4 shares that sum to 1.",
    ),
    (
        {**FLIP, "blocks-0-flips": "0.125, 0.375, 0.375, 0.125", "direct": ""},
        "blocks-0-flips",
        "This table leaves nothing of any answer, so nothing could be recovered.",
    ),
    (
        {**FLIP, "blocks-0-gamma": "1", "blocks-0-radius": "1"},
        "blocks-0-gamma",
        "1 is not above 1, the value at which nothing is learnt.",
    ),
    (
        {**FLIP, "blocks-0-gamma": "19", "blocks-0-radius": "3", "blocks-0-ask": "3"},
        "blocks-0-radius",
        "3 is not from 0 to 2, one less than the answers turned over.",
    ),
    (
        {"languages": "english please"},
        "languages",
        "Name each language once, by its tag in small letters: en zh-hans.",
    ),
    ({"languages": "en en"}, "languages", "Name each language once, by its tag in small letters: en zh-hans."),
    (
        {"opens_at": "2030-02-01T10:00", "closes_at": "2030-01-01T10:00"},
        "closes_at",
        "It would close before it opens.",
    ),
    ({"heading:en": "\x00"}, "heading", "Null characters are not allowed."),
    ({"questions-0-text:en": "\x00"}, "questions-0-text", "Null characters are not allowed."),
    ({"quota": "0"}, "quota", "Ensure this value is greater than or equal to 1."),
    ({"expected": "0"}, "expected", "Ensure this value is greater than or equal to 1."),
    (
        {"questions-0-identifier": "Two words"},
        "questions-0-identifier",
        "Use a letter, then up to 39 small letters, digits, - or _.",
    ),
    (
        {"questions-0-identifier": "direct"},
        "questions-0-identifier",
        "'direct' is the column that tells the direct group apart; choose another name.",
    ),
    (
        {"questions-0-type": "text"},
        "questions-0-block",
        "This type cannot be disguised; ask a choice or a scale instead.",
    ),
]

YES, NO = {"value": "1", "label:en": "Yes"}, {"value": "0", "label:en": "No"}
SECRET = {"value": "secret", "label:en": "I prefer not to say"}
# The options of the question before what is entered.
OF_QUESTIONS: list[tuple[list[dict[str, str]], dict[str, Any], str, str]] = [
    ([YES], {"type": "choice"}, "options", "A choice needs at least two options."),
    ([YES], {}, "options", "A choice needs at least two options."),
    (
        [{**YES, "noise": "0.5"}, NO],
        {"type": "choice"},
        "options",
        "Give the noise of every option, or of none.",
    ),
    (
        [{**YES, "noise": "0.5"}, {**NO, "noise": "0.6"}],
        {"type": "choice"},
        "options",
        "The shares [0.5, 0.6] sum to 1.1, not to 1.",
    ),
    (
        [{**YES, "value": "a,b"}, NO],
        {"type": "choice"},
        "options",
        "'a,b' is not a label: text without commas, edge spaces or controls.",
    ),
    (
        [{"value": "drugs", "label:en": "Drugs?"}],
        {"type": "several"},
        "options",
        "The name 'drugs' stands for two questions or items.",
    ),
    (
        [{"value": "Drugs", "label:en": "Drugs?"}],
        {"type": "several"},
        "options",
        "A name is a small letter, then up to 39 of a-z, 0-9, - and _.",
    ),
    ([], {"type": "scale", "minimum": "1"}, "minimum", "A scale needs whole numbers min < max, at most 20 apart."),
    ([], {"type": "scale", "minimum": "1", "maximum": "x"}, "maximum", "'x' is not a number."),
    (
        [],
        {"type": "scale", "minimum": "5", "maximum": "1"},
        "minimum",
        "A scale needs whole numbers min < max, at most 20 apart.",
    ),
    (
        [],
        {"type": "scale", "minimum": "1", "maximum": "30"},
        "minimum",
        "A scale needs whole numbers min < max, at most 20 apart.",
    ),
    ([], {"type": "number"}, "minimum", "A disguised number needs a minimum and a maximum."),
    (
        [],
        {"type": "number", "minimum": "0", "maximum": "99"},
        "block",
        "A coin takes answers with options, and no numbers and places.",
    ),
    ([], {"type": "date"}, "block", "This type cannot be disguised; ask a choice or a scale instead."),
    ([], {"type": "number", "block": "", "minimum": "9", "maximum": "1"}, "maximum", "Min 9 is above max 1."),
    ([], {"type": "number", "block": "", "minimum": "many"}, "minimum", "'many' is not a number."),
    ([], {"type": "number", "block": "", "minimum": "nan", "maximum": "9"}, "minimum", "'nan' is not a number."),
    ([], {"type": "number", "minimum": "0", "maximum": "1e999"}, "maximum", "'1e999' is not a number."),
    (
        [],
        {"type": "text", "block": "", "maximum": "5000"},
        "maximum",
        "A text has only max, its length, from 1 to 4000.",
    ),
    (
        [],
        {"type": "date", "block": "", "minimum": "yesterday"},
        "minimum",
        "Min and max of a date are written YYYY-MM-DD.",
    ),
    ([], {"minimum": "1"}, "minimum", "This type has neither min nor max."),
    *(
        (
            [YES, NO],
            {"type": kind, "block": "", "minimum": low, "maximum": high},
            "options",
            "This type has no options: delete them, or choose another type.",
        )
        for kind, low, high in (("scale", "1", "5"), ("text", "", "80"), ("number", "", ""), ("date", "", ""))
    ),
    (
        [{**YES, "noise": "0.5"}, {**NO, "noise": "0.5"}],
        {"type": "choice", "block": ""},
        "options",
        "Noise is for answers under a coin: leave it empty.",
    ),
    ([], {"block": "", "theta": "0.5"}, "theta", "θ is for yes/no answers under a coin: leave it empty."),
    (
        [],
        {"type": "scale", "minimum": "1", "maximum": "5", "theta": "0.5"},
        "theta",
        "θ is for yes/no answers under a coin: leave it empty.",
    ),
    ([], {"theta": "1.2"}, "theta", "Ensure this value is less than or equal to 1.0."),
    ([], {"theta": "1e-12"}, "theta", "1e-12 is nearer to 0 than the steps of 2^-32 can tell."),
    ([], {"when": ["city=1"]}, "when", "A condition joins an open question to an earlier open one."),
    (
        [],
        {"block": "", "when": ["drugs=1"]},
        "when",
        "Select a valid choice. drugs=1 is not one of the available choices.",
    ),
    (
        [],
        {"block": "", "when": ["city=berlin"]},
        "when",
        "Select a valid choice. city=berlin is not one of the available choices.",
    ),
    (
        [],
        {"block": "", "when": ["city=1", "pet=1"]},
        "when",
        "A condition looks back at one question: tick answers of one only.",
    ),
    ([], {"identifier": "drugs"}, "identifier", "Another question of this survey has this name."),
]


def rows(*options: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"position": place, **option} for place, option in enumerate(options, 1)]
