"""The forms of pages on which people choose figures: each makes the key of a part from its address."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _, gettext_lazy

from privacy.design import Design
from privacy.errors import EntryError, InputError
from surveys.questions.rows import SKIP
from surveys.results import regression, report, sample_choice, tables
from surveys.results.parts import Answer, ComparisonPart, RegressionPart, TablePart, WeightedPart
from surveys.results.reading import ReportData
from surveys.sentences import sentence_of

NOTHING = ("", "–")
PAIRS_TRIED = 4  # until one has a regression: each takes a moment


def choosable(data: ReportData, least: int) -> list[tables.Variable]:
    """The questions to choose from; EntryError where there are fewer than `least`, or none that is disguised."""
    variables = tables.variables(data, report.language())
    if not any(variable.sensitive for variable in variables):
        raise EntryError("Nothing can be chosen here: no disguised question of this version has options.")
    if len(variables) < least:
        raise EntryError(
            "Nothing can be chosen here: it takes two questions with answers to choose from, and there is one. "
            "Undisguised questions count after the version stops collecting."
        )
    return variables


def crossable(data: ReportData) -> tuple[list[tables.Variable], list[tuple[InputError, list[tables.Variable]]]]:
    """The questions of which there is some table, and the others by the reason; that reason where there is no table."""
    variables, refused = tables.split_by_use(data, choosable(data, 2))
    if not variables:
        raise EntryError(
            "No two questions of this version can be shown together: of each two fewer than {least} people were asked "
            "both, or gave every answer, or the disguise leaves too little.",
            least=data.least,
        )
    return variables, refused


class DrawnForm(forms.Form):
    """Which undisguised questions say how respondents were drawn; only those fields that a question could fill.

    Forms that ask for more name its fields in `field_order`.
    """

    field_order: Sequence[str] = ()
    not_offered: Sequence[tuple[str, Sequence[str]]] = ()  # why questions are not offered, each with their headings
    left_out_as = gettext_lazy("Questions that are not offered, and why")
    weights = forms.ChoiceField(label=gettext_lazy("Weights"), required=False)
    cluster = forms.ChoiceField(label=gettext_lazy("Clusters"), required=False)
    strata = forms.ChoiceField(label=gettext_lazy("Strata"), required=False)

    def offer(self, data: ReportData) -> None:
        """Fill in the choices of its fields from the data, and make a field for each share that may be known."""
        numbers, groups = sample_choice.questions_to_offer(data, report.language())
        for name, names in (("weights", numbers), ("cluster", groups), ("strata", groups)):
            if names:
                self.choose(**{name: [NOTHING, *names]})
            else:
                del self.fields[name]
        self._margins = sample_choice.questions_with_options(data, report.language())
        for question, _text, options in self._margins:
            for index, option in enumerate(options):
                self.fields[_margin(question, index)] = forms.DecimalField(
                    label=option, required=False, min_value=0, max_digits=12, decimal_places=4
                )

    def clean(self) -> dict[str, Any]:
        """Refuse a question of which some shares are filled in and some are not."""
        cleaned = super().clean() or {}
        for question, _text, options in self._margins:
            names = [_margin(question, index) for index in range(len(options))]
            lacking = [name for name in names if cleaned.get(name) is None and name not in self.errors]
            if lacking and len(lacking) < len(names):
                self.add_error(lacking[0], _("Give the share of this answer, too; 0 where nobody has it."))
        return cleaned

    def leave_out(self, refused: Sequence[tuple[InputError, Sequence[tables.Variable]]]) -> None:
        """Say of questions that are not offered why."""
        self.not_offered = [(sentence_of(why), [each.axis.heading for each in own]) for why, own in refused]

    def choose(self, **offered: Sequence[Any]) -> None:
        """Set what can be chosen in each of these fields."""
        for name, choices in offered.items():
            self.fields[name].choices = choices  # type: ignore[attr-defined]

    @property
    def fields_in_order(self) -> list[forms.BoundField]:
        return [self[name] for name in self.field_order]

    @property
    def sampling_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ("weights", "cluster", "strata") if name in self.fields]

    @property
    def margin_fields(self) -> list[tuple[str, list[forms.BoundField], bool]]:
        """Each question whose shares may be known, with a field for each option, and whether one is filled."""
        asked = [
            (text, [self[_margin(question, index)] for index in range(len(options))])
            for question, text, options in self._margins
        ]
        return [(text, fields, any(field.value() for field in fields)) for text, fields in asked]

    @property
    def knows_shares(self) -> bool:
        """Whether some question's known shares are filled in."""
        return any(filled for _text, _fields, filled in self.margin_fields)

    @property
    def is_drawn(self) -> bool:
        """Whether anything is chosen that says how respondents were drawn."""
        return self.knows_shares or any(field.value() for field in self.sampling_fields)

    def sampling(self) -> sample_choice.SampleColumns:
        shares = {
            question: [self.cleaned_data.get(_margin(question, index)) for index in range(len(options))]
            for question, _text, options in self._margins
        }
        margins = tuple(
            (question, tuple(format(one.normalize(), "f") for one in own if one is not None))
            for question, own in shares.items()
            if None not in own
        )
        names = {name: self.cleaned_data.get(name, "") for name in ("weights", "cluster", "strata")}
        return sample_choice.SampleColumns(**names, margins=margins)


