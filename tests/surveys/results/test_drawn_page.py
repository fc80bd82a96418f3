"""Weights, clusters and strata on the pages: the figures of the library, said in captions, refused where senseless."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

import candor
from privacy.errors import EntryError
from privacy.estimate.intervals import standard_errors, wilson_of_variance
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.output import format_count, tenths
from privacy.reconstruct import reconstruct
from privacy.regress import Respondents, regression_of
from surveys.domain.questionnaire.publish import publish
from surveys.models import Survey, SurveyVersion
from surveys.questions.rows import SKIP
from surveys.results import sharing, weighted
from surveys.results.comparison import AskedShare, compare
from surveys.results.open_answers import OpenAnswers
from surveys.results.reading import ReportData, read_data
from surveys.results.regression import explain
from surveys.results.sample_choice import SampleColumns as By, weigh
from surveys.results.tables import cross_table, open_codes, variables
from surveys.results.words import words_of
from surveys.sentences import sentence_of
from tests.cases import every
from tests.surveys.making import edit_draft, find_in
from tests.surveys.results.making import answer, draft, survey_with_results, without_direct
from tests.surveys.staff import somebody, visit

ALL_THREE = By("hours", "faculty", "mood")


def data_of(version: SurveyVersion) -> ReportData:
    return read_data(version.snapshots.get())


def with_answers(data: ReportData, **given: Callable[[int], Any]) -> ReportData:
    """The same people with other undisguised answers; None takes one away."""
    answers = [
        {name: value for name, value in {**old, **{name: of(place) for name, of in given.items()}}.items()
         if value is not None}
        for place, old in enumerate(data.answers or [])
    ]  # fmt: skip
    return replace(data, answers=OpenAnswers.from_rows(answers))


def sampling_of(data: ReportData, drawn: By = ALL_THREE) -> Sampling:
    """Weights, clusters and strata of those who answered disguised."""
    rows = [answers for answers, direct in zip(data.answers or [], data.sealed.direct, strict=True) if not direct]
    columns = {name: np.array([answers[name] for answers in rows], object) for name in drawn.uses.values()}
    columns["hours"] = columns["hours"].astype(float)
    return Sampling.from_columns(columns, len(rows), Sample(drawn.weights, drawn.cluster or None, drawn.strata or None))


def page(version: SurveyVersion, name: str, reader: User | None = None, **query: object) -> dict[str, Any]:
    address = reverse(f"studio:results-{name}", args=[version.pk])
    values: dict[str, Any] = visit(reader or somebody("view"), f"{address}?{urlencode(query, doseq=True)}").context_data
    return values


def test_tables_shares_and_regressions_have_the_figures_of_the_library() -> None:
    """The same weights, clusters and strata in `candor table`, `reconstruct` and `regress`, all digits.

    All are of those who answered disguised: a sum of weights tells whose true answer is in it.
    """
    data = with_answers(
        data_of(survey_with_results(6000)),
        hours=lambda place: 1 + place % 2,
        faculty=lambda place: "law" if place // 2 % 2 else "arts",
        mood=lambda place: str(1 + place // 4 % 2),
        ways=lambda _place: None,
    )
    sampling = sampling_of(data)
    disguised = without_direct(data.sealed)
    known = {each.axis.name: each for each in variables(data, "en")}

    weighed = weigh(data, ALL_THREE, "en")

    expected = candor.table(disguised, ["drugs", "cheating"], sample=sampling)
    lines = cross_table(weighed, [known["drugs"], known["cheating"]]).lines
    assert [line.of_all.value for line in lines] == pytest.approx(list(expected.support.T.ravel()), abs=1e-12)
    assert [line.of_all.se for line in lines] == pytest.approx(list(expected.se.T.ravel()), abs=1e-12)
    (of_library,) = reconstruct(disguised, ["drugs"], sample=sampling).patterns
    (drawn,) = weighted.figures(weighed, [known["drugs"]])
    share, low, high, error = (
        # Who has which weight differs from run to run.
        tenths(100 * value).replace("-0.0", "0.0").replace("-", "−")
        for value in (of_library.support, *np.clip(of_library.ci, 0, 1), of_library.se)
    )
    assert drawn.table.rows[1][1:4] == (f"{share} %", f"{low}–{high} %", f"± {error}")
    fitted = regression_of(Respondents.of_records(disguised), "drugs", ["cheating"], sample=sampling)
    explained = explain(weighed, known["drugs"], 1, [known["cheating"]])
    assert [(one.estimate, one.se) for _, one in explained.coefficients] == [
        pytest.approx((one.estimate, one.se), abs=1e-12) for one in fitted.coefficients[1:]
    ]


def test_shares_of_open_answers_are_weighted_means() -> None:
    """Σwy/Σw, with the error of the linearised sum between clusters; those who gave no answer are a group."""
    data = with_answers(
        data_of(survey_with_results(6000)),
        hours=lambda place: 1 + place // 20 % 2,
        faculty=lambda place: "law" if place // 40 % 2 else "arts",
        mood=lambda _place: None,
        ways=lambda _place: None,
        views=lambda place: {"fair": str(1 + place % 4)} if place % 5 else None,
    )
    known = {each.axis.name: each for each in variables(data, "en")}
    weights_by_faculty = By("hours", "faculty")
    sampling = sampling_of(data, weights_by_faculty)

    (drawn,) = weighted.figures(weigh(data, weights_by_faculty, "en"), [known["fair"]])

    places = np.flatnonzero(~data.sealed.direct)
    ones, weights = (places % 5 > 0) & (places % 4 == 0), sampling.weights
    share = float(weights @ ones / weights.sum())
    error = float(sampling.covariance((ones - share)[:, np.newaxis] / weights.sum())[0, 0]) ** 0.5
    assert [row[0] for row in drawn.table.rows] == ["1", "2", "3", "4", "no answer"]
    assert drawn.table.rows[0][1] == f"{tenths(100 * share)} %"
    assert drawn.table.rows[0][3:] == (f"± {tenths(100 * error)}", f"{tenths(100 * ones.mean())} %")
    assert f"n = {format_count(len(places))}." in drawn.caption


FACULTY = (("faculty", ("30", "50", "20")),)


def test_known_shares_of_an_answer_give_the_figures_of_the_library() -> None:
    """Those of `candor reconstruct --margins`, of those who answered disguised; counts are as good as percents."""
    data = data_of(survey_with_results(3000))
    given = [answers["faculty"] for answers in data.answers or []]  # of music too few to be distinguished from law
    faculty = np.array(["arts" if one == "arts" else "other" for one in given], object)[~data.sealed.direct]
    margins = {"faculty": {"arts": 30, "other": 70}}
    sampling = Sampling.from_columns({"faculty": faculty}, len(faculty), Sample(margins={"margins": margins}))
    known = {each.axis.name: each for each in variables(data, "en")}

    weighed = weigh(data, By(margins=FACULTY), "en")
    counted = weigh(data, By(margins=(("faculty", ("300", "500", "200")),)), "en")

    (of_library,) = reconstruct(without_direct(data.sealed), ["drugs"], sample=sampling).patterns
    for one in (weighed, counted):
        (drawn,) = weighted.figures(one, [known["drugs"]])
        assert drawn.table.rows[1][1] == f"{tenths(100 * of_library.support)} %"
        assert drawn.table.rows[1][3] == f"± {tenths(100 * (of_library.se or 0))}"
    assert weighed.drawn.startswith("Weights meet the known shares of “Which faculty are you in?”, where answers of ")


@pytest.mark.parametrize(
    ("margins", "sentence"),
    [
        ((("faculty", ("30", "50", "10")),), "those of “Which faculty are you in?” sum to 90, not to 100."),
        ((("faculty", ("0", "50", "50")),), "An answer to “Which faculty are you in?” that people gave has the sh"),
        ((("faculty", ("50", "50")),), "“faculty” is not an undisguised question that can describe the sample"),
        ((("remark", ("50", "50")),), "“remark” is not an undisguised question that can describe the sample."),
        ((("faculty", ("1", "1", "1")), ("mood", ("1",) * 5)), "Use one of these questions, or the files: of any two"),
    ],
)
def test_shares_that_nobody_can_meet_are_refused(margins: Any, sentence: str) -> None:
    """One sentence, in both languages."""
    with pytest.raises(EntryError) as refusal:
        weigh(data_of(survey_with_results(500)), By(margins=margins), "en")

    assert sentence_of(refusal.value).startswith(sentence)
    with translation.override("zh-hans"):
        assert sentence_of(refusal.value) != sentence


def test_known_shares_join_the_answers_that_tables_join() -> None:
    """One person said the first: joined to neighbours here and to the rarest there, two figures would tell of it."""
    people = {0: "arts", 1: "arts", 2: "arts"}  # of whom some answered disguised
    answers = lambda place: people.get(place, "law" if place % 5 else "music")  # noqa: E731
    data = with_answers(data_of(survey_with_results(1500)), faculty=answers)
    weighed = weigh(data, By(margins=FACULTY), "en")
    (faculty,) = (each for each in variables(data, "en") if each.axis.name == "faculty")
    assert open_codes(data, faculty)[1] == ["Law", "any other answer"]
    assert weighed.sampling is not None
    assert weighed.answers is not None
    of_law = weighed.answers.column("faculty").codes == 1
    weights = [{*weighed.sampling.weights[chosen].round(9).tolist()} for chosen in (of_law, ~of_law)]
    assert [len(each) for each in weights] == [1, 1]
    assert weights[0] != weights[1]


def test_known_shares_are_entered_on_the_page_and_stand_in_its_address() -> None:
    """A question of which a share is missing is refused at its field; the key of what is shared names all shares."""
    version = survey_with_results(1500)
    fields = {f"margin-faculty-{place}": share for place, share in enumerate(("30.5", "49.5", "20"))}

    reader = somebody("view")
    shown = page(version, "weighted", reader, **fields)
    lacking = page(version, "weighted", reader, **{"margin-faculty-0": "30"})

    assert shown["part"].key == "weighted.~~~~faculty=30,5=49,5=20"
    assert "Weights meet the known shares" in shown["context"]["figures"][0].caption
    assert "part" not in lacking
    assert lacking["form"].errors["margin-faculty-1"] == ["Give the share of this answer, too; 0 where nobody has it."]


def to_two_digits(number: float) -> int:
    """No more, because the worth may be the number of people who gave some answers, which another page may show."""
    unit = 10 ** (len(str(int(number))) - 2)
    return int(number) // unit * unit


def test_captions_say_how_people_were_drawn_and_who_is_left_out() -> None:
    """Who gave no weight, or answered directly, counts in nothing; the worth of the weights stands beside n."""
    data = with_answers(data_of(survey_with_results(1500)), hours=lambda place: None if place < 200 else 1 + place % 2)
    places = np.flatnonzero(~data.sealed.direct)
    weights = 1 + places[places >= 200] % 2

    weighed = weigh(data, By("hours"), "en")

    assert weighed.n == len(weights)
    worth = to_two_digits(weights.sum() ** 2 / (weights**2).sum())
    assert weighed.drawn == (
        f"Weighted by “Hours of sleep?”. The weights are worth {format_count(worth)} "
        f"respondents drawn alike. A weight that few people gave counts as the nearest one that enough gave; so do "
        f"people without a weight, where they are few. {(places < 200).sum()} people who did not answer this are "
        f"left out. {1500 - len(places)} people who answered directly are left out."
    )
    assert weigh(data, By(strata="mood"), "en").drawn.startswith(
        "Drawn from strata by “How are you?”; those of fewer than 100 people are joined."
    )
    known = {each.axis.name: each for each in variables(data, "en")}
    assert weighed.drawn in weighted.figures(weighed, [known["drugs"]])[0].caption


@pytest.mark.parametrize(
    ("given", "drawn", "sentence"),
    every(4, [
        ({"hours": lambda place: -1 if place < 20 else 2}, By("hours"), "“Hours of sleep?” was answered with neg"),
        ({"hours": lambda _place: 3}, By("hours"), "Nearly everybody gave the same answer to “Hours of sleep?”"),
        ({"hours": lambda place: 10 ** max(15 - place, 0)}, By("hours"), "These weights are worth fewer than 100"),
        ({"hours": lambda place: 2 + place % 2 if place < 60 else None}, By("hours"), "Fewer than 100 people said"),
        ({"hours": lambda _place: None}, By("hours"), "Fewer than 100 people said how they were drawn"),
        ({"faculty": lambda _place: "law"}, By(cluster="faculty"), "Fewer than 100 people gave all answers but one"),
        ({"hours": lambda place: min(place, 99)}, By(strata="hours"), "Fewer than 100 people gave all answers"),
        ({}, By("hours", "faculty"), "Use one of these questions, or the files: of any two"),
        ({}, By("faculty"), "“faculty” is not an undisguised question that can"),
        ({}, By("drugs"), "“drugs” is not an undisguised question that can"),
        ({}, By(cluster="remark"), "“remark” is not an undisguised question that can"),
    ]),
)  # fmt: skip
def test_what_says_nothing_of_how_people_were_drawn_is_refused(
    given: dict[str, Callable[[int], Any]], drawn: By, sentence: str
) -> None:
    """One sentence, in both languages: for numbers that are no weights, weights worth too few, and one stratum."""
    data = with_answers(data_of(survey_with_results(300)), **given)

    with pytest.raises(EntryError) as refusal:
        weigh(data, drawn, "en")

    assert sentence_of(refusal.value).startswith(sentence)
    with translation.override("zh-hans"):
        chinese = sentence_of(refusal.value)
    assert chinese != sentence_of(refusal.value)
    assert "{" not in chinese


@pytest.mark.parametrize("use", ["cluster", "strata"])
def test_degrees_of_freedom_do_not_tell_that_somebody_gave_a_rare_answer(use: str) -> None:
    """One person gave an answer of their own, or the one that is joined to it: no figure differs."""
    plain = data_of(survey_with_results(1000))
    one = int(np.flatnonzero(~plain.sealed.direct)[0])

    def degrees(own: int) -> list[tuple[tuple[str, ...], ...]]:
        data = with_answers(plain, hours=lambda place: own if place == one else 1 + place % 3)
        weighed = weigh(data, By(**{use: "hours"}), "en")
        drugs = next(each for each in variables(weighed, "en") if each.axis.name == "drugs")
        return [figure.table.rows for figure in weighted.figures(weighed, [drugs])]

    assert degrees(4) == degrees(3)


def test_a_group_whose_weights_are_worth_few_is_not_told_of() -> None:
    """Half of the people study law, but one of them stands for 150: that group is worth 60 people, and all are 200."""
    plain = data_of(survey_with_results(2000))
    disguised = ~plain.sealed.direct
    one = int(np.flatnonzero(disguised & (np.arange(2000) % 2 == 1))[0])
    data = with_answers(
        plain,
        faculty=lambda place: "law" if place % 2 else "arts",
        hours=lambda place: 150 if place == one else 1 + place // 2 % 2,
    )
    known = {each.axis.name: each for each in variables(data, "en")}
    weighed = weigh(data, By("hours"), "en")

    assert cross_table(data, [known["drugs"], known["faculty"]]).n.number == disguised.sum()
    assert cross_table(weighed, [known["drugs"], known["cheating"]]).n.number == disguised.sum()
    with pytest.raises(EntryError, match="Fewer than 100 people gave all answers but one"):
        cross_table(weighed, [known["drugs"], known["faculty"]])
    with pytest.raises(EntryError, match="Fewer than 100 people gave all answers but one"):
        explain(weighed, known["drugs"], 1, [known["faculty"]])


@pytest.mark.parametrize("alone", [False, True], ids=["many of each weight", "some with a weight of their own"])
def test_weights_stand_beside_groups_where_enough_share_each_in_each_group(alone: bool) -> None:
    """A weight that few people share would tell their undisguised answers; others have weights all the same."""
    data = with_answers(
        data_of(survey_with_results(2000)),
        faculty=lambda place: "law" if place % 2 else "arts",
        hours=lambda place: 3 if alone and place < 20 else 1 + place // 2 % 2,
    )
    known = {each.axis.name: each for each in variables(data, "en")}
    drugs, faculty = known["drugs"], known["faculty"]
    weighed = weigh(data, By("hours"), "en")

    figures: list[Callable[[], object]] = [
        lambda: cross_table(weighed, [drugs, faculty]),
        lambda: explain(weighed, drugs, 1, [faculty]),
        lambda: compare(weighed, [AskedShare(words_of(data.version, "en"), drugs, 1)], faculty),
    ]
    for figure in figures:
        if not alone:
            figure()
            continue
        with pytest.raises(EntryError) as refusal:
            figure()
        assert sentence_of(refusal.value).startswith("Fewer than 100 people gave some answer to “Which faculty are you")
    drawn = weighted.figures(weighed, [drugs, faculty])
    assert [one.name for one in drawn] == ["weighted-drugs", *([] if alone else ["weighted-faculty"])]


def test_nothing_is_weighed_while_a_version_collects() -> None:
    """Weights are undisguised answers; the page offers none, and an address that names one is refused."""
    version = survey_with_results(closed=False)

    assert page(version, "weighted", weights="hours")["form"].sampling_fields == []
    with pytest.raises(EntryError, match="after this version stops collecting"):
        weigh(data_of(version), By("hours"), "en")


@pytest.mark.parametrize(
    ("name", "query", "key"),
    [
        ("table", {"answer": "drugs", "by": "bike"}, "table.drugs.bike.~hours~~faculty"),
        ("regression", {"answer": "drugs.1", "on": "cheating"}, "regression.drugs.1.cheating.~hours~~faculty"),
        ("compare", {"first": "drugs.1", "by": "bike"}, "compare.by-bike.drugs.1.-.~hours~~faculty"),
        ("weighted", {}, "weighted.~hours~~faculty"),
    ],
    ids=["table", "regression", "compare", "weighted"],
)
def test_the_pages_take_weights_in_their_address(name: str, query: dict[str, str], key: str) -> None:
    """A key of its own for each choice; a column that is offered nowhere is a wrong choice."""
    version, reader = survey_with_results(6000, least=20), somebody("view")
    values = page(version, name, reader, **query, weights="hours", strata="faculty")
    wrong = page(version, name, reader, **query, weights="mood")
    assert values["part"].key == key
    assert "Weighted by" in values["context"]["figures"][0].caption
    assert "part" not in wrong
    assert "weights" in wrong["form"].errors


def test_a_page_without_a_choice_shows_its_form_alone() -> None:
    """Of weights nothing is computed before one is named."""
    assert "part" not in page(survey_with_results(300), "weighted")


def test_weighted_shares_can_be_shared(client: Client) -> None:
    """The link shows what was chosen, and a key that names no columns opens nothing."""
    version = survey_with_results()
    _shared, token = sharing.share(version, "Colleague", ["weighted.~hours~~"], 30, somebody())

    shown = client.get(f"/r/{token}/").content.decode()

    assert "Shares of the population" in shown
    assert client.get(f"/r/{token}/weighted.~hours~~/weighted-drugs.svg").status_code == 200
    client.force_login(somebody("change"))
    for key in ("weighted", "weighted.~", "weighted.~hours", "table.drugs.cheating.~x~y"):
        address = reverse("studio:results-picture", args=[version.pk, key, "table"])
        assert client.get(address).status_code == 404


DECLINED = "if none or all who preferred not to say would have said it, and the interval of both"


def data_of_decliners() -> ReportData:
    """Of people who may prefer not to say how old they are, disguised, or where they study, undisguised."""
    survey = draft("declining", override_by="Tests", override_reason="two blocks")
    with edit_draft(survey) as document:
        for name in ("age", "faculty"):
            find_in(document, name)["options"][2]["value"] = SKIP
    version = publish(survey)
    answer(version, 3000)
    Survey.objects.filter(pk=survey.pk).update(closed_at=timezone.now())
    version.refresh_from_db()
    return with_answers(
        data_of(version),
        hours=lambda place: 1 + place // 20 % 2,
        faculty=lambda place: ("arts", "law", SKIP)[place % 3] if place % 5 else None,
    )


def write_range(
    sampling: Sampling, said: np.ndarray, said_or_hidden: np.ndarray, lines: Sequence[tuple[float, float]] = ()
) -> str:
    """The cell of a table: weighted means of both, and the ends of their intervals by linearised sums.

    Of records that show a share by a line, with these chances, they are Wilson's.
    """
    ends = []
    for place, each in enumerate((said, said_or_hidden)):
        share = float(sampling.weights @ each / sampling.weights.sum())
        error = float(sampling.covariance((each - share)[:, np.newaxis] / sampling.weights.sum())[0, 0]) ** 0.5
        half = standard_errors(0.95, float(sampling.freedom)) * error
        own = (share - half, share + half)
        if lines:
            own = wilson_of_variance(share, error**2, lines[place], 0.95, float(sampling.freedom))
        ends.append((share, *own))
    (none, below, _), (every, _, above) = ends
    low, high = (tenths(100 * end).replace("-", "−") for end in (below, above))
    return f"{tenths(100 * none)}–{tenths(100 * every)} % ({low} … {high})"


def test_weighted_shares_of_undisguised_answers_say_what_silence_may_hide() -> None:
    """With the same weights: from the share of an answer to that of the answer and of who declined."""
    data = data_of_decliners()
    known = {each.axis.name: each for each in variables(data, "en")}

    (drawn,) = weighted.figures(weigh(data, By("hours"), "en"), [known["faculty"]])

    sampling, places = sampling_of(data, By("hours")), np.flatnonzero(~data.sealed.direct)
    arts, law, silent = ((places % 5 > 0) & (places % 3 == place) for place in range(3))
    assert (drawn.table.head[-1], [row[-1] for row in drawn.table.rows]) == (
        DECLINED,
        [write_range(sampling, arts, arts | silent), write_range(sampling, law, law | silent), "–", "–"],
    )


def test_weighted_shares_of_disguised_answers_say_what_silence_may_hide() -> None:
    """A coin that keeps .7 and else draws one of three alike: of a share r of records the true one is (r − .3 q)/.7."""
    data = data_of_decliners()
    known = {each.axis.name: each for each in variables(data, "en")}

    (drawn,) = weighted.figures(weigh(data, By("hours"), "en"), [known["age"]])

    codes = without_direct(data.sealed).codes[:, data.sealed.design.column("age")]
    one, other = (((codes == place) - 0.1) / 0.7 for place in (0, 1))
    silent = ((codes == 2) - 0.1) / 0.7
    sampling = sampling_of(data, By("hours"))
    assert (drawn.table.head[-1], [row[-1] for row in drawn.table.rows]) == (
        DECLINED,
        [write_range(sampling, each, each + silent, [(0.1, 0.7), (0.2, 0.7)]) for each in (one, other)] + ["–"],
    )


def test_weighted_shares_have_no_such_column_where_nobody_could_decline() -> None:
    data = with_answers(data_of(survey_with_results(3000)), hours=lambda place: 1 + place % 2)
    known = {each.axis.name: each for each in variables(data, "en")}
    (drawn,) = weighted.figures(weigh(data, By("hours"), "en"), [known["age"]])
    assert len(drawn.table.head) == 5
