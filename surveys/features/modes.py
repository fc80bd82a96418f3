"""How a response came, where responses say so: one word beside the undisguised answers."""

from typing import Any

from privacy.design import Design
from surveys.features.feature import Source
from surveys.questions import Asks, PublishedQuestion, type_asking

MODE, WEB, PAPER_MODE, INTERVIEW = "mode", "web", "paper", "interview"


def modes_of(source: Source) -> tuple[str, ...]:
    """What a response may say of how it came; nothing where none says so."""
    entry: dict[str, Any] = source.get("interviews", {})
    named = {PAPER_MODE: MODE in source, INTERVIEW: MODE in entry}
    further = tuple(mode for mode, is_named in named.items() if is_named)
    return (WEB, *further) if further else ()


def mode_as_question(_design: Design, source: Source) -> tuple[PublishedQuestion, ...]:
    kind, modes = type_asking(Asks.ONE_OF).name, modes_of(source)
    return (PublishedQuestion(MODE, kind, sensitive=False, required=True, options=modes),) if modes else ()