class CrosstabForm(DrawnForm):
    """Which questions a table is of; as long as nothing is chosen the first two that there is a table of.

    Disguised ones come before undisguised ones. `instead` are the questions that go with the answer, where the chosen
    do not.
    """

    answer = forms.ChoiceField(label=gettext_lazy("How common is"))
    by = forms.ChoiceField(label=gettext_lazy("by"))
    also = forms.ChoiceField(label=gettext_lazy("and by"), required=False)

    field_order = ("answer", "by", "also")

    def __init__(self, query: QueryDict, data: ReportData) -> None:
        variables, refused = crossable(data)
        self._data, self._variables = data, sorted(variables, key=lambda variable: not variable.sensitive)
        begin = next(pair for pair in tables.pairs(variables) if tables.why_not_cross(data, *pair) is None)
        first = dict(zip(("answer", "by"), (each.axis.name for each in begin), strict=True))
        super().__init__({**first, **query.dict()})
        self.offer(data)
        self.leave_out(refused)
        disguised, everything = _choices(variables, (True,)), _choices(variables, (True, False))
        self.choose(answer=disguised, by=everything, also=[NOTHING, *everything])

    def instead(self) -> list[tuple[str, str]]:
        """The questions by which the chosen answer can be shown, each with the address of its table."""
        answer = next(variable for variable in self._variables if variable.axis.name == self.cleaned_data["answer"])
        others = [
            variable
            for variable in self._variables
            if variable is not answer and tables.why_not_cross(self._data, answer, variable) is None
        ]
        asked = [(each.axis.heading, {"answer": answer.axis.name, "by": each.axis.name}) for each in others]
        return [(heading, f"?{urlencode(query)}") for heading, query in asked]

    def part(self) -> TablePart:
        names = [name for name in (self.cleaned_data[field] for field in self.field_order) if name]
        return TablePart(tuple(names), self.sampling())


class RegressionForm(DrawnForm):
    """Which answer is to be explained, and by which other questions; the first two disguised ones to begin with."""

    answer = forms.ChoiceField(label=gettext_lazy("What goes with the answer"))
    on = forms.MultipleChoiceField(label=gettext_lazy("Explained by"), widget=forms.CheckboxSelectMultiple)
    together = forms.BooleanField(label=gettext_lazy("With two questions: also what both do together"), required=False)
    direct = forms.BooleanField(
        label=gettext_lazy("Let direct respondents differ (a term “direct”); otherwise all are treated alike"),
        required=False,
    )

    def __init__(self, query: QueryDict, data: ReportData) -> None:
        variables, refused = crossable(data)
        disguised = [variable.axis for variable in variables if variable.sensitive]
        # Of two answers the last is offered: the odds of the other one are its inverse.
        offered = [
            (f"{axis.name}.{index}", f"{axis.heading} {axis.labels[index]}")
            for axis in disguised
            for index in range(1 if len(axis.labels) == 2 else 0, len(axis.labels))
        ]
        begin = _pair_to_explain(data, variables, offered) if "answer" not in query else {}
        asked = {**query.dict(), "on": query.getlist("on")}
        # An address without "direct" is one of before there was the choice; its box is a field of a form that was sent.
        chosen = {"direct": query.get("direct", "" if "chosen" in query else "on")}
        super().__init__({**(asked if "answer" in query else begin), **chosen})
        self.offer(data)
        if not data.for_patterns.direct.any():
            del self.fields["direct"]
        self.leave_out(refused)
        self.choose(answer=offered, on=_choices(variables, (True, False)))

    def part(self) -> RegressionPart:
        answer, on, together = (self.cleaned_data[name] for name in ("answer", "on", "together"))
        apart = self.cleaned_data.get("direct", True)
        return RegressionPart(_answer(answer), tuple(on), together, apart, self.sampling())


