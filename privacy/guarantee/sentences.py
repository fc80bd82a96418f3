"""The sentences about a design: what becomes of one answer, and what all answers together can tell."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil

from privacy.design import Block, Design, gammas
from privacy.design.block import Explained, Partly
from privacy.design.by_person import explain_presses
from privacy.design.gammas import Gamma
from privacy.design.sentences import BELIEVED, TOGETHER, Said, say_odds
from privacy.errors import to_translate
from privacy.guarantee.bounds import posterior_bound

_PRIOR = Fraction(1, 20)
_CHANGES = to_translate("Your device may change your answers before it sends them.")
_SOME = to_translate("For {count} of your answers:")
_OTHERS = to_translate("The other answers, taken alone:")
_SO = Said(to_translate("So nobody can be certain of any of these answers."), {})
_SO_ALONE = Said(to_translate("Nobody who sees only these can be sure that you gave one of them."), {})
_MORE = Said(to_translate("All answers together reveal more than one alone."), {})
_WEAK = Said(to_translate("The disguise here is weak: someone could become practically sure of your answers."), {})


def explain(design: Design) -> list[Said]:
    """Say in frequencies what one answer tells and what all of them tell together, for the answers hidden least.

    Where a kind leaves some answers open, what all tell together is said of those that it hides, because an undisguised
    answer to one question may tell of another. For the same reason nobody can then promise of the other answers that
    all stored ones leave them hidden; the blocks that hide every answer have sentences of their own, taken alone.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> [said.sentence for said in explain(design)][0]
    'Your device may change your answers before it sends them.'
    """
    kinds: dict[Callable[[Sequence[Block]], Explained], list[Block]] = {}
    for block in design.blocks:
        kinds.setdefault(explain_presses if block.draw else block.kind.words.explain, []).append(block)
    changes = any(block.kind.words.changes and not block.draw for block in design.blocks)
    said = [Said(_CHANGES, {})] if changes else []
    alike = [one for explain_alike, blocks in kinds.items() for one in explain_alike(blocks)]
    for blocks, sentences in alike:
        if len(alike) > 1:
            said.append(Said(_SOME, {"count": _count_asked(blocks)}))
        said += sentences
    partly = _partly(design)
    whole = [block for block in design.blocks if block.odds == block.gamma]
    said += _say_together(partly[0].together, design.blocks, design.odds) if partly else []
    if whole:
        said += [Said(_OTHERS, {})] if partly else []
        of_them = _say_together(TOGETHER, whole, gammas.product(block.gamma for block in whole))
        # What follows for every answer is not said where all of them give it away.
        said += of_them if _WEAK in of_them else [_SO_ALONE if partly else _SO, *of_them]
    return said


def sentence_in_chances(design: Design) -> str:
    """Find the sentence that says in chances what all answers together tell.

    In English, with places for its values.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> " ".join(sentence_in_chances(design).split()[:3])
    'If someone is'
    """
    partly = _partly(design)
    return partly[0].believed if partly else BELIEVED


def advice(design: Design) -> list[str]:
    """Advise a researcher whose design exceeds the site's limit: name the answers whose odds grow most.

    One English sentence for each kind of block whose odds are the largest.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> [one[:40] for one in advice(design)]
    ['γ is above this site’s limit of {limit}.']
    """
    most = max(block.odds for block in design.blocks)
    return list(dict.fromkeys(block.kind.words.advice for block in design.blocks if block.odds == most))


def notes(design: Design) -> list[str]:
    """List the notes that a table of γ and odds needs for the kinds of block in it.

    None where the odds of every block are its γ.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> notes(design)
    []
    """
    return list(dict.fromkeys(partly.note for partly in _partly(design)))


def _partly(design: Design) -> list[Partly]:
    """The sentences of each kind about blocks that leave an answer open."""
    words = [block.kind.words.partly for block in design.blocks if block.odds != block.gamma]
    return [partly for partly in words if partly]


def _say_together(sentence: str, blocks: Sequence[Block], odds: Gamma) -> list[Said]:
    """Say what all answers together can tell; single answers have been explained before."""
    if odds == math.inf or ceil(100 * posterior_bound(_PRIOR, odds)) == 100:
        return [_WEAK]
    return [_MORE, say_odds(sentence, Fraction(odds))] if _count_asked(blocks) > 1 else []


def _count_asked(blocks: Sequence[Block]) -> int:
    return sum(block.items_per_person for block in blocks)
