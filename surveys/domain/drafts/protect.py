"""Blocks that follow from the questions, so that nobody who writes a questionnaire has to know what a block is.

What is chosen is `document["protection"]`:

    {"by": "proposal" | "hand",  whether blocks are proposed, or were made by hand and stay
     "sure": 50,                 somebody who was 5 % sure may become at most so sure, in percent
     "tell": ["shares", …],      what the survey is to tell, of TELL
     "guess": "0.05:0.02..0.1",  how many say yes, as `…questionnaire.guess` has it; without it three in ten
     "way": "word" | "best",     each device sends one word about all answers, or does where that tells more of what
                                 is wanted; without it disguised answers
     "asked": 4,                 of so many sensitive questions everybody is asked; without it as many as is best
     …}                          what features add

The proposal is worked out by `privacy.plan.proposal`. Where blocks were made by hand, a question that becomes sensitive
goes into the first block that takes it.
"""

import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from privacy.design.blocks import ADVISED
from privacy.design.brief import Brief, ExpectedItem
from privacy.design.items import YES_NO, Item
from privacy.design.recipes import EnteredItem
from privacy.errors import EntryError, InputError
from privacy.plan.choice import ListFront, best_of, figures_of, front_beside
from privacy.plan.proposal import Proposal, Topic, propose, propose_lists
from privacy.plan.verdict import AIMS, PAIRS, SHARES, WITHIN, Verdict
from surveys.domain.questionnaire.compose import check_block, compose_design, design_or_none
from surveys.domain.questionnaire.document import Document, Draft, Question, published_document, sensitive
from surveys.domain.questionnaire.expected import NO_GUESS, make_brief, share_of, share_of_draft
from surveys.domain.questionnaire.forecast import Forecast, forecast, forecast_draft, forecasts_in_range, judge_forecast
from surveys.domain.questionnaire.guess import (
    GUESS,
    USUAL_GUESS,
    Guess,
    check_guess,
    guess_for,
    guess_of,
    guesses_of,
    word_of,
)
from surveys.domain.questionnaire.minimum import FEWEST, minimum_of_version
from surveys.domain.questionnaire.promise import PRIOR, sure_at_most
from surveys.domain.questionnaire.publish import draft_of_version
from surveys.features import known_questions
from surveys.kinds import FORMS, OWN_DISGUISE, QUESTION_FIELDS, values_of_kind, write_item
from surveys.models import Survey, SurveyVersion
from surveys.questions import Disguise, disguise_of

PROPOSAL, HAND = "proposal", "hand"
USUAL_SURE = 50  # percent
SURE = (10, 20, 33, 50)
TELL = AIMS
ONE_WORD, BEST = WAYS = ("word", "best")
MOST_ASKED = 500
UNFINISHED = 1.0  # ln γ of a number or a place whose range is still being entered


@dataclass(frozen=True)
class Wishes:
    """The choices of `document["protection"]` that blocks follow from; the module says what each means."""

    by: str
    sure: float
    tell: tuple[str, ...]
    asked: int | None
    way: str | None = None
    within: float = WITHIN

    @property
    def length(self) -> int:
        """The number of answers in the longest pattern for which errors are made small."""
        return 2 if PAIRS in self.tell else 1


def odds_of(sure: float) -> float:
    """The factor by which odds may grow so that a belief rises from the prior to at most `sure` percent."""
    after = Fraction(str(sure)) / 100
    return float(after / (1 - after) * (1 - PRIOR) / PRIOR)


def usual() -> dict[str, Any]:
    """The choices about protection of a new survey."""
    return {"by": PROPOSAL, "sure": USUAL_SURE, "tell": [SHARES, PAIRS], GUESS: USUAL_GUESS, "way": BEST}


