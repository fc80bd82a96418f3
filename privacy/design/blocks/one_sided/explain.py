"""The sentences about one-sided blocks: which answer is not hidden, and how often it comes as the other one."""

from collections.abc import Sequence
from fractions import Fraction

from privacy.design import sentences
from privacy.design.block import Explained, Partly, Words
from privacy.design.blocks.one_sided.design import OneSidedBlock, harmless_of
from privacy.design.rationals import ONE
from privacy.design.sentences import Said, pair_shares
from privacy.errors import to_translate

_NAMES = {  # which answer is not hidden and which is, by the harmless one
    "0": (sentences.NO, sentences.YES),
    "1": (sentences.YES, sentences.NO),
}
_OPEN = to_translate("“{open}” is not hidden here: a stored “{open}” is true.")
_SO = to_translate(
    "Every true “{hidden}” is stored as “{hidden}”. So one stored “{hidden}” alone does not show that you gave it."
)
_TOGETHER = to_translate(
    "Take the questions where one answer is not hidden. Say half of a crowd would give only such answers, and half "
    "would not. Take {of} people in it with the same stored answers. Up to {most} would give a hidden answer at least "
    "once. At least {some} would not."
)
_BELIEVED = to_translate(
    "Harmless answers are not hidden: a stored one is true. If someone is {prior} % sure that a respondent gave a "
    "hidden answer at least once, the disguised answers cannot make them surer than {posterior} %."
)
_NOTE = (
    "Where gamma is infinite and the odds are not, the promise is one-sided: a harmless answer in a record is "
    "true.\n"
    "The odds that somebody gave another answer, against only harmless ones, grow at most by the odds named here, "
    "and\n"
    "the last column says how sure somebody can become who thought it that likely."
)
_ADVICE = to_translate(
    "The odds of what is hidden can grow more than this site’s limit of {limit} times. Disguise more (turn more "
    "harmless answers), or ask fewer questions: the odds are multiplied with each of them."
)


def _explain(blocks: Sequence[OneSidedBlock]) -> Explained:
    """Which answer is not hidden, unless it is never stored, and how often it comes as the other one."""
    said: list[Said] = []
    for harmless, (open_, hidden) in _NAMES.items():
        turned = [block.turned for block in blocks for item in block.items if harmless_of(item) == harmless]
        if turned:
            names = {"open": open_, "hidden": hidden}
            text = (sentences.STORED, {"said": open_, "stored": hidden})
            (becomes,) = pair_shares([text], [(Fraction(share, ONE),) for share in turned])
            said += [Said(_OPEN, names)] if min(turned) < ONE else []
            said += [becomes, *([Said(_SO, names)] if becomes.figures["some"] else ())]
    return [(blocks, said)]


WORDS = Words(_ADVICE, _explain, Partly(_TOGETHER, _BELIEVED, _NOTE))
