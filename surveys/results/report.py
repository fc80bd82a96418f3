"""The report of a version: its parts, in their order, as far as somebody may see them."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from math import isnan
from typing import Any

from django.utils.translation import get_language, gettext as _

from privacy.errors import EntryError
from privacy.output import format_count
from privacy.plan.forecast import longer_side
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.forecast import questions_by_lot
from surveys.domain.questionnaire.minimum import minimum_of_version
from surveys.domain.responses import counts, disclosure
from surveys.features import known_questions
from surveys.models import SurveyVersion
from surveys.results import comparison, following, regression, tables, together, versions, weighted
from surveys.results.answers import Answered, answers
from surveys.results.figures import Figure, of_answers, on_scale, overview
from surveys.results.parts import ComparisonPart, RegressionPart, TablePart, WeightedPart, parse_key as read_part
from surveys.results.reading import ReportData, read_data
from surveys.results.sample_choice import weigh
from surveys.results.scale import OnScale, by_size, not_apart, on_one_axis
from surveys.results.sections import SECTIONS, ReportPart, Section, TrustTopic, parts_of_features, topics_of_features
from surveys.results.trust import crowd_topic, forgeries_topic, promise_topic
from surveys.results.words import words_of

May = Callable[[Action], bool]
"""Whether the reader may do this with the survey; that they may see it is known."""


def language() -> str:
    return get_language() or "en"


def data_of(version: SurveyVersion) -> ReportData:
    """The data of the version's newest snapshot; EntryError where nothing may be reported."""
    snapshot = version.snapshots.select_related("version__survey").last()
    if snapshot is None and disclosure.is_unanswered(version):
        raise EntryError("Nobody answered this version before it ended: there is nothing to show.")
    if snapshot is None:
        raise EntryError("No responses are sealed yet; there is nothing to show.")
    shows = disclosure.reportable(snapshot)
    if shows.few:
        needed = minimum_of_version(version)
        if needed.asked < 1 and disclosure.most_asked(snapshot) < needed.disguised:
            raise EntryError(
                "No question was asked of {least} people with disguise, too few to report on: it takes about {answers} "
                "answers.",
                least=needed.disguised,
                answers=needed.once_closed,
            )
        disclosure.require_enough(snapshot)
    data = read_data(snapshot)
    if data.n < data.least:
        if shows.settled:
            raise EntryError(
                "The survey is closed, and fewer than {least} people answered this version: too few for a report.",
                least=data.least,
            )
        raise EntryError(
            "Fewer than {least} answers may be counted so far, too few to report on.",
            least=minimum_of_version(version).to_begin,
        )
    return data


def parts(data: ReportData, may: May) -> list[ReportPart]:
    """The parts that the report shows without being asked for them."""
    return [part for section in _sections(may) for part in section.offered(data)]


ShownPart = tuple[ReportPart, dict[str, Any], str]


def fold_parts(shown: Sequence[ShownPart]) -> dict[str, list[Any]]:
    """The parts with what they show and the address of their pictures: what everybody reads, and what analysts do."""
    return {
        "parts": [one for one in shown if not one[0].for_analysts],
        "analysts": [one for one in shown if one[0].for_analysts],
        "questions": [(address, own["questions"]) for _part, own, address in shown if own.get("questions")],
    }


def part(data: ReportData, key: str, may: May) -> ReportPart | None:
    return next((part for section in _sections(may) if (part := section.find(data, key))), None)


def _sections(may: May) -> Sequence[Section]:
    """The sections of the report that the reader may see."""
    return [
        each
        for each in (ANSWERS, TOGETHER, FOLLOWING, FEATURES, CANNOT, TRUST, ON_DEMAND, VERSIONS, *SECTIONS)
        if each.action is Action.SEE or may(each.action)
    ]


