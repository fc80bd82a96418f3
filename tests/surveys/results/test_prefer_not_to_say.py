"""Between which shares the truth lies, whatever those who preferred not to say would have said."""

import numpy as np
import pytest
from scipy.stats import binomtest

from privacy.design import Design
from privacy.records import Records
from surveys.displays import ShareRow, Shares
from surveys.percent import Between
from surveys.questions import NOBODY, Answers, Given, PublishedQuestion, type_of
from surveys.questions.rows import SKIP
from surveys.results.answers import Answered
from surveys.results.figures import on_scale
from tests.cases import first
from tests.surveys.documents import WORDS

KEEP, NOISE = 0.6, (0.4, 0.4, 0.2)
OPTIONS = ("1", "0", SKIP)


def display_of(type_: str, options: tuple[str, ...], counts: tuple[int, ...], *, disguised: bool = False) -> Shares:
    """The display of a question that so many people, or so many records, gave each option of."""
    question = PublishedQuestion("asked", type_, sensitive=disguised, options=options)
    entry = {"id": "asked", "type": type_, "text": WORDS}
    item = {"id": "asked", "options": list(options)}
    design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    if disguised:
        block = {"keep": KEEP, "items": [item | {"noise": list(NOISE)}]}
        design = Design.parse({"direct": False, "blocks": [block]})
    codes = np.repeat(np.arange(len(options)), counts).astype(np.uint8)[:, np.newaxis]
    records = Records(design, codes, np.zeros(len(codes), bool))
    given = NOBODY if disguised else Given(list(options), np.array(counts))
    (made,) = type_of(question).displays(Answers(question, entry, "en", given, records, 20))
    assert isinstance(made, Shares)
    return made


def wilson(count: int) -> tuple[float, float]:
    """Of a count among 1000 people."""
    low, high = binomtest(count, 1000).proportion_ci(0.95, method="wilson")
    return low, high


def row(made: Shares, place: int) -> ShareRow:
    return made.rows[place]


def test_undisguised_answers_say_what_silence_may_hide() -> None:
    """From the lower end of Wilson's interval of those who said yes to the upper end of that of yes and silence."""
    between = row(display_of("yesno", OPTIONS, (147, 706, 147)), 0).between
    low, _high = wilson(147)
    _low, high = wilson(294)
    assert between is not None
    assert vars(between) == pytest.approx({"none": 0.147, "all": 0.294, "low": low, "high": high})


def test_disguised_answers_say_it_with_the_error_of_the_disguise() -> None:
    """One coin changes a share π to keep·π + (1 − keep)·q, with q the share of the option, or of both, in the noise."""
    between = row(display_of("yesno", OPTIONS, (300, 450, 250), disguised=True), 0).between
    low, _high = wilson(300)
    _low, high = wilson(550)
    one, two = (1 - KEEP) * 0.4, (1 - KEEP) * 0.6
    expected = {
        "none": (0.3 - one) / KEEP,
        "all": (0.55 - two) / KEEP,
        "low": (low - one) / KEEP,
        "high": (high - two) / KEEP,
    }
    assert between is not None
    assert vars(between) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(("said_yes", "surveys"), first(1, [(0.0, 40), (0.0, 100), (0.5, 100), (1.0, 100)]))
def test_the_truth_lies_there_whatever_the_silent_would_have_said(said_yes: float, surveys: int) -> None:
    """As many decline as say yes: in 19 of 20 surveys or more the true share is inside."""
    chance, found = np.random.default_rng(7), 0
    yes, hidden = 0.15, 0.15
    for _ in range(surveys):
        truth = (yes, 1 - yes - hidden, hidden)
        sent = [KEEP * share + (1 - KEEP) * noise for share, noise in zip(truth, NOISE, strict=True)]
        seen = chance.multinomial(800, sent)
        between = row(display_of("yesno", OPTIONS, tuple(map(int, seen)), disguised=True), 0).between
        assert between is not None
        found += between.low <= yes + said_yes * hidden <= between.high
    assert found >= 0.95 * surveys - 4.5 * (surveys * 0.95 * 0.05) ** 0.5


@pytest.mark.parametrize("counts", [(500, 480, 19), (500, 500, 0)])
def test_too_few_who_declined_are_not_counted_out(counts: tuple[int, ...]) -> None:
    """The ends would tell how many they are; a few look like nobody."""
    assert [each.between for each in display_of("yesno", OPTIONS, counts).rows] == [None] * 3


def test_silence_itself_hides_nothing_and_other_questions_have_no_such_line() -> None:
    """Every other option of a choice has its ends, in a column of the table; without the option there is no column."""
    choice = display_of("choice", ("arts", "law", "music", SKIP), (300, 200, 100, 400))
    assert [each.between and (each.between.none, round(each.between.all, 9)) for each in choice.rows] == [
        (0.3, 0.7),
        (0.2, 0.6),
        (0.1, 0.5),
        None,
    ]
    assert len(choice.table().head) == 5
    assert choice.table().rows[0][-1] == "30.0–70.0 % (27.2 … 72.8)"
    assert len(display_of("choice", ("arts", "law"), (300, 200)).table().head) == 4


def test_a_light_bar_reaches_as_far_as_if_all_would_have_said_it() -> None:
    """It begins where the dark one does, and ends where the interval of both does."""
    made = Shares("asked", 900, (ShareRow("Yes", row(display_of("yesno", OPTIONS, (147, 706, 147)), 0).all),))
    (yes,) = made.rows
    rows = (ShareRow("Yes", yes.all, between=Between(-0.01, 0.29, -0.03, 0.32)),)
    asked = Answered("asked", "Have you?", True, [Shares("asked", 900, rows)], only="Yes")
    (line,) = on_scale([asked])
    assert yes.all is not None
    assert (line.low, line.high, line.most) == (yes.all.low, yes.all.high, 0.32)
