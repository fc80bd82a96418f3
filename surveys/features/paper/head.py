"""What a sheet says before its questions: that people are free, how chance protects them both ways, and an example."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from privacy.design.by_person import share_of_others
from privacy.design.sentences import of_people
from privacy.guarantee import posterior_bound
from privacy.own_draw.person_draw import PersonDraw
from surveys.domain.questionnaire.promise import percent
from surveys.features import odds_of_secrets
from surveys.features.own.draft import COMPARED
from surveys.features.paper.form import SheetForm, SheetLot, draw_together, turn_outcomes
from surveys.features.paper.words import YES_OR_NO, in_list, labels_asked, own_words, things_of, words

LIKELY = Fraction(1, 2)  # of an answer that somebody thinks as likely as not
SHOWN = "yes", "opposite", "truth"  # what an outcome says that an example may show, the least usual first


def texts_of_head(form: SheetForm, lot: SheetLot, language: str) -> dict[str, Any]:
    """The texts, and the boxes of the example, each with whether it is crossed."""
    source, own = form.version.parsed.source, own_words(language)
    draws = [draw for fields in draw_together(form, lot) if (draw := form.draw_of(fields[0]))]
    example, boxes = _example(draws[0], lot, language)
    return {
        "free": [source["consent"][language], own["freely"]],
        "protection": [*dict.fromkeys(_both_ways(form, lot, language)), _limit(form, language)],
        "example": example,
        "boxes": boxes,
        "slips": any(drawn.takes_slips for draw in draws for drawn in things_of(draw)),
    }


def _both_ways(form: SheetForm, lot: SheetLot, language: str) -> Iterator[str]:
    """How many of those who would say no cross the box of most others, and how many of those who would say yes."""
    said, own = words(language), own_words(language)
    for block in form.version.design.blocks:
        if not (draw := block.draw):
            continue
        boxes = _boxes(draw, language)[:: -1 if lot.look and draw.way.look else 1]
        for code, box in enumerate(boxes):
            if shares := share_of_others(block, code):
                people, (some,) = of_people([min(shares)])
                yield own["crossed"].format(of=people, some=some, said=said[YES_OR_NO[1 - code]], box=box)


def _boxes(draw: PersonDraw, language: str) -> list[str]:
    """What the boxes of records 1 and 0 say."""
    return [words(language)[name] for name in COMPARED.get(draw.way.name, YES_OR_NO)]


def _limit(form: SheetForm, language: str) -> str:
    sign = "%" if language.startswith("zh") else "\N{NO-BREAK SPACE}%"
    sure = posterior_bound(LIKELY, odds_of_secrets(form.version.design, form.version.parsed.source))
    values = {"prior": percent(LIKELY) + sign, "posterior": percent(sure) + sign}
    return words(language)["sentence"].format(**values)


def _example(draw: PersonDraw, lot: SheetLot, language: str) -> tuple[str, list[tuple[str, bool]]]:
    """How somebody who drank no coffee answers by this draw; where facts are compared, A is a yes and B a no."""
    own, boxes = own_words(language), _boxes(draw, language)
    yes, no = (words(language)[name] for name in YES_OR_NO)
    values = {"a": yes, "b": no, "coffee": own["coffee"]}
    if draw.way.name in COMPARED:
        label = labels_asked(draw, lot)[0]
        said, crossed = own["exampleTwo"], 0
    else:
        outcomes = {says: labels[0] for labels, says in turn_outcomes(draw.drawn, lot.turn)}
        means = next(one for one in SHOWN if one in outcomes)
        label, values["means"] = outcomes[means], own[means]
        said, crossed = own["exampleOne"], int(means == "truth")
    text = said.format(label=in_list([label], language), **values)
    return text, [(box, place == crossed) for place, box in enumerate(boxes)]
