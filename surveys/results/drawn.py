"""How the respondents of a report were drawn: undisguised questions that hold their weights, clusters and strata.

Figures are then those of the population, with the errors of such a sample. The least number of respondents
that the survey reports on holds with weights, too: those of some people are worth as many respondents as would make
the same error alike (Kish 1965, section 11.7), and it is these that are counted.
"""

from dataclasses import dataclass, replace

import numpy as np
from django.utils.translation import gettext as _

from privacy.errors import EntryError, to_translate
from privacy.reconstruct.sampling import Sampling
from privacy.records import Records
from surveys.questions.columns import ColumnKind
from surveys.results.reading import Data, columns_to_cross, values_of
from surveys.sentences import join_sentences
from surveys.shares import differ, merge_counts


@dataclass(frozen=True)
class Drawn:
    """The names of the undisguised columns that say how respondents were drawn; empty where none does."""

    weights: str = ""
    cluster: str = ""
    strata: str = ""


def questions_to_offer(data: Data, language: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Names and texts of the questions that may hold weights, and of those that may hold clusters or strata."""
    columns = columns_to_cross(data.version) if data.answers is not None else {}
    spoken = data.language(language)
    numbers = [(each.name, each.title(spoken)) for each in columns.values() if each.kind is ColumnKind.NUMBER]
    return numbers, [(each.name, each.title(spoken)) for each in columns.values()]


def weigh(data: Data, drawn: Drawn, language: str) -> Data:
    """Return the data of people who answered the questions on sampling; EntryError if these cannot be used."""
    if drawn == Drawn():
        return data
    data.check_open(to_translate("Weights, clusters and strata can be used after this version stops collecting."))
    assert data.answers is not None
    asked = {use: name for use, name in vars(drawn).items() if name}
    columns = columns_to_cross(data.version)
    for use, name in asked.items():
        if name not in columns or (use == "weights" and columns[name].kind is not ColumnKind.NUMBER):
            raise EntryError("“{name}” is not an undisguised question that can describe the sample.", name=name)
    # Sums over those who answered one undisguised question, by another one, tell of the few who skipped either.
    crosses = data.columns_to_group >= set(asked.values())
    if len(asked) > 1 and not crosses:
        raise EntryError(
            "Fewer than {least} people gave some combination of these answers, so weights, clusters and strata "
            "together would reveal single people's answers. Use one of them, or the files.",
            least=data.least,
        )
    values = {use: values_of(columns[name], data.answers) for use, name in asked.items()}
    # A sum of weights tells whose true answer is in it, so those who answered directly are in none.
    disguised = ~data.sealed.direct
    kept = np.all([[value is not None for value in own] for own in values.values()], axis=0) & disguised
    if kept.sum() < data.least:
        raise EntryError("Fewer than {least} people said how they were drawn, too few to report on.", least=data.least)
    texts = {use: columns[name].title(data.language(language)) for use, name in asked.items()}
    sampling = _sampling({use: own[kept] for use, own in values.items()}, texts, data.least)
    weighed = replace(
        data,
        sealed=Records(data.sealed.design, data.sealed.codes[kept], data.sealed.direct[kept]),
        answers=data.answers.select(kept),
        sampling=sampling,
        may_group=data.columns_to_group if crosses else frozenset(),
    )
    worth = int(weighed.worth(np.ones(weighed.n, bool))[0])
    if worth < data.least:
        raise EntryError(
            "These weights are worth {worth} respondents drawn alike; nothing is reported about fewer than {least}.",
            worth=worth,
            least=data.least,
        )
    numbers = {"worth": worth, "least": data.least}
    return replace(weighed, drawn=_caption(texts, int(disguised.sum()) - weighed.n, int((~disguised).sum()), numbers))


def _sampling(given: dict[str, np.ndarray], texts: dict[str, str], least: int) -> Sampling:
    """Clusters and strata of fewer than `least` people are one with their neighbours.

    Else the degrees of freedom would tell how many answers were given, and so of one that few gave.
    """
    columns: dict[str, np.ndarray] = {}
    for use, own in given.items():
        values, codes, counts = np.unique(own, return_inverse=True, return_counts=True)
        if use == "weights":
            columns[use] = own.astype(float)
            if values[0] < 0:
                raise EntryError(
                    "“{question}” was answered with negative numbers; they cannot be weights.", question=texts[use]
                )
            if not differ(counts, least):
                raise EntryError(
                    "Nearly everybody gave the same answer to “{question}”, so it does not describe the sample.",
                    question=texts[use],
                )
            continue
        firsts = [first for first, _end in merge_counts(counts, least)]
        if len(firsts) < 2:
            raise EntryError(
                "Fewer than {least} people gave all answers but one to “{question}”, too few to report on.",
                least=least,
                question=texts[use],
            )
        columns[use] = np.searchsorted(firsts, codes, side="right").astype(str).astype(object)
    return Sampling.from_columns(columns, len(next(iter(given.values()))), **{use: use for use in given})


def _caption(texts: dict[str, str], left_out: int, direct: int, numbers: dict[str, int]) -> str:
    """The sentences of a caption."""
    said = {
        "weights": _("Weighted by “%(question)s”; the weights are worth %(worth)s respondents drawn alike."),
        "cluster": _("Drawn in clusters by “%(question)s”; those of fewer than %(least)s people are joined."),
        "strata": _("Drawn from strata by “%(question)s”; those of fewer than %(least)s people are joined."),
    }
    sentences = [said[use] % {"question": text, **numbers} for use, text in texts.items()]
    if left_out:
        sentences.append(_("%(count)s people who did not answer this are left out.") % {"count": left_out})
    if direct:
        sentences.append(_("%(count)s people who answered directly are left out.") % {"count": direct})
    return join_sentences(sentences)