def _answers(data: ReportData) -> ReportPart:
    def context() -> dict[str, object]:
        asked = _all_answers(data)
        phrases = words_of(data.version, language()).phrases
        shown = [(question, of_answers(data, question, phrases)) for question in asked]
        first, axes = overview(data, asked), _axes(asked)
        scale = [row for _heading, rows in axes for row in rows]
        return {
            "alarms": following.alarms(data),
            "asked": [*_describe_sample(data, asked), *counts.say_rates(data.version.survey)],
            "least": data.least,
            "scale": scale,
            "axes": [(heading, rows, by_size(rows)) for heading, rows in axes],
            "silent": any(one.most is not None for one in scale),
            "left_out": _gaps(data, asked),
            "rare": any(display.has_gaps for question in asked for display in question.displays),
            "written": [
                (question, data.people(display.n))
                for question in asked
                for display in question.displays
                if display.texts
            ],
            "known": _count_held(scale),
            "overview": first,
            "questions": shown,
            "undisguised": [figure for _question, own in shown for figure in own if figure.middle],
            "figures": first + [one for _question, own in shown for one in own],
        }

    return ReportPart("answers", _("How common it is"), "surveys/results/answers.html", context)


def _all_answers(data: ReportData) -> list[Answered]:
    key = f"answers in {language()}"
    if key not in data.memory:
        known = known_questions(data.version.parsed.source)  # they tell of who follows, not of people
        data.memory[key] = [answer for answer in answers(data, language()) if answer.name not in known]
    asked: list[Answered] = data.memory[key]
    return asked


def shares_of_skips(data: ReportData) -> list[float]:
    """The best guess of who preferred not to say, of each disguised answer of which that is known."""
    return [
        one.between.all - one.between.none
        for question in _all_answers(data)
        if question.sensitive
        for display in question.displays
        for one in display.shares_by_answer
        if one.between
    ]


def sides_of_shares(data: ReportData) -> list[float]:
    """The longer side of the printed interval of each disguised answer, but for the commonest of several."""
    asked = [answer for answer in _all_answers(data) if answer.sensitive]
    rows = on_scale(one for one in asked if not any(display.middle for display in one.displays))
    commonest = {part: max(row.share for row in rows if row.part == part) for part in {row.part for row in rows} - {""}}
    sides = [
        longer_side(row.share, (row.share - row.low, row.high - row.share))
        for row in rows
        if row.share != commonest.get(row.part)
    ]
    return [side for side in sides if not isnan(side)]


def _axes(asked: Sequence[Answered]) -> list[tuple[str, list[OnScale]]]:
    """Shares on one axis; undisguised ones on another, with headings, where theirs would end farther out."""
    shown = [one for one in asked if not any(display.middle for display in one.displays)]
    disguised, others = (on_scale(one for one in shown if one.sensitive == kind) for kind in (True, False))
    ends = [max((one.top for one in on_one_axis(rows)), default=0) for rows in (disguised, others)]
    if not disguised or ends[1] <= ends[0]:
        return [("", rows)] if (rows := on_one_axis(on_scale(shown))) else []
    return [
        (_("Disguised answers"), on_one_axis(disguised)),
        (_("Undisguised answers, on an axis of their own"), on_one_axis(others)),
    ]


def _count_held(scale: Sequence[OnScale]) -> str:
    """How many bars hold the truth of simulated people; "" where people are real."""
    known = [one for one in scale if one.truth is not None]
    if not known:
        return ""
    values = {
        "n": len(known),
        "held": sum(one.is_held for one in known),
        "more": sum(one.is_held_at_most for one in known),
    }
    if values["more"]:
        return (
            _(
                "The diamond is the truth, known here because people are simulated: %(held)s of %(n)s lie in the dark "
                "bar, %(more)s in the light one alone."
            )
            % values
        )
    return (
        _("The diamond is the truth, known here because people are simulated: %(held)s of %(n)s lie in the dark bar.")
        % values
    )


def _cannot(data: ReportData) -> ReportPart:
    def context() -> dict[str, object]:
        asked = _all_answers(data)
        said = [_("It says nothing about any one person.")]
        if two := not_apart([row for _heading, rows in _axes(asked) for row in rows]):
            said.append(
                _(
                    "It cannot tell %(less)s %% from %(more)s %%: where two dark bars overlap a lot, the order may be "
                    "the other way round."
                )
                % {"less": two[0], "more": two[1]}
            )
        if any(one.between for question in asked for display in question.displays for one in display.shares_by_answer):
            said.append(_("It does not know what people who preferred not to say, or never came, would have said."))
        else:
            said.append(_("It does not know what people who never came would have said."))
        said.append(_("It cannot see who lied all the same. Then a true share may be higher."))
        if together.has_pairs(data):
            said.append(
                _(
                    "“Goes together” does not mean that one thing leads to the other, and pairs that it does not show "
                    "may go together, too."
                )
            )
        return {"said": said, "figures": []}

    return ReportPart("cannot", _("What this report cannot show"), "surveys/results/cannot.html", context)


