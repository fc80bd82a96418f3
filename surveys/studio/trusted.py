"""How far figures of a draft can be trusted: what forged responses move, what will be tested, what the crowd hides."""

from __future__ import annotations

from hashlib import sha256

from privacy.errors import InputError
from surveys.admin.panel import band
from surveys.domain.questionnaire.protection import protection
from surveys.domain.questionnaire.testable import Testable, crowd, of_draft, powers
from surveys.domain.questionnaire.write import Draft


def sentences(draft: Draft) -> list[str]:
    """The sentences of the page before publishing; none while there is no design."""
    try:
        testable = of_draft(draft)
    except InputError:
        return []
    return [*filter(None, [band(protection(draft))]), *powers(testable), *crowd(testable)]


def key(draft: Draft) -> str:
    """Another one where the sentences may be others."""
    try:
        testable: Testable | None = of_draft(draft)
    except InputError:
        testable = None
    return sha256(repr(testable).encode()).hexdigest()[:12]
