"""How the respondents of a report were drawn: undisguised questions that hold their weights, clusters and strata, and
those of which the shares in the population are known.

Figures are then those of the population, with the errors of such a sample. The least number of respondents
that the survey reports on holds with weights, too: those of some people are worth as many respondents as would make
the same error alike (Kish 1965, section 11.7), and it is these that are counted.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from privacy.errors import EntryError, InputError, to_translate
from privacy.estimate.calibration import check_sum
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import OneDecidesError, Sampling
from privacy.output import format_count
from privacy.records import Records
from surveys.questions.coarse import Pooled, Span
from surveys.questions.question import ColumnKind
from surveys.results.reading import ReportData, columns_to_cross, values_of
from surveys.sentences import join_sentences
from surveys.shares import differ, many_enough, merge_counts

MARGIN = "margin "  # begins what a question with known shares is used for


@dataclass(frozen=True)
class SampleColumns:
    """The names of the undisguised columns that say how respondents were drawn; empty where none does.

    `margins` are columns with the share of each of their options, on any scale, as it was written.
    """

    weights: str = ""
    cluster: str = ""
    strata: str = ""
    margins: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def uses(self) -> dict[str, str]:
        """What columns are used for, each with the column's name."""
        drawn = {"weights": self.weights, "cluster": self.cluster, "strata": self.strata}
        return {use: name for use, name in drawn.items() if name} | {
            f"{MARGIN}{name}": name for name, _ in self.margins
        }


