"""How many people answered, as it may be said: in full hundreds while a version collects, exactly once all are sealed.

People who answered directly are counted only where they are reported, so that no two numbers differ by a few of them:
not while a version collects, and not where fewer did than its survey reports on (surveys.domain.responses.disclosure).

Every page, file, list and answer of the API that names such a number takes it from here. Sealed answers come in batches
of twenty or more, of which nobody knows who is among them (docs/storage.md says why even their exact number would tell
on nobody); how many wait is shown to no one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, reduce
from math import ceil, floor
from operator import add
from typing import Any

from django.db.models import BooleanField, Case, Exists, OuterRef, Q, QuerySet, Sum, Value, When
from django.utils.translation import gettext as _, ngettext

from privacy.output import format_count, tenths
from surveys.domain.responses import disclosure
from surveys.features import has_other_ways, provider_of
from surveys.hundreds import STEP, hundreds
from surveys.models import Export, Inbox, Invitation, Snapshot, Survey, SurveyVersion

TWENTY = 20  # as many as are sealed together


@dataclass(frozen=True)
class Count:
    """A number of people: the `exact` one, or else one below it, and `up_to` one that it does not exceed."""

    number: int
    exact: bool
    up_to: int = STEP

    def __str__(self) -> str:
        if self.exact:
            return format_count(self.number)
        if not self.number:
            return _("up to %(count)s") % {"count": format_count(self.up_to)}
        return _("more than %(count)s") % {"count": format_count(self.number)}

    def __add__(self, other: "Count") -> "Count":
        return Count(self.number + other.number, self.exact and other.exact, self.up_to + other.up_to)

    @property
    def answers(self) -> str:
        one_or_more = self.number if self.exact else self.up_to
        return ngettext("%(count)s answer", "%(count)s answers", one_or_more) % {"count": self}

    def as_json(self, name: str) -> dict[str, Any]:
        """Return the number under this name, and whether it is exact."""
        return {name: self.number, "exact": self.exact}

    @property
    def at_least(self) -> int:
        """A lower bound of the count, for figures that get better with more people."""
        return self.number if self.exact else self.number + 1


def to_report(people: int, exact: bool) -> Count:
    """A number of people as it may be published: as it is if `exact`, else in full hundreds."""
    return Count(people if exact else hundreds(people), exact)


def of_snapshot(snapshot: Snapshot) -> Count:
    """How many people answered, as may be published; without the direct ones where these are not reported."""
    return _count(snapshot, disclosure.is_settled(snapshot))


def newest(*surveys: Survey) -> list[Any]:
    """The newest snapshot of each version, in their order, each with whether it is `settled`, in one query."""
    later = Snapshot.objects.filter(version=OuterRef("version"), pk__gt=OuterRef("pk"))
    rows = Snapshot.objects.filter(~Exists(later), version__survey__in=surveys).select_related("version__survey")
    last = Exists(disclosure.last_snapshots().filter(pk=OuterRef("pk")))
    rows = rows.annotate(settled=_case_or_simulated(last, "version__survey__simulated"))
    return list(rows.order_by("version__number"))


def total(newest: Sequence[Any]) -> Count | None:
    """How many answers these snapshots have together, as may be published; None without any."""
    if not newest:
        return None
    return reduce(add, (_count(row, row.settled) for row in newest))


def _count(snapshot: Snapshot, settled: bool) -> Count:
    people, least = disclosure.count_people(snapshot, settled), snapshot.version.survey.least
    if not settled or people >= least or disclosure.is_enough(snapshot):
        return to_report(people, settled)
    return _few(least) if snapshot.version.parsed.design.direct else to_report(people, exact=False)


def _few(least: int) -> Count:
    return Count(0, exact=False, up_to=max(least, STEP))


@dataclass(frozen=True)
class Rates:
    """Of a closed survey by invitation: how many answers were sent, and between which numbers were invited."""

    sent: int
    invited: tuple[int, int]

    @property
    def response(self) -> tuple[Fraction, Fraction]:
        """AAPOR's RR1, the minimum response rate: answers sent by all invited."""
        least, most = self.invited
        return Fraction(self.sent, most), Fraction(self.sent, max(least, 1))

    def as_json(self) -> dict[str, Any]:
        low, high = self.response
        rate = [floor(1000 * low) / 1000, ceil(1000 * high) / 1000]
        return {"sent": self.sent, "invited": [*self.invited], "RR1": rate}