def read_wishes(document: Document) -> Wishes:
    """Read the choices about protection; EntryError where one is not offered."""
    check_guess(document["protection"].get(GUESS), "protection.guess")
    own = {"sure": USUAL_SURE, "tell": [SHARES, PAIRS], "asked": None, **document["protection"]}
    sure, tell, asked = own["sure"], own["tell"], own["asked"]
    if isinstance(sure, bool) or not isinstance(sure, int | float) or not 100 * PRIOR < sure < 100:
        raise EntryError(
            "{sure} is not a percentage above {prior} and below 100.",
            at="protection.sure",
            sure=json.dumps(sure),
            prior=f"{float(100 * PRIOR):g}",
        )
    if not isinstance(tell, list) or not tell or not all(isinstance(what, str) and what in TELL for what in tell):
        raise EntryError("tick at least one thing that the survey should show.", at="protection.tell")
    if asked is not None and (isinstance(asked, bool) or not isinstance(asked, int) or not 0 < asked <= MOST_ASKED):
        raise EntryError(
            "{asked} is not a valid number of questions per person.", at="protection.asked", asked=json.dumps(asked)
        )
    if own.get("way") not in (None, *WAYS):
        raise EntryError(
            "{word} is none of: {words}.", at="protection.way", word=json.dumps(own["way"]), words=", ".join(WAYS)
        )
    within = own.get("within", 100 * WITHIN)
    if isinstance(within, bool) or not isinstance(within, int | float) or not 0 < within < 50:
        raise EntryError(
            "{within} is not a number of points above 0 and below 50.",
            at="protection.within",
            within=json.dumps(within),
        )
    chosen = tuple(what for what in TELL if what in tell)
    return Wishes(str(own.get("by", HAND)), sure, chosen, asked, own.get("way"), within / 100)


def is_proposed(document: Document) -> bool:
    return bool(document["protection"].get("by") == PROPOSAL)


def promise_of(survey: Survey, document: Document) -> str:
    """What the design promises as it is now: to how many percent 5 grow at most; empty while there is no design."""
    design = design_or_none(Draft.from_document(survey, document))
    return sure_at_most(design, document) if design else ""


def is_left_to_site(document: Document) -> bool:
    """Whether the site chooses between one word and disguised answers.

    It sends no words where known answers must be seen beside others, nor where somebody has chosen how many
    questions each person is asked.
    """
    own = read_wishes(document)
    return own.by == PROPOSAL and own.way == BEST and own.asked is None and not known_questions(document)


def by_hand(document: Document) -> None:
    """Note that the blocks are made by hand from now on."""
    document["protection"] = {**document["protection"], "by": HAND}


def new_block(document: Document, like: Mapping[str, Any]) -> dict[str, Any]:
    """Append an empty block with the kind and settings of another one, and return it."""
    block = _block(len(document["blocks"]) + 1, like["kind"], dict(like["settings"]), [])
    document["blocks"].append(block)
    return block


def arrange_blocks(survey: Survey, document: Document, wanted: set[str]) -> Document:
    """The document with blocks for exactly the questions named `wanted`; EntryError where one cannot be disguised."""
    held = sensitive(document)
    if read_wishes(document).by == PROPOSAL:
        kept = json.dumps(document, sort_keys=True), survey.least, survey.quota, frozenset(wanted)
        return _with_blocks(document, json.loads(_blocks_of_proposal(*kept)))
    if wanted == held:
        return document
    blocks = [
        {**block, "questions": [name for name in block["questions"] if name in wanted]} for block in document["blocks"]
    ]
    draft = {question.id: question for question in Draft.from_document(survey, document).questions}
    for name in (name for name in draft if name in wanted - held):
        _put_into_block(blocks, draft[name], document)
    return _with_blocks(document, blocks)


def can_disguise(kind: str, entered: Question) -> bool:
    """Whether a block of this kind can disguise the question, even if parts of it are still empty."""
    try:
        check_block(entered, kind)
    except InputError:
        return False
    return True


def propose_enough(people: int, least: int, own: Wishes, topics: tuple[Topic, ...]) -> Proposal:
    """A proposal that asks each question of enough people for a report of `least`, if the promise allows one.

    Where the researcher has chosen how many questions each person is asked, it follows that choice.
    """
    odds = odds_of(own.sure)
    items = sum(len(topic.sizes) for topic in topics)
    if own.asked and items:
        return propose(topics, odds, own.length, min(own.asked, items))
    share = _least_share(people, least if people >= least else FEWEST, items)
    with suppress(InputError):  # so many cannot be asked under this promise
        return propose(topics, odds, own.length, share=share)
    return propose(topics, odds, own.length)


def _least_share(people: int, least: int, items: int) -> float:
    """The least share p of people to ask so that `least` are asked, two standard deviations allowed for; 0 if none is.

    n·p − 2·√(n·p·(1 − p)) = least, solved for p, then rounded up to a fraction that a block of up to `items` items can
    have, so that a proposal is found again when a few more people are expected.
    """
    if people < least or not items:
        return 0.0
    half, square = people * (least + 2), people * (people + 4)
    share = min((half + math.sqrt(half**2 - square * least**2)) / square, 1.0)
    return min(math.ceil(share * size) / size for size in range(1, items + 1))