class CompareForm(DrawnForm):
    """Two figures, each an answer and of whom; or one, in the groups of an undisguised question."""

    first = forms.ChoiceField(label=gettext_lazy("How common is"))
    among = forms.ChoiceField(label=gettext_lazy("among those with"), required=False)
    second = forms.ChoiceField(label=gettext_lazy("compared with"), required=False)
    second_among = forms.ChoiceField(label=gettext_lazy("among those with"), required=False)
    by = forms.ChoiceField(label=gettext_lazy("in groups by"), required=False)
    field_order = ("first", "among", "second", "second_among", "by")
    left_out_as = gettext_lazy("Questions that are shown of everybody alone, and why")

    def __init__(self, query: QueryDict, data: ReportData) -> None:
        variables = choosable(data, 1)
        crossed, refused = tables.split_by_use(data, variables)
        answers = _answers_to(variables)
        yes = {
            variable.axis.name: f"{variable.axis.name}.{informative_place(data.sealed.design, variable.axis.name)}"
            for variable in variables
            if variable.sensitive
        }
        able = (pair for pair in tables.pairs(crossed) if pair[1].sensitive)
        pair = next((pair for pair in able if tables.why_not_cross(data, *pair) is None), None)
        begin = {}
        if pair:
            first, given = (yes[each.axis.name] for each in pair)
            begin = {"first": first, "among": given, "second": first}
        elif len(yes) > 1:
            begin = dict(zip(("first", "second"), yes.values(), strict=False))
        super().__init__(query.dict() if "first" in query else begin)
        self.offer(data)
        self.leave_out(refused)
        among = [("", _("everybody")), *_answers_to(crossed)]
        groups = [(each.axis.name, each.axis.heading) for each in crossed if not each.sensitive]
        self.choose(first=answers, among=among, second=[NOTHING, *answers], second_among=among, by=[NOTHING, *groups])

    def part(self) -> ComparisonPart:
        first, among, second, second_among, by = (self.cleaned_data[name] for name in self.field_order)
        chosen = [(first, among), *([(second, second_among)] if second else [])]
        figures = tuple((_answer(one), Answer.parse(given)) for one, given in chosen)
        return ComparisonPart(figures, by, self.sampling())


class WeightedForm(DrawnForm):
    """How respondents were drawn; nothing else is asked."""

    def __init__(self, query: QueryDict, data: ReportData) -> None:
        super().__init__(query.dict())
        self.offer(data)

    def clean(self) -> dict[str, Any]:
        """Refuse a form in which nothing is chosen."""
        if not self.is_drawn:
            raise forms.ValidationError("")
        return super().clean() or {}

    def part(self) -> WeightedPart:
        return WeightedPart(self.sampling())


def informative_place(design: Design, name: str) -> int:
    """The place of an answer that tells something: the last of two, and else the first.

    “Prefer not to say” does not, nor does an answer of which a list has no word together with others.
    """
    options = design.items[design.column(name)].options
    alone = {
        block.items[place].options[code]
        for block in design.blocks
        for place, code in block.alone
        if block.items[place].id == name
    }
    informative = [index for index, option in enumerate(options) if option not in {SKIP, *alone}] or [0]
    return informative[-1] if len(options) == 2 else informative[0]


def _answers_to(variables: Sequence[tables.Variable]) -> list[tuple[str, str]]:
    """Each answer to the disguised ones of these questions, to be chosen."""
    return [
        (f"{variable.axis.name}.{index}", f"{variable.axis.heading} {label}")
        for variable in variables
        if variable.sensitive
        for index, label in enumerate(variable.axis.labels)
    ]


def _pair_to_explain(
    data: ReportData, variables: Sequence[tables.Variable], offered: Sequence[tuple[str, str]]
) -> dict[str, Any]:
    """The first answer, with a question that explains it, of which there is a regression; it tries a few pairs."""
    design = data.sealed.design

    def weakest(pair: tuple[tables.Variable, tables.Variable]) -> float:
        """The stronger disguise of a pair: with less of it there is more often a regression."""
        columns = [design.column(each.axis.name) for each in pair if each.sensitive]
        return -float(min(design.blocks[design.place(column)[0]].gamma for column in columns))

    able = [pair for pair in tables.pairs(variables) if tables.why_not_cross(data, *pair) is None]
    able = [*able[:1], *sorted(able[1:], key=weakest)][:PAIRS_TRIED]
    for answer, by in able:
        place = 1 if len(answer.axis.labels) == 2 else 0
        with suppress(InputError):
            regression.explain(data, answer, place, [by])
            return {"answer": f"{answer.axis.name}.{place}", "on": [by.axis.name]}
    return {"answer": offered[0][0], "on": [by.axis.name for _answer, by in able[:1]]} if offered else {}


def _margin(question: str, place: int) -> str:
    """The name of the field of an option's share."""
    return f"margin-{question}-{place}"


def _answer(chosen: str) -> Answer:
    """The answer that was chosen; a form offers no other text."""
    answer = Answer.parse(chosen)
    assert answer is not None
    return answer


def _choices(variables: Sequence[tables.Variable], kinds: Sequence[bool]) -> list[Any]:
    """The questions as groups of choices, one for each of `kinds`: disguised (True), undisguised (False)."""
    titles = {True: _("Disguised"), False: _("Undisguised")}
    groups = [
        (
            titles[kind],
            [(variable.axis.name, variable.axis.heading) for variable in variables if variable.sensitive is kind],
        )
        for kind in kinds
    ]
    return [group for group in groups if group[1]]
