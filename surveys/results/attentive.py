"""What people say who read the questions, beside what everybody answered: by the two questions that tell them apart."""

from collections.abc import Iterator
from contextlib import suppress

from django.utils.translation import gettext as _

from privacy.draw.bars import Bar, bars
from privacy.errors import InputError
from privacy.reconstruct.careless import Careless, careless, corrected, read_anchors
from privacy.reconstruct.intervals import standard_errors
from surveys.displays import Share, Table, error, interval, percent, percent_alone
from surveys.results.figures import Figure, caption, describe_disguise
from surveys.results.reading import Data
from surveys.results.tables import check_enough
from surveys.results.words import words_of
from surveys.shares import LEVEL


def correct(data: Data) -> Careless:
    """Estimate who answered without reading, and the answers that are corrected for them, of enough people each."""
    records, anchors = data.jointly, data.version.parsed.careless
    known = read_anchors(records.design, anchors)
    check_enough(data, records, [records.design.items[one.column].id for one in known])
    asked = []
    for answer in corrected(records.design, known):
        with suppress(InputError):
            check_enough(data, records, [answer.partition("=")[0]])
            asked.append(answer)
    return careless(records, asked, anchors=anchors, level=LEVEL)


def figure(data: Data, found: Careless, language: str) -> Figure:
    """Each answer twice: of all who answered, and of those who read."""
    words, title = words_of(data.version, language), _("Of people who read the questions")
    rows, drawn = [], []
    for one in found.figures:
        assert one.attentive is not None
        assert one.se is not None
        reach, answer = standard_errors(LEVEL) * one.answered_se, words.brief(one.figure)
        of_all = Share(one.answered, one.answered_se, one.answered - reach, one.answered + reach)
        for which, share in ((_("all"), of_all), (_("those who read"), Share(one.attentive, one.se, *one.ci))):
            rows.append((answer, which, percent(share), interval(share), error(share)))
            heading = answer if share is of_all else ""
            drawn.append(Bar(which, share.value, share.low, share.high, heading=heading))
    head = (_("answer"), _("of whom"), _("share"), _("95 % interval"), _("standard error"))
    names = [one.figure.partition("=")[0] for one in found.figures]
    source = caption(describe_disguise(data.version.design, names), data.people(min(one.n for one in found.figures)))
    return Figure("attentive", title, source, bars(title, drawn), Table(head, tuple(rows), words=2))


def sentences(found: Careless) -> Iterator[str]:
    """How many answered without reading, what they pressed, and what is assumed of them."""
    if found.share:
        shares = (found.share, *found.share_ci, found.rate)
        yield _(
            "%(share)s of these people answered without reading (%(low)s to %(high)s), and said yes to %(rate)s of the "
            "questions."
        ) % dict(zip(("share", "low", "high", "rate"), map(percent_alone, shares), strict=True))
    else:
        yield _("The two questions find nobody who answered without reading; it may be up to %(high)s.") % {
            "high": percent_alone(found.share_ci[1])
        }
    yield _(
        "Every share is shown twice: of all who answered, and of those who read. What the others are really like is "
        "unknown."
    )
    yield _(
        "Assumed: somebody who does not read answers all these questions so, each by itself and by one rate of yes; "
        "and of those who read, at most 1 in 100 answers either of the two questions otherwise than everybody."
    )
    if found.fits is False:
        yield _(
            "The two questions contradict that: who does not read seems to give the same answer to all. Shares stay "
            "right, but pairs and rules do not."
        )