def topics_of(survey: Survey, document: Document, wanted: set[str]) -> tuple[Topic, ...]:
    """The sensitive questions named `wanted` that are complete enough for a proposal, as the advisor reads them."""
    return tuple(topic for _entered, topic in _questions_with_topics(survey, document, wanted) if topic)


def _questions_with_topics(survey: Survey, document: Document, wanted: set[str]) -> list[tuple[Question, Topic | None]]:
    """The sensitive questions, each as the advisor reads it; None for a number or a place still being entered."""
    draft = Draft.from_document(survey, document)
    return [(entered, _topic(entered, document)) for entered in draft.questions if entered.id in wanted]


def _topic(entered: Question, document: Document) -> Topic | None:
    """The question as the advisor reads it; None for a number or a place that is still being entered."""
    kind = _usual_kind(entered)
    items = _items_or_none(kind, entered)
    if not _disguise(entered).on_grid:
        sizes = tuple(max(len(item.options), 2) if item.options is not None else 2 for item in items)
        named = [Item(item.id, item.options or YES_NO) for item in items]
        finished = items and all(map(_is_finished, items))
        if not finished or word_of(document, entered.settings) is None:
            return Topic(sizes=sizes or (2,))
        guess = guess_for(document, [entered])
        return Topic(sizes=sizes, guesses=tuple((guess.shares(item), guess.target_codes(item)) for item in named))
    if not items:
        return None
    try:
        item = write_item(kind, {}, items[0])
        topic = Topic(recipe=kind, grid=json.dumps({key: value for key, value in item.items() if key != "id"}))
        propose((topic,), 2.0, 1)
    except InputError:
        return None
    return topic


def _is_finished(item: EnteredItem) -> bool:
    """Whether it is a yes/no item, or has two options or more."""
    return item.options is None or len(item.options) > 1


def _usual_kind(entered: Question) -> str:
    """The kind of block that is usual for the question, also while it is unfinished."""
    return _disguise(entered).form(entered.settings)


def _disguise(entered: Question) -> Disguise:
    return disguise_of(entered.type, at=f"{entered.place}.type")


def _items_or_none(kind: str, entered: Question) -> list[EnteredItem]:
    try:
        return check_block(entered, kind)
    except InputError:
        return []


def _put_into_block(blocks: list[dict[str, Any]], entered: Question, document: Document) -> None:
    """Put the question into the first block that takes it, or into a new one."""
    name = entered.id
    for block in blocks:
        if can_disguise(block["kind"], entered):
            block["questions"].append(name)
            return
    topic = _topic(entered, document)
    if topic is None:
        blocks.append(_block_to_finish(len(blocks) + 1, entered))
        return
    made = propose((topic,), odds_of(USUAL_SURE), 1).blocks[0]
    blocks.append(_block(len(blocks) + 1, made.recipe, dict(made.settings), [name]))


@lru_cache(maxsize=512)  # each page of a draft, and each change of something else, proposes the same again
def _blocks_of_proposal(written: str, least: int, quota: int | None, wanted: frozenset[str]) -> str:
    """The proposed blocks as JSON. All that a proposal reads of a survey beside its document is `least` and `quota`."""
    made = _propose(Survey(least=least, quota=quota), json.loads(written), {*wanted})
    return json.dumps(made["blocks"])


def _propose(survey: Survey, document: Document, wanted: set[str]) -> Document:
    """The document with proposed blocks: of the way that is chosen (one word or disguised answers), or the better."""
    own, asked = read_wishes(document), _questions_with_topics(survey, document, wanted)
    fits = _fit_one_word([topic for _, topic in asked])
    finished = {entered.id for entered, topic in asked if topic and topic.guesses}
    if own.way == ONE_WORD and fits:
        return _best_way(survey, list(_ways_with_words(document, own, asked)), own, finished)
    answers = _with_blocks(document, _blocks_of_disguised_answers(document["expected"], survey.least, own, asked))
    if not fits or not is_left_to_site(document):
        return answers
    with suppress(InputError):  # too many questions for a list, or none that is finished
        ways = [answers, *_ways_with_words(document, own, asked)]
        return _best_way(survey, ways, own, finished)
    return answers


def _ways_with_words(document: Document, own: Wishes, asked: list[tuple[Question, Topic | None]]) -> Iterator[Document]:
    """The document with each list of words that may be best: made for the guess, and for both ends of its range."""
    inside = [entered for entered, _topic in asked]
    names = [entered.id for entered in inside]
    items = [item for entered in inside for item in _items_or_none("one-of", entered)]
    for guess in dict.fromkeys(guess_for(document, inside, end) for end in range(3)):
        for settings in _settings_of_lists(own, document, guess, items):
            yield _with_blocks(document, [_block(1, "one-of", settings, names)])


