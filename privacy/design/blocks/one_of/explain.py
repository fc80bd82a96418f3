"""The sentences that respondents read about one-of blocks: how often a word comes from those of whom it is not true."""

from collections.abc import Sequence
from fractions import Fraction

from privacy.design.block import Explained, RowWords, Words
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.rationals import ONE
from privacy.design.sentences import Said, pair_shares
from privacy.errors import to_translate

_ONE_MESSAGE = to_translate(
    "You answer {count} sensitive questions. Your device sends one short message about them, or none. The message can "
    "be made up by chance."
)
_TOGETHER = to_translate("A message may name {most} answers together.")
_LEAST = to_translate("Such a message means: at least {least} of these.")
_INSTEAD = to_translate("A message is the number of a group of words. Each word is in many groups.")
_SENT = to_translate(
    "Of {of} people who have nothing to tell, about {some} still send a message. So a message may come from anybody."
)
_NOTHING = to_translate("Of {of} people who have something to tell, {some} or more send none.")


def _explain(blocks: Sequence[OneOfBlock], *instead: Said) -> Explained:
    """Of each list, how many without an own word send one, and how many with own words send none, whatever is true."""
    return [([block], _explain_list(block, *instead)) for block in blocks]


def _explain_list(block: OneOfBlock, *instead: Said) -> list[Said]:
    sent = pair_shares([(_SENT, {})], [[Fraction(ONE - block.blank, ONE)]])
    nothing = pair_shares([(_NOTHING, {})], [[Fraction(block.blank - block.cap, ONE)]])
    most = block.lengths[-1]
    together = [Said(_TOGETHER, {"most": most})] if most > 1 else []
    least = {word.least for word in block.words if word.least and len(word.parts) == most}
    together += [Said(_LEAST, {"least": one}) for one in least]
    return [Said(_ONE_MESSAGE, {"count": len(block.items)}), *together, *instead, *sent, *nothing]


_ADVICE = to_translate(
    "γ is above this site’s limit of {limit}. Disguise more: take a smaller γ for the list, or a smaller cap."
)
_ROW = RowWords(
    about=to_translate(
        "A row shows one short message, or none: the answers that it names, and in all other columns of the list the "
        "harmless answers, which say nothing of the person. Harmless answers in all of them: none was sent. More "
        "answers than any word of the list names: the message of people with many such answers."
    ),
    sent=to_translate("Each device sends one short message, or none."),
    limit=to_translate(
        "Each person’s device sends one short message, or none. People answer all sensitive questions, but no row of "
        "your file holds more than one message. Only many rows together tell something, and regressions of these "
        "answers are not possible. Ranges of the report may reach further up than down: they allow for people with "
        "many such answers."
    ),
    names_answers=True,
)
_GROUP_ROW = RowWords(
    about=to_translate(
        "A row shows the number of one group of words, and its columns are no answers: docs/formats.md says how it is "
        "written and which words a group has. Harmless answers in all of them: nothing was sent. The largest number: "
        "the word of people with many answers that are not harmless."
    ),
    sent=to_translate("Each device sends the number of a group of words."),
    limit=to_translate(
        "Each person’s device sends the number of a group of words, for there are many. People answer all sensitive "
        "questions, but no row of your file says what a person answered. Only many rows together tell something, and "
        "tables and regressions of these answers are not possible. Ranges of the report may reach further up than "
        "down: they allow for people with many such answers."
    ),
    names_answers=False,
)
WORDS = Words(_ADVICE, _explain, row=_ROW, changes=False)
GROUP_WORDS = Words(_ADVICE, lambda blocks: _explain(blocks, Said(_INSTEAD, {})), row=_GROUP_ROW, changes=False)
