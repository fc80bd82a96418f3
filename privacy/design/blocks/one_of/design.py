"""A one-of block: everybody answers all its items, and the device sends one word of a public list, or nothing.

A *word* is a telling answer to one item, or a set of such answers to several. Every item has one *harmless* answer, and
all others are telling. A person's own words are those that are true of them. A word is sent with its chance `base` by
those of whom it is not true, and with its chance `own` by those of whom it is; what own words add to their base
chances, all together, is at most the `cap`. A person above the cap has what each own word adds scaled by the same
share a. What is left is the chance that nothing is sent.

    a = 1 where Σ added ≤ cap, else a = (cap − e)/Σ added,   e = Σ lost over own words
    P(y | x) = base_y + a·added_y for own words, base_y for the others

A *loss word* measures what is lost above the cap. Of length 0 it measures (1 − a) − r·a where that is above 0, with
the `spare` r: then the loss E[(1 − a)·1] of a figure E[1] is at most r·E[a·1] and the mean of the loss word. Of another
length it measures what own words of this length lose, all together:

    P(loss word | x) = base + lost·max(0, 1 − (1 + r)·a),   lost = added/full, or the sum over own words of
                       added/full · added_y/(the most that a word of this length adds)

up to its `own` chance; `full` is what makes it certain. e = Σ lost·(1 − …) keeps the cap for all words together.

The blank lies between what is left of 1 over all base chances, and that without the cap; each word between base and
own. Each quotient of chances of one output is at most the largest of those quotients, which is γ. With harmless answers
in place of all others, padding and sampling (Wang, Li and Jha 2018) and subset selection (Ye and Barg 2018) are near
relatives; each own word has a chance of its own here, and is never drawn evenly among a person's own words.

A record shows the word as answers: its own ones as they are, harmless ones elsewhere; a loss word as telling answers to
all items, or to all but one, which is no word. Those who answer directly send all their answers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from privacy.design import reading
from privacy.design.block import Explained, RowWords, Words
from privacy.design.blocks.one_of.listed_words import LossWord, Part, Word
from privacy.design.blocks.one_of.sent_words import CHANCES_AT_ONCE, SCALE, SentWords
from privacy.design.draws import Take
from privacy.design.fields import YES_NO
from privacy.design.items import Item
from privacy.design.notation import Entry, Notation, read_bare_item, write_item
from privacy.design.rationals import ONE
from privacy.design.sentences import Said, pair_shares
from privacy.errors import EntryError, InputError, to_translate

MOST_WORDS = 2**14
ALONE = "alone"  # what names the answer to an item that no word has beside others
_LEAST_FULL = Fraction(1, 100)  # with the most words, sums of what they lose are whole in the browser's floats
_ROUNDED = 2  # of a cap and of two chances in decimals
_FOLLOW = ("parts", "lost", "kept")  # what the exact notation says beside: the browser reads it


@dataclass(frozen=True)
class OneOfBlock(SentWords):
    """The block as it is read, checked and written."""

    mark: ClassVar[str] = "one-of"
    more: ClassVar[tuple[str, ...]] = ()  # whole numbers that its JSON has beside
    symbols: ClassVar[Mapping[str, str]] = {"one-of": "cap", "losses": "loss words"}

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation) -> "OneOfBlock":
        reading.only_keys(entry, (cls.mark, "items", "words", "losses", *cls.more), where)
        cap = notation.share(entry, cls.mark, where)
        items, harmless = read_harmless_items(entry, where)
        listed, answers = reading.read_filled_list(entry, "words", where), answers_of(items)
        check_count(len(listed), f"{where}.words")
        words = tuple(
            _read_word(word, answers, f"{where}.words[{number}]", notation) for number, word in enumerate(listed)
        )
        listed_losses = enumerate(reading.items(entry.get("losses", []), f"{where}.losses"))
        losses = tuple(_read_loss(loss, f"{where}.losses[{number}]", notation) for number, loss in listed_losses)
        made = cls(items, harmless, words, cap, losses, *(reading.whole_number(entry, key, where) for key in cls.more))
        for key in ("words", "losses") if notation.exact else ():
            for own, follows in zip(entry.get(key, ()), made.entry(notation).get(key, ()), strict=True):
                if any(own.get(name) != follows.get(name) for name in _FOLLOW):
                    raise InputError(f"{where}.{key}: parts, lost and kept are not those that follow from the words.")
        return made

    def check(self, where: str, direct: bool) -> None:
        del direct
        seen: set[tuple[Part, ...]] = set()
        for number, word in enumerate(self.words):
            self._check_word(word, f"{where}.words[{number}]")
            if word.parts in seen:
                raise EntryError("the word {word} stands twice.", at=f"{where}.words[{number}]", word=self.text(word))
            seen.add(word.parts)
        if unnamed := {*range(len(self.items))} - {place for word in self.words for place, _ in word.parts}:
            raise EntryError(
                "no word speaks of {item}; leave it out, or add a word.",
                at=f"{where}.words",
                item=repr(self.items[min(unnamed)].id),
            )
        lengths = [loss.length for loss in self.losses]
        for number, loss in enumerate(self.losses):
            place = f"{where}.losses[{number}]"
            if loss.length not in (0, *self.lengths) or lengths.count(loss.length) > 1:
                raise EntryError(
                    "the length {length} is that of no word, or stands twice.", at=place, length=loss.length
                )
            _check_chances(loss.base, loss.own, place)
            if self.least_effect(loss) < 1:
                raise EntryError("full is {full:g}: the loss word measures nothing.", at=place, full=float(loss.full))
            if loss.spare and (not 0 < loss.spare <= 1 or loss.length or len(self.losses) > 1):
                raise EntryError(
                    "spare is {spare:g}; only a loss word of length 0 that is alone has one, from 0 to 1.",
                    at=place,
                    spare=float(loss.spare),
                )
        self._check_thresholds(where)
        self.check_records(where)
        most = max(int(self.at_once.max()), sum(loss.added for loss in self.losses))
        if not most <= self.cap:
            raise EntryError(
                "the cap is below what one word, or all loss words, add: {most:g}.",
                at=f"{where}.{self.mark}",
                most=most / ONE,
            )
        if not self.blank > self.cap:
            raise EntryError(
                "the base chances and the cap leave nothing for the blank; they add up to {total:.6g}.",
                at=f"{where}.words",
                total=(ONE - self.blank + self.cap) / ONE,
            )

    def _check_thresholds(self, where: str) -> None:
        """Refuse words with a threshold of which records or loss words would not say what is needed."""
        if not self.has_thresholds:
            return
        enough = {(len(word.parts), word.enough) for word in self.words}
        if len(enough) > len(self.lengths):
            raise EntryError("words of as many answers need as many of them to be true.", at=f"{where}.words")
        if any(len(item.options) > 2 for item in self.items):
            raise EntryError("words with a threshold need questions of two answers each.", at=f"{where}.words")
        whole = [loss.added for loss in self.losses if not loss.length and loss.full == 1 and not loss.spare]
        if len(self.losses) != 1 or not whole or self.cap - whole[0] > _ROUNDED:
            raise EntryError(
                "words with a threshold need one loss word for the whole cap: length 0, full 1, own - base = cap.",
                at=f"{where}.losses",
            )

    def check_records(self, where: str) -> None:
        """Refuse a list of which records cannot show all that may be sent."""
        if len(self.losses) and len(self.items) - (len(self.losses) > 1) <= self.lengths[-1]:
            raise EntryError(
                "words of {length} answers leave no record for a loss word; leave loss words out, or add questions.",
                at=f"{where}.losses",
                length=self.lengths[-1],
            )

    def check_shown(self, places: Sequence[int]) -> None:
        """Refuse figures of the items at these places if they need the words themselves and records show none."""

    def _check_word(self, word: Word, where: str) -> None:
        _check_chances(word.base, word.own, where)
        for place, code in word.parts:
            if code == self.harmless[place]:
                raise EntryError(
                    "{answer} is the harmless answer.", at=where, answer=repr(self._answer_text((place, code)))
                )

    def entry(self, notation: Notation) -> dict[str, Any]:
        chance = notation.write
        words: list[dict[str, Any]] = [
            {"word": self.text(word)}
            | ({"least": word.least} if word.least else {})
            | {"base": chance(word.base), "own": chance(word.own)}
            for word in self.words
        ]
        losses = [
            {
                "length": loss.length,
                "base": chance(loss.base),
                "own": chance(loss.own),
                "full": reading.json_number(loss.full),
            }
            | ({"spare": reading.json_number(loss.spare)} if loss.spare else {})
            for loss in self.losses
        ]
        if notation.exact:
            for own, word, lost in zip(words, self.words, self._lost.sum(axis=0).tolist(), strict=True):
                own |= {"parts": [list(part) for part in word.parts], "lost": lost}
            for own, loss, lost in zip(losses, self.losses, self.always_lost.tolist(), strict=True):
                own |= {"lost": lost, "kept": SCALE + int(SCALE * loss.spare)}
        more = {key: getattr(self, key) for key in self.more}
        harmless = zip(self.items, self.harmless, strict=True)
        items = [write_item(item, notation) | {"harmless": item.options[code]} for item, code in harmless]
        lists: dict[str, Any] = {"words": words} | ({"losses": losses} if losses else {})
        return {self.mark: chance(self.cap)} | lists | more | {"items": items}

    def describe(self) -> dict[str, Any]:
        """The entry with the cap in words, where all words add as much."""
        entry, added = super().describe(), {word.added for word in self.words}
        if self.more or len(added) > 1:  # a cap of groups, or of words of which some count more
            return entry
        return entry | {self.mark: f"{self.cap / added.pop():.4g} words"}


def read_harmless_items(entry: Entry, where: str) -> tuple[tuple[Item, ...], tuple[int, ...]]:
    """The items of a list, and the codes of their harmless answers; an item written as a name alone has no, 0."""
    read = [
        (Item(item), 0) if isinstance(item, str) else _read_item(item, f"{where}.items[{index}]")
        for index, item in enumerate(reading.read_filled_list(entry, "items", where))
    ]
    return tuple(item for item, _ in read), tuple(code for _, code in read)


def read_items_alone(entry: Entry, where: str) -> tuple[tuple[Item, ...], tuple[int, ...], frozenset[Part]]:
    """As `read_harmless_items`, and the answers that items name as `alone`: no word has these beside others."""
    alone: set[Part] = set()
    bare = []
    for index, item in enumerate(reading.read_filled_list(entry, "items", where)):
        if isinstance(item, Mapping) and ALONE in item:
            at = f"{where}.items[{index}].{ALONE}"
            options = reading.labels(item.get("options", YES_NO), f"{where}.items[{index}].options")
            if item[ALONE] not in options or item[ALONE] == item.get("harmless") or len(options) < 3:
                raise EntryError(
                    "{value} is none of three answers or more, or the harmless one: say which one stands alone.",
                    at=at,
                    value=reading.quote(item[ALONE]),
                )
            alone.add((index, options.index(item[ALONE])))
            item = {key: value for key, value in item.items() if key != ALONE}
        bare.append(item)
    return *read_harmless_items({**entry, "items": bare}, where), frozenset(alone)


def _read_item(entry: Any, where: str) -> tuple[Item, int]:
    entry = reading.mapping(entry, where)
    item = read_bare_item(entry, where, "harmless")
    if "harmless" not in entry:
        raise EntryError("{key} is missing.", at=where, key="harmless")
    if entry["harmless"] not in item.options:
        raise EntryError(
            "{value} is none of its answers, {options}: say which one is harmless.",
            at=f"{where}.harmless",
            value=reading.quote(entry["harmless"]),
            options=", ".join(item.options),
        )
    return item, item.options.index(entry["harmless"])


def _read_word(entry: Any, answers: Mapping[str, Part], where: str, notation: Notation) -> Word:
    entry = reading.mapping(entry, where)
    reading.only_keys(entry, ("word", "least", "base", "own", *(_FOLLOW if notation.exact else ())), where)
    parts = parts_of_word(reading.text(entry, "word", where), answers, where)
    least = reading.whole_number(entry, "least", where) if "least" in entry else 0
    if "least" in entry and not 0 < least < len(parts):
        raise EntryError(
            "least is {least}: say how many of the {count} answers are enough, and leave it out for all.",
            at=f"{where}.least",
            least=least,
            count=len(parts),
        )
    return Word(parts, notation.share(entry, "base", where), notation.share(entry, "own", where), least)


def check_count(count: int, at: str) -> None:
    """Refuse more words than a list may have; `at` is their place in the document."""
    if count > MOST_WORDS:
        raise EntryError("{count} words are more than {most}; leave some out.", at=at, count=count, most=MOST_WORDS)


def answers_of(items: Sequence[Item]) -> dict[str, Part]:
    """Every answer, as a literal of a pattern names it."""
    answers: dict[str, Part] = {}
    for index, item in enumerate(items):
        if item.boolean:
            answers.setdefault(item.id, (index, 1))
            answers.setdefault(f"!{item.id}", (index, 0))
        for code, option in enumerate(item.options):
            answers.setdefault(f"{item.id}={option}", (index, code))
    return answers


def parts_of_word(text: str, answers: Mapping[str, Part], where: str) -> tuple[Part, ...]:
    """The answers of a word, written as a pattern."""
    literals = ["=".join(side.strip() for side in part.split("=", 1)) for part in text.split(",")]
    if unknown := [literal for literal in literals if literal not in answers]:
        raise EntryError(
            "{word} names no answer of this block; write item, !item or item=option between commas.",
            at=where,
            word=reading.quote(unknown[0]),
        )
    parts = sorted(answers[literal] for literal in literals)
    if len({place for place, _ in parts}) < len(parts):
        raise EntryError("{word} names an item twice.", at=where, word=reading.quote(text))
    return tuple(parts)


def _read_loss(entry: Any, where: str, notation: Notation) -> LossWord:
    entry = reading.mapping(entry, where)
    reading.only_keys(
        entry, ("length", "base", "own", "full", "spare", *(_FOLLOW[1:] if notation.exact else ())), where
    )
    length = reading.whole_number(entry, "length", where)
    base, own = (notation.share(entry, key, where) for key in ("base", "own"))
    spare = reading.number(entry, "spare", where) if "spare" in entry else Fraction(0)
    full = reading.number(entry, "full", where)
    if full < _LEAST_FULL:
        raise EntryError("full is {full:g}, below {least}.", at=where, full=float(full), least=float(_LEAST_FULL))
    return LossWord(length, base, own, full, spare)


def _check_chances(base: int, own: int, where: str) -> None:
    if not 0 < base < own < ONE:
        raise EntryError(
            "base {base:.6g} and own {own:.6g}: a word needs 0 < base < own < 1.",
            at=where,
            base=base / ONE,
            own=own / ONE,
        )


def not_worked_out(items: Sequence[Item]) -> InputError:
    """The refusal, to be raised, of a figure that needs each answer to these items by itself."""
    names = ", ".join(repr(item.id) for item in items)
    return InputError(
        f"One word about {names} is sent, and a figure that needs each answer by itself cannot be worked out from it; "
        "ask for shares and sets of answers."
    )


def disguise(block: OneOfBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """Send for each row a word of the list or nothing, as one random number falls among the chances, added up."""
    del here  # all items are asked
    drawn = take(len(truth)).astype(np.int64)
    sent = np.empty(len(truth), np.intp)
    step = max(1, CHANCES_AT_ONCE // len(block.records))
    for start in range(0, len(truth), step):
        part = slice(start, start + step)
        bounds = block.numerators(truth[part]).cumsum(axis=1)
        sent[part] = (bounds <= drawn[part, np.newaxis]).sum(axis=1)
    return block.records[sent].astype(truth.dtype)


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
