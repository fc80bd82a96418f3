"""How far figures of a draft can be trusted: what forged responses move, what will be tested, what the crowd hides."""

from hashlib import sha256

from django.utils.translation import get_language, gettext as _

from privacy.errors import InputError
from privacy.guarantee import round_up
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import TEXTS, Draft
from surveys.domain.questionnaire.guess import guess_of
from surveys.domain.questionnaire.minimum import minimum_of_draft
from surveys.domain.questionnaire.planned_tests import crowd, describe_tests, of_draft
from surveys.domain.questionnaire.protection import Protection
from surveys.features.feature import Named
from surveys.results.words import words_of_definition


def sentences(draft: Draft, promises: Protection, named: Named) -> list[str]:
    """The sentences of the page before publishing; `named` is the draft's `answer_namer`."""
    testable = of_draft(draft)
    return [*filter(None, [band(promises)]), *describe_tests(testable, named).values(), *crowd(testable)]


def answer_namer(draft: Draft) -> Named:
    """A function that says an answer in the words of the draft's questions, as far as the draft can be read."""
    filled = {name: {tag: tag for tag in draft.languages} for name in TEXTS}  # what is missing there is no question
    try:
        whole = compose(Draft.from_document(draft.survey, draft.document | filled), trial=True)
        return words_of_definition(whole, get_language() or "en").short_entry
    except InputError:
        return str


def key(draft: Draft) -> str:
    """A hash that changes whenever the sentences may change."""
    try:
        said = repr((of_draft(draft), guess_of(draft), minimum_of_draft(draft)))
    except InputError:
        said = ""
    return sha256(said.encode()).hexdigest()[:12]


def band(promises: Protection) -> str:
    """How far one forged response moves figures; nothing where nothing bounds it."""
    lengths = (_("of one answer"), _("of two"), _("of three"))
    moves = [
        _("%(of)s %(points)s points") % {"of": length, "points": f"{round_up(100 * one.shift, 2):f}"}
        for length, one in zip(lengths, promises.forgery_effects, strict=False)
        if 0 < one.shift < 1
    ]
    return (
        _("One forged response moves a figure by at most: %(moves)s.") % {"moves": _(", ").join(moves)} if moves else ""
    )
