"""The design of a second wave, from the records of the first."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from privacy.arrays import Floats
from privacy.design import Design
from privacy.design.design import require_design
from privacy.errors import InputError
from privacy.options import check_arguments, tables
from privacy.plan.request import supports_in
from privacy.reconstruct.words_sent import ShownWords, list_in, places_of_words
from privacy.records import Records
from privacy.records.records import design_of


@check_arguments(tables.WAVE)
def wave(
    records: Records | Mapping[str, Any],
    respondents: int,
    *,
    top: int = 32,
    both: Collection[str] = (),
    alone: str | None = None,
    design: Design | None = None,
) -> Design:
    """Make the design of a second wave: a list of the itemsets that the first wave makes likely.

    The first wave asks some people, three in ten perhaps, by a list of single answers (`candor.models.one_of`, with a
    cap of 2 to 4), and the second asks others. Nobody may answer both, for two records of one person multiply γ.
    `candor.likeliest` then reads the records of both.

    Parameters
    ----------
    records : Records, or mapping with `design`
        Of the first wave. Where only its figures are known, the JSON of `candor.reconstruct`: the support and the error
        of each single answer are all that is read of it.
    respondents : int
        How many people will answer in the second wave.
    top : int
        How many itemsets are to be found. The list has twice as many, of up to three answers, or three times where many
        more may be among them.
    both : collection of str, optional
        Words of the first list, such as ``"drugs"``, that the second has whatever the first shows. Name them before the
        first wave: `candor.likeliest` may then tell them by both.
    alone : str, optional
        An option, such as "prefer not to say", that the list leaves out: people who skip one question skip others, too,
        and sets of what they skipped tell nothing. A word of `both` stays.
    design : Design, optional
        That of the first wave, for its JSON. Its γ is that of the second.

    Returns
    -------
    Design
        One list of words, of the questions that they need. Nobody may answer directly.

    Raises
    ------
    InputError
        Where the records are of no list of words, or people answered directly, or the list has no such word or option.

    Examples
    --------
    >>> import candor, numpy as np, pandas as pd
    >>> drawn = np.random.default_rng(1).random((20_000, 5)) < [0.2, 0.15, 0.1, 0.05, 0.02]
    >>> people = pd.DataFrame(drawn, columns=list("abcde"))
    >>> first = candor.models.one_of(list("abcde"), gamma=19, cap=2, direct=False)
    >>> design = candor.wave(candor.disguise(people[:6_000], first, seed=7), respondents=14_000, top=4)
    >>> [word["word"] for word in design.to_json()["blocks"][0]["words"]]
    ['a', 'b', 'c', 'a,b', 'd', 'a,c', 'b,c', 'a,d']
    """
    tables.WAVE.check({"respondents": respondents, "top": top})
    if isinstance(records, Mapping):
        _, words = list_in(require_design(design), "design")
        figures = _figures_in(records, [answers for answers, _ in words.words])
    else:
        design_of(records, design)
        shown = ShownWords.from_records(records, "records")
        words, figures = shown.words, shown.words.likely(shown.counts())
    fixed = places_of_words(words, both, "both")
    if alone is not None:
        left = [any(one.partition("=")[2] == alone for one in answers) for answers, _ in words.words]
        if not any(left):
            raise InputError(f"alone: {alone!r} is an option of no word of the first list.")
        figures[0][left] = np.nan
        if np.isnan(figures[0]).all():
            raise InputError(f"alone: {alone!r} leaves no word of the first list.")
    return Design((words.next_list(figures, respondents, top, fixed),), direct=False)


def _figures_in(report: Mapping[str, Any], words: Sequence[tuple[str, ...]]) -> tuple[Floats, Floats]:
    """The supports of words of one answer in a report, and their errors; of longer words none."""
    known = supports_in(report)
    made = np.full((2, len(words)), np.nan)
    for place, answers in enumerate(words):
        if len(answers) == 1:
            support, error = known.get(answers[0], (None, None))
            if support is None and answers[0].startswith("!") and answers[0][1:] in known:
                yes, error = known[answers[0][1:]]
                support = 1 - yes
            if support is None or not error:
                raise InputError(f"report: it has no support of {answers[0]!r} with an error.")
            made[:, place] = support, error
    return made[0], made[1]