def _gaps(data: ReportData, questions: Sequence[Answered]) -> list[tuple[str, list[str]]]:
    """The reasons why shares are missing, each with its questions; for few people see `_describe_sample`."""
    none = _(
        "Shares are shown where %(least)s people or more gave each answer. Fewer gave some answer here, and each share "
        "could tell how many."
    )
    none_or_silent = _(
        "Shares are shown where %(least)s people or more gave each answer, and as many, or nobody, gave none. Fewer "
        "did here, and each share could tell how many. Next time, require an answer."
    )
    required = {question.id for question in data.version.parsed.questions if question.required}
    some = _(
        "Answers that fewer than %(least)s people gave are not shown, and sometimes one more, so that nobody can "
        "subtract."
    )
    reasons: dict[str, list[str]] = {}
    for question in questions:
        if question.sensitive or not data.few:
            withheld = [display for display in question.displays if display.has_gaps]
            some_figures = any(display.shares_by_answer or display.texts for display in question.displays)
            nothing = none if question.sensitive or question.name in required else none_or_silent
            why = question.why_not or (withheld and (some if some_figures else nothing) % {"least": data.least})
            if why:
                reasons.setdefault(why, []).append(question.text)
    return list(reasons.items())


def _describe_sample(data: ReportData, questions: Sequence[Answered]) -> list[str]:
    """Say how many people the figures are about, and why some were not asked everything."""
    sensitive = [
        display.n for question in questions if question.sensitive for display in question.displays if display.n
    ]
    if not sensitive:
        return []
    said = []
    if data.few:
        said += [minimum_of_version(data.version).of_few, _("These figures are very rough.")]
    if data.hides_direct:
        said.append(
            _("Fewer than %(least)s people answered directly, or nobody did: all figures are about the others.")
            % {"least": format_count(data.version.survey.least)}
        )
    if drawn := questions_by_lot(data.version.design):
        values = {"asked": drawn[0], "all": drawn[1], "n": data.people(min(sensitive))}
        said.append(
            _(
                "Each person was asked %(asked)s of %(all)s sensitive questions, drawn by lot: the fewer answers one "
                "promise covers, the less each is disguised. The figure of the fewest people rests on %(n)s."
            )
            % values
        )
    kinds = [block.whole.kind.words for block in data.version.design.blocks if not block.draw]  # else people do it
    if any(words.changes for words in kinds):
        return [*said, _("Chance changed some answers before they were sent; the figures allow for that.")]
    said += dict.fromkeys(_(words.row.sent) for words in kinds if words.row)
    return [*said, _("Chance has a part in what is sent; the figures allow for that.")]


def _table(data: ReportData, asked: TablePart) -> ReportPart | None:
    known = _variables(data)
    if not set(asked.questions) <= known.keys():
        return None

    def context() -> dict[str, object]:
        weighed, chosen = weigh(data, asked.drawn, language()), [known[name] for name in asked.questions]
        drawing = tables.figure(tables.cross_table(weighed, chosen), "table")
        return _figures(following.of_all(weighed, [drawing]))

    title = _("Table: %(names)s") % {"names": "; ".join(known[name].axis.heading for name in asked.questions)}
    return ReportPart(asked.key, title, "", context)


def _regression(data: ReportData, asked: RegressionPart) -> ReportPart | None:
    known, answer = _variables(data), asked.answer
    if not {answer.question, *asked.on} <= known.keys():
        return None

    def context() -> dict[str, object]:
        weighed = weigh(data, asked.drawn, language())
        explained = regression.explain(
            weighed,
            known[answer.question],
            answer.place,
            [known[name] for name in asked.on],
            asked.together,
            asked.apart,
        )
        drawing = regression.figure(explained, "coefficients")
        return _figures(following.of_all(weighed, [drawing]), regression.sentences(explained))

    title = _("What goes with: %(answer)s") % {"answer": known[answer.question].axis.heading}
    return ReportPart(asked.key, title, "surveys/results/regression.html", context)