def _best_way(survey: Survey, ways: Sequence[Document], own: Wishes, finished: set[str]) -> Document:
    """The one of these documents whose design is the best by the one rule, over all that is guessed."""
    if len(ways) == 1:
        return ways[0]
    forecasts = [_forecasts_finished(survey, way, finished) for way in ways]
    return ways[best_of(range(len(ways)), lambda number: figures_of_way(forecasts[number], own.length))]


def _forecasts_finished(survey: Survey, document: Document, finished: set[str]) -> list[Forecast]:
    """Forecasts of the document with only these finished questions: others have no answers yet, or no guess."""
    blocks = [
        {**one, "questions": [name for name in one["questions"] if name in finished]} for one in document["blocks"]
    ]
    return forecasts_in_range(Draft.from_document(survey, {**document, "blocks": blocks}))


def tells_more(one: Sequence[Forecast], other: Sequence[Forecast], tell: Collection[str]) -> bool:
    """Whether one way is taken in place of another, each with its forecasts over all that is guessed."""
    length = 2 if PAIRS in tell else 1
    return best_of([other, one], lambda way: figures_of_way(way, length)) is one


def figures_of_way(way: Sequence[Forecast], length: int) -> tuple[float, ...]:
    """What a way is compared by; infinite where a report says nothing of some question."""
    if way[0].withheld:
        return (math.inf,)
    briefs = [make_brief(one.design.blocks, one.respondents, length, one.guess) for one in way]
    return figures_of(way[0].design, [replace(brief, by_interval=False) for brief in briefs])


def judge_document(survey: Survey, document: Document) -> Verdict:
    """The verdict on a draft; InputError while it has no design.

    For other numbers of people it is proposed again, unless it is published so: then its disguise stays.
    """
    newest = {"version__survey": survey.pk, "version__number": survey.newest}
    stays = survey.newest is not None and published_document(**newest) == document
    return _judge_written(json.dumps(document, sort_keys=True), survey.least, survey.quota, stays)


def judge_or_none(survey: Survey, document: Document) -> Verdict | None:
    """The verdict on a draft; None while it has no design."""
    try:
        return judge_document(survey, document)
    except InputError:
        return None


@lru_cache(maxsize=256)  # a page says it in its head, beside its steps and in its panels
def _judge_written(written: str, least: int, quota: int | None, stays: bool) -> Verdict:
    survey, document = Survey(least=least, quota=quota), json.loads(written)
    own, draft = read_wishes(document), Draft.from_document(survey, document)
    now = forecast_draft(draft)

    def plan_for(n: int) -> Forecast:
        again = arrange_blocks(survey, {**document, "expected": n}, sensitive(document))
        return forecast_draft(Draft.from_document(survey, again))

    planned = plan_for if is_proposed(document) and not stays else None
    judged = judge_forecast(now, guesses_of(draft), own.tell, own.within, planned)
    return judged.as_published() if stays else judged


def judge_version(version: SurveyVersion, respondents: int | None) -> Verdict:
    """The verdict on a published version with so many people, by what was wanted and guessed when it was published.

    Without a number it is that of as many as were planned.
    """
    document = draft_of_version(version)
    own = read_wishes(document or {"protection": {}})
    guesses = guesses_of(Draft.from_document(version.survey, document)) if document else [NO_GUESS]
    shown, share = minimum_of_version(version), share_of(version.parsed)
    people = (document or {}).get("expected", version.survey.expected) if respondents is None else respondents
    now = forecast(version.design, people, shown, share, guesses[0])
    judged = judge_forecast(now, guesses, own.tell, own.within)
    return judged if version.survey.rehearses_id else judged.as_published()


def _blocks_of_disguised_answers(
    people: int, least: int, own: Wishes, asked: list[tuple[Question, Topic | None]]
) -> list[dict[str, Any]]:
    known = [(entered.id, topic) for entered, topic in asked if topic]
    topics = tuple(topic for _name, topic in known)
    made = propose_enough(people, least, own, topics).blocks if topics else ()
    blocks = [
        _block(index, block.recipe, dict(block.settings), [known[topic][0] for topic in block.topics])
        for index, block in enumerate(made, 1)
    ]
    for entered in (entered for entered, topic in asked if topic is None):
        blocks.append(_block_to_finish(len(blocks) + 1, entered))
    return blocks