def questions_to_offer(data: ReportData, language: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Names and texts of two lists of questions: those that may hold weights, and those for clusters or strata."""
    columns = columns_to_cross(data.version) if data.answers is not None else {}
    spoken = data.language(language)
    numbers = [(column.name, column.title(spoken)) for column in columns.values() if column.kind is ColumnKind.NUMBER]
    return numbers, [(column.name, column.title(spoken)) for column in columns.values()]


def questions_with_options(data: ReportData, language: str) -> list[tuple[str, str, list[str]]]:
    """Name, text and options of the questions whose shares in the population may be known."""
    columns = columns_to_cross(data.version) if data.answers is not None else {}
    spoken = data.language(language)
    return [
        (column.name, column.title(spoken), [value.label.get(spoken) or value.value for value in column.values])
        for column in columns.values()
        if column.kind is ColumnKind.CHOICE
    ]


def weigh(data: ReportData, drawn: SampleColumns, language: str) -> ReportData:
    """The data of those who answered these questions, with their sampling; EntryError if they cannot be used."""
    if drawn == SampleColumns():
        return data
    data.check_open(to_translate("Weights, clusters and strata can be used after this version stops collecting."))
    assert data.answers is not None
    asked, shares = drawn.uses, dict(drawn.margins)
    columns = columns_to_cross(data.version)
    for use, name in asked.items():
        strange = name not in columns or (use == "weights" and columns[name].kind is not ColumnKind.NUMBER)
        if strange or (use.startswith(MARGIN) and len(columns[name].values) != len(shares[name])):
            raise EntryError("“{name}” is not an undisguised question that can describe the sample.", name=name)
    # Sums over those who answered one undisguised question, by another one, tell of the few who skipped either.
    crosses = data.columns_to_group >= set(asked.values())
    if len(asked) > 1 and not crosses:
        spoken = data.language(language)
        able = [column.title(spoken) for name, column in columns.items() if name in data.columns_to_group]
        if len(able) < 2:
            raise EntryError(
                "Use one of these questions, or the files: of any two undisguised questions, fewer than {least} people "
                "gave some combination of answers, which would reveal single people's.",
                least=data.least,
            )
        raise EntryError(
            "Use one of these questions, or the files. Together only these can be used here, because {least} people or "
            "more gave each combination of answers to them: {names}.",
            least=data.least,
            names="; ".join(f"“{title}”" for title in able),
        )
    values = {use: values_of(columns[name], data.answers) for use, name in asked.items()}
    # A sum of weights tells whose true answer is in it, so those who answered directly are in none.
    disguised = ~data.sealed.direct
    kept = np.all([[value is not None for value in own] for own in values.values()], axis=0) & disguised
    if kept.sum() < data.least:
        raise EntryError("Fewer than {least} people said how they were drawn, too few to report on.", least=data.least)
    texts = {use: columns[name].title(data.language(language)) for use, name in asked.items()}
    known = {
        use: {value.value: float(share) for value, share in zip(columns[name].values, shares[name], strict=True)}
        for use, name in asked.items()
        if use.startswith(MARGIN)
    }
    sampling = _sampling({use: own[kept] for use, own in values.items()}, known, texts, data.least)
    weighed = replace(
        data,
        sealed=Records(data.sealed.design, data.sealed.codes[kept], data.sealed.direct[kept]),
        answers=data.answers.select(kept),
        sampling=sampling,
        may_group=data.columns_to_group if crosses else frozenset(),
    )
    worth = int(weighed.worth(np.ones(weighed.n, bool))[0])
    if worth < data.least:
        raise _worth_too_little(data.least)
    # Rounded: with shares of nearly 0 and 1 weights are worth as many as gave some answers, rare ones among them.
    unit = 10 ** max(len(str(worth)) - 2, 1)
    numbers = {"worth": format_count(worth // unit * unit), "least": format_count(data.least)}
    left_out, direct = int(disguised.sum()) - weighed.n, int((~disguised).sum())
    return replace(weighed, drawn=_caption(texts, left_out, direct, numbers, coarse=data.version.is_coarse))


def _sampling(
    given: dict[str, np.ndarray], known: dict[str, dict[str, float]], texts: dict[str, str], least: int
) -> Sampling:
    """Make the sampling; clusters, strata and answers with known shares of under `least` people join their neighbours.

    Otherwise the degrees of freedom would show how many answers were given, and so one that few gave.
    """
    columns: dict[str, np.ndarray] = {}
    margins: dict[str, dict[str, float]] = {}
    for use, own in given.items():
        if use in known:
            options = list(known[use])
            codes = np.array([len(options) if isinstance(value, Pooled) else options.index(value) for value in own])
            counts = np.bincount(codes, minlength=len(options) + 1)
        else:
            values, codes, counts = np.unique(own, return_inverse=True, return_counts=True)
        if use == "weights":
            if any(isinstance(value, Span) and value.number is None for value in values):
                raise EntryError(
                    "Weights of “{question}” can be used here where {least} people or more gave each of them, as "
                    "whole numbers up to the ends of the question. Use the files for other weights.",
                    question=texts[use],
                    least=least,
                )
            columns[use] = own.astype(float)
            if float(values[0]) < 0:
                raise EntryError(
                    "“{question}” was answered with negative numbers; they cannot be weights.", question=texts[use]
                )
            if not differ(counts, least):
                raise EntryError(
                    "Nearly everybody gave the same answer to “{question}”, so it does not describe the sample.",
                    question=texts[use],
                )
            continue
        if use in known:  # as tables have them: two ways to join answers, subtracted, would tell of a rare one
            shown = np.append(many_enough(counts[:-1], least, counts[-1]), False)
            group_of = np.where(shown, np.cumsum(shown) - 1, shown.sum())
        else:
            firsts = [first for first, _end in merge_counts(counts, least)]
            group_of = np.searchsorted(firsts, np.arange(len(counts)), side="right") - 1
        if group_of[counts > 0].max() < 1:
            raise EntryError(
                "Fewer than {least} people gave all answers but one to “{question}”, too few to report on.",
                least=least,
                question=texts[use],
            )
        columns[use] = group_of[codes].astype(str).astype(object)
        if use in known:
            sums = np.bincount(group_of[:-1], list(known[use].values()))
            if not sums.min() > 0:
                raise EntryError("An answer to “{question}” that people gave has the share 0.", question=texts[use])
            check_sum(float(sums.sum()), f"“{texts[use]}”")
            margins[use] = {str(index): share for index, share in enumerate(sums / sums.sum())}
    named: dict[str, Any] = {use: use for use in given if use not in known}
    rows = len(next(iter(given.values())))
    try:
        return Sampling.from_columns(columns, rows, Sample(**named, margins={"margins": margins} if margins else None))
    except EntryError:
        raise
    except OneDecidesError:  # with the sentence of all who are worth too little: it does not say how much one counts
        raise _worth_too_little(least) from None
    except InputError:  # what its sentence names are the columns made here
        if not margins:
            raise
        raise EntryError("No weights above 0 meet all of these shares together; leave one of them out.") from None


def _worth_too_little(least: int) -> EntryError:
    return EntryError(
        "These weights are worth fewer than {least} respondents drawn alike; nothing is reported about so few.",
        least=least,
    )


def _caption(texts: dict[str, str], left_out: int, direct: int, numbers: dict[str, str], *, coarse: bool) -> str:
    """The sentences that say how respondents were drawn, and who is left out."""
    said = {
        "weights": _("Weighted by “%(question)s”."),
        "cluster": _("Drawn in clusters by “%(question)s”; those of fewer than %(least)s people are joined."),
        "strata": _("Drawn from strata by “%(question)s”; those of fewer than %(least)s people are joined."),
    }
    margin = _(
        "Weights meet the known shares of “%(question)s”, where answers of fewer than %(least)s people are joined."
    )
    sentences = [said.get(use, margin) % {"question": text, **numbers} for use, text in texts.items()]
    if not texts.keys() <= {"cluster", "strata"}:
        sentences.append(_("The weights are worth %(worth)s respondents drawn alike.") % numbers)
    if coarse and "weights" in texts:  # said always: whether there were any would tell of a rare answer
        sentences.append(
            _(
                "A weight that few people gave counts as the nearest one that enough gave; so do people without a "
                "weight, where they are few."
            )
        )
    if left_out:
        sentences.append(
            _("%(count)s people who did not answer this are left out.") % {"count": format_count(left_out)}
        )
    if direct:
        sentences.append(_("%(count)s people who answered directly are left out.") % {"count": format_count(direct)})
    return join_sentences(sentences)