def _comparison(data: ReportData, asked: ComparisonPart) -> ReportPart | None:
    known = _variables(data)
    if asked.by and (asked.by not in known or known[asked.by].sensitive):
        return None
    for answer in (one for figure in asked.figures for one in figure if one):
        variable = known.get(answer.question)
        if variable is None or not variable.sensitive or answer.place >= len(variable.axis.labels):
            return None
    words = words_of(data.version, language())
    figures = [
        comparison.AskedShare(
            words,
            known[answer.question],
            answer.place,
            known[given.question] if given else None,
            given.place if given else 0,
        )
        for answer, given in asked.figures
    ]

    def context() -> dict[str, object]:
        weighed = weigh(data, asked.drawn, language())
        compared = comparison.compare(weighed, figures, known.get(asked.by))
        drawing = comparison.figure(compared, "compared")
        return _figures(following.of_all(weighed, [drawing]), comparison.sentences(compared))

    title = comparison.title_of(figures)
    return ReportPart(asked.key, title, "surveys/results/regression.html", context)


def _with_weights(data: ReportData, asked: WeightedPart) -> ReportPart:
    def context() -> dict[str, object]:
        weighed, variables = weigh(data, asked.drawn, language()), [*_variables(data).values()]
        drawings = weighted.figures(weighed, variables) + weighted.on_grids(weighed, variables, language())
        return _figures(following.of_all(weighed, drawings))

    return ReportPart(asked.key, _("Shares of the population"), "", context)


def _on_demand(data: ReportData, key: str) -> ReportPart | None:
    """Make the part that a key asks for, such as a table; None where it names none."""
    match read_part(key):
        case TablePart() as asked:
            return _table(data, asked)
        case RegressionPart() as asked:
            return _regression(data, asked)
        case ComparisonPart() as asked:
            return _comparison(data, asked)
        case WeightedPart() as asked:
            return _with_weights(data, asked)
    return None


def _variables(data: ReportData) -> dict[str, tables.Variable]:
    return {variable.axis.name: variable for variable in tables.variables(data, language())}


def _figures(drawings: Sequence[Figure], sentences: Sequence[str] = ()) -> dict[str, object]:
    """The context of a part that has nothing but figures and sentences."""
    return {"figures": drawings, "loose": drawings, "sentences": sentences}


def _versions(data: ReportData, key: str) -> ReportPart | None:
    if key != "versions":
        return None

    def context() -> dict[str, object]:
        drawn_from = []
        for version in data.version.survey.versions.order_by("number"):
            with suppress(EntryError):  # about one of which nothing may be reported
                drawn_from.append(data if version == data.version else data_of(version))
        return _figures(versions.figures(drawn_from, language()))

    return ReportPart(key, _("From version to version"), "surveys/results/versions.html", context)


def _trust(data: ReportData) -> ReportPart:
    title = _("How far you can trust it")
    return ReportPart("trust", title, "surveys/results/trust.html", lambda: {"topics": topics(data), "figures": []})


def topics(data: ReportData) -> list[TrustTopic]:
    """What a reader should know about forged responses and about the crowd, after what features say."""
    return [
        *topics_of_features(data),
        following.topic(data),
        forgeries_topic(data),
        promise_topic(data),
        crowd_topic(data),
    ]


def _always(offered: Callable[[ReportData], Sequence[ReportPart]]) -> Section:
    """A section whose parts the report shows by itself; a key finds one of these."""
    return Section(offered, lambda data, key: next((part for part in offered(data) if part.key == key), None))


ANSWERS = _always(lambda data: [_answers(data)])
FOLLOWING = _always(following.parts)
FEATURES = _always(parts_of_features)
ON_DEMAND = Section(offered=lambda _data: [], find=_on_demand)
VERSIONS = Section(offered=lambda _data: [], find=_versions)
TOGETHER = Section(together.parts, together.find)
CANNOT = _always(lambda data: [_cannot(data)])
TRUST = _always(lambda data: [_trust(data)])
