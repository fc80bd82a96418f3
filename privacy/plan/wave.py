"""The design of a second wave, from the records of the first."""

from privacy.design import Design
from privacy.options import check_arguments, tables
from privacy.reconstruct.shown_words import ShownWords
from privacy.records import Records


@check_arguments(tables.WAVE)
def wave(records: Records, respondents: int, *, top: int = 32) -> Design:
    """Make the design of a second wave: a list of the itemsets that the first wave makes likely.

    The first wave asks some people, three in ten perhaps, by a list of single answers (`candor.models.one_of`, with a
    cap of 2 to 4), and the second asks others. Nobody may answer both, for two records of one person multiply γ.
    `candor.likeliest` then reads the records of both.

    Parameters
    ----------
    records : Records
        Of the first wave. Its γ is that of the second.
    respondents : int
        How many people will answer in the second wave.
    top : int
        How many itemsets are to be found; the list has twice as many, of up to three answers.

    Returns
    -------
    Design
        One list of words, of the questions that they need. Nobody may answer directly.

    Raises
    ------
    InputError
        Where the records are of no list of words, or people answered directly.

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
    shown = ShownWords.of(records, "records")
    return Design((shown.words.next_block(shown.counts(), respondents, top),), direct=False)