def front_of_draft(draft: Draft) -> ListFront:
    """The lists beside that of a draft, single answers against pairs, by the intervals of the people it plans.

    Empty where no list of both protects it; InputError while it has no design.
    """
    own, design, document = read_wishes(draft.document), compose_design(draft), draft.document
    settings = document["blocks"][0]["settings"] if len(design.blocks) == 1 else {}
    if settings.get("longest") != 2 or own.length != 2 or share_of_draft(draft):
        return ListFront(())
    items = [item for entered in draft.inside(draft.blocks[0]) for item in _items_or_none("one-of", entered)]
    expected, gamma = _expect_items(items, guess_of(draft)), Fraction(settings["list_gamma"])
    return front_beside(design, Brief(expected, document["expected"], gamma, own.length, by_interval=True))


def can_send_one_word(survey: Survey, document: Document, wanted: set[str]) -> bool:
    return _fit_one_word([topic for _entered, topic in _questions_with_topics(survey, document, wanted)])


def _fit_one_word(topics: list[Topic | None]) -> bool:
    """Whether one word can stand for all sensitive answers: there are several, and none is a number or a place."""
    return sum(len(topic.sizes) for topic in topics if topic) > 1 and all(topic and not topic.grid for topic in topics)


def _settings_of_lists(
    own: Wishes, document: Document, guess: Guess, items: Sequence[EnteredItem]
) -> list[dict[str, Any]]:
    """The settings of the best list of words of every kind for the guessed answers and the expected people.

    A word has as many answers as are to be shown together. Where there are too many words, the usual settings.
    """
    usual = {field.name: field.default for field in FORMS["one-of"].fields if field.default is not None}
    expected, odds = _expect_items(items, guess), odds_of(own.sure)
    lists = propose_lists(expected, odds, own.length, document["expected"]) if expected else ()
    found = [dict(one.settings) for one in lists] or [{}]
    return [usual | {"longest": own.length} | settings | {"list_gamma": odds} for settings in found]


def _expect_items(items: Sequence[EnteredItem], guess: Guess) -> tuple[ExpectedItem, ...]:
    """What is expected of the items of a list, as far as they are finished."""
    named = [(Item(item.id, item.options or YES_NO), item.values.get("alone")) for item in items if _is_finished(item)]
    return tuple(
        ExpectedItem(item.id, item.options, guess.shares(item), alone=alone, wanted=guess.target_codes(item))
        for item, alone in named
    )


def _block_to_finish(number: int, entered: Question) -> dict[str, Any]:
    kind = _usual_kind(entered)
    return _block(number, kind, ADVISED[kind].settings(UNFINISHED), [entered.id])


def _block(number: int, kind: str, settings: dict[str, Any], names: list[str]) -> dict[str, Any]:
    return {"name": f"Block {number}", "kind": kind, "settings": settings, "questions": names}


def _with_blocks(document: Document, blocks: list[dict[str, Any]]) -> Document:
    """The document with these blocks, and its questions without values that their block would refuse.

    A proposal has no disguise of single questions. In a list of words the rarer answer of a yes/no question tells, and
    of a choice all but the one that somebody names.
    """
    own = OWN_DISGUISE if read_wishes(document).by == PROPOSAL else ()
    kinds = {name: block["kind"] for block in blocks for name in block["questions"]}
    made = {**document, "blocks": blocks, "pages": [{**page} for page in document["pages"]]}
    for page in made["pages"]:
        page["questions"] = [
            _drop_unused_values(document, question, kinds[question["id"]], own) if question["id"] in kinds else question
            for question in page["questions"]
        ]
    return made


def _drop_unused_values(
    document: Document, question: Mapping[str, Any], kind: str, own: Collection[str]
) -> dict[str, Any]:
    """The question without settings that a block of this kind does not use, and without those named `own`."""
    asked, settings = values_of_kind(kind), question["settings"]
    strange = {name for name in QUESTION_FIELDS if name not in asked} | set(own)
    if own and "harmless" in asked:
        strange.discard("harmless")
        if disguise_of(question["type"], at="type").yes_no:
            settings = {name: value for name, value in settings.items() if name != "harmless"}
            settings |= {"harmless": "1"} if word_of(document, settings) == "most" else {}
    options = [
        {**option, "settings": {name: value for name, value in option["settings"].items() if name not in own}}
        for option in question["options"]
    ]
    settings = {name: value for name, value in settings.items() if name not in strange}
    return {**question, "settings": settings, "options": options}