def rates(survey: Survey) -> Rates | None:
    """What is known of how many of those invited answered; None while answers come or wait, or where some may have come
    by another way, to any version, or where some of them are counted nowhere. Links never drawn invited nobody. Those
    who did not answer are counted in full twenties, from forty on, so that nobody learns that fewer did not.
    """
    asked = [version.parsed for version in survey.versions.all()]
    if survey.closed_at is None or Inbox.objects.filter(version__survey=survey).exists():
        return None
    if not all(one.has_invitations and not has_other_ways(one.source) for one in asked):
        return None
    rows = newest(survey)
    sent = total(rows)
    if sent is None or not sent.exact or any(map(disclosure.hides_a_group, rows)):
        return None
    drawn = survey.invitation_batches.filter(Exists(Invitation.objects.filter(batch=OuterRef("pk"))))
    invited = drawn.aggregate(all=Sum("count"))["all"] or 0
    full = (invited - sent.number) // TWENTY * TWENTY
    least, most = (full, full + TWENTY - 1) if full >= 2 * TWENTY else (0, 2 * TWENTY - 1)
    return Rates(sent.number, (sent.number + least, sent.number + most))


def say_rates(survey: Survey) -> Iterator[str]:
    """What a closed survey says of rates by AAPOR's names, and which of them do not exist."""
    version = survey.versions.last()
    if survey.closed_at is None or version is None or survey.simulated:
        return
    provider, known = provider_of(version.parsed.source), rates(survey)
    if known:
        low, high = (known.as_json()["RR1"][at] * 100 for at in (0, 1))
        yield _(
            "Invited: %(least)s to %(most)s (rounded, so that nobody learns of a few). Answers sent: %(sent)s. "
            "Response rate (AAPOR RR1, the minimum): %(low)s to %(high)s %%."
        ) % {
            "least": format_count(known.invited[0]),
            "most": format_count(known.invited[1]),
            "sent": format_count(known.sent),
            "low": tenths(low),
            "high": tenths(high),
        }
    elif provider:
        yield _(
            "%(provider)s alone knows how many it invited: the participation rate (AAPOR) is the answers sent, divided "
            "by that number."
        ) % {"provider": provider}
    else:
        yield _("How many were invited is not known, or not shown: there is no response rate (AAPOR RR1).")
    yield _(
        "Who began, whose mail bounced and who was screened out is not counted, so that nobody can be singled out: "
        "AAPOR's RR2 to RR6 and rates of cooperation, refusal, contact and completion do not exist."
    )


def missing(version: SurveyVersion, needed: int) -> int:
    """How many of the answers `needed` a version still lacks at most; 0 once it has them."""
    snapshot = version.snapshots.select_related("version__survey").last()
    if snapshot is None:
        return needed
    people = disclosure.count_people(snapshot, disclosure.is_settled(snapshot))
    return 0 if people >= needed else needed - hundreds(people)


def exports(survey: Survey) -> QuerySet[Export]:
    """The files that were taken, each with what `of_exports` reads."""
    last = disclosure.last_snapshots().filter(version__survey=OuterRef("survey"), sha256=OuterRef("snapshot"))
    return survey.exports.annotate(settled=_case_or_simulated(Exists(last), "survey__simulated"))


def of_exports(survey: Survey) -> Callable[[Any], Count]:
    """What says of one of `exports` how many answers there were: what every page says of a snapshot that is kept."""

    @cache
    def of_kept(sha256: str, settled: bool) -> Count | None:
        kept = Snapshot.objects.filter(version__survey=survey, sha256=sha256).select_related("version__survey").first()
        return _count(kept, settled) if kept else None

    return lambda row: (
        of_kept(row.snapshot, row.settled)
        or (_few(survey.least) if row.respondents < survey.least else to_report(row.respondents, exact=False))
    )


def _case_or_simulated(condition: Exists, simulated: str) -> Case:
    yes, no = Value(True), Value(False)
    return Case(When(Q(**{simulated: True}) | Q(condition), then=yes), default=no, output_field=BooleanField())
