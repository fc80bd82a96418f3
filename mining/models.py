"""A run is a frozen snapshot and the parameters it is mined with; its row is the truth about where it stands."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _

from mining.engines.options import ENGINES, MINE
from mining.engines.reasons import MiningError
from mining.engines.request import COUNTING, READING, REFERENCE, RULES, MiningRequest
from privacy.choices import AVAILABLE, CASES, ESTIMATORS
from privacy.options.option import every_digit
from privacy.output import format_count
from surveys.models import Snapshot, Survey, SurveyVersion
from surveys.models.results import Leased
from surveys.sentences import colon


class MiningRun(Leased):
    """The same snapshot with the same parameters is the same run."""

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("ended without a result")
        CANCELLED = "cancelled", _("cancelled")

    class Phase(models.TextChoices):
        READING = READING, _("reading the answers")
        COUNTING = COUNTING, _("counting itemsets")
        REFERENCE = REFERENCE, _("mlxtend searches for itemsets")
        RULES = RULES, _("making rules")

    ESTIMATORS: ClassVar = [(estimator.key, _(estimator.label)) for estimator in ESTIMATORS.values()]
    CASES: ClassVar = [(case.key, _(case.explained)) for case in CASES.values()]
    ENGINES: ClassVar = [(name, _(label)) for name, label in ENGINES.items()]

    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="mining_runs")
    min_support = models.FloatField(_("minimum support"))
    min_confidence = models.FloatField(_("minimum confidence"))
    max_length = models.PositiveSmallIntegerField(_("longest itemset"))
    negated = models.BooleanField(_("with negations"))
    estimator = models.CharField(_("estimator"), max_length=10, choices=ESTIMATORS)
    engine = models.CharField(_("engine"), max_length=7, choices=ENGINES)

    cases = models.CharField(_("cases"), max_length=9, choices=CASES, default=AVAILABLE)

    bins = models.CharField(
        _("bins"),
        max_length=300,
        blank=True,
        default="",
        help_text=_("Numbers and places beside other answers: age=18,30,50;home=zones. Empty: left out."),
    )

    state = models.CharField(_("state"), max_length=9, choices=State.choices, default=State.QUEUED)
    phase = models.CharField(max_length=9, choices=Phase.choices, blank=True)
    level = models.PositiveSmallIntegerField(default=0)
    candidates = models.PositiveIntegerField(default=0)
    requested_at = models.DateTimeField(_("requested"))
    started_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("search")
        verbose_name_plural = _("searches")
        ordering = ("-id",)
        constraints = (models.UniqueConstraint(fields=("snapshot", *MiningRequest.STORED), name="one_run_per_request"),)

    def __str__(self) -> str:
        return f"{self.survey}{colon()}{self.label}"

    @property
    def label(self) -> str:
        """The thresholds, and the options that are not at their defaults: a new option renames no run."""
        said, facts = [], self.facts
        for one in MINE.for_place("page"):
            value = getattr(self, one.name)
            if one.begins or value != one.default:
                name, words = facts[one.name]
                said.append(name if value is True else f"{name} {words}")
        return gettext(", ").join(said)

    @property
    def facts(self) -> dict[str, tuple[str, str]]:
        """By option, the name of its column and its value in words; a text that is empty asks for nothing."""
        return {name: self._fact(name, value) for name, value in self.parameters.items() if value != ""}

    def _fact(self, name: str, value: Any) -> tuple[str, str]:
        column: Any = self._meta.get_field(name)
        if isinstance(value, bool):
            value = gettext("yes") if value else gettext("no")
        elif isinstance(value, float):
            value = every_digit(value)
        return str(column.verbose_name), str(dict(column.flatchoices).get(value, value))

    def get_absolute_url(self) -> str:
        return reverse("mining_run", args=[self.pk])

    @property
    def survey(self) -> Survey:
        return self.snapshot.version.survey

    @property
    def reason(self) -> str:
        return MiningError.sentence(**self.ended_for, gettext=gettext) if self.ended_for else ""

    @property
    def doing(self) -> str:
        if self.phase == self.Phase.COUNTING:
            return gettext("counting itemsets of length %(level)s") % {"level": self.level}
        return self.get_phase_display()

    @property
    def count_so_far(self) -> str:
        """How many candidates or rules its phase has counted so far, in the reader's language; else ""."""
        if self.phase == self.Phase.COUNTING:
            return gettext("%(count)s candidates counted") % {"count": format_count(self.candidates)}
        if self.phase == self.Phase.RULES:
            return gettext("%(count)s rules so far") % {"count": format_count(self.candidates)}
        return ""

    @property
    def request(self) -> MiningRequest:
        return MiningRequest(**self.parameters, least=self.survey.least)

    @property
    def parameters(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in MiningRequest.STORED}


class MiningResult(models.Model):
    """The findings of a run: a summary for its first page, and every column of itemsets and rules in one field."""

    run = models.OneToOneField(MiningRun, on_delete=models.CASCADE, related_name="result")
    summary = models.JSONField()
    columns = models.BinaryField()

    class Meta:
        verbose_name = _("result of a search")
        verbose_name_plural = _("results of searches")


class RuleReview(models.Model):
    """What somebody thinks of a rule, or of a pair that is sure before any search: it has a `run`, or a `version`.

    It is never changed: the last review of a rule in a version counts, all are kept.
    """

    class Verdict(models.TextChoices):
        ACCEPT = "accept", _("accept")
        DOUBT = "doubt", _("doubt")
        REJECT = "reject", _("reject")
        NONE = "note", _("only a note")

    JUDGED: ClassVar = [(Verdict.ACCEPT, _("accept")), (Verdict.DOUBT, _("doubt")), (Verdict.REJECT, _("reject"))]
    SAID: ClassVar = {
        Verdict.ACCEPT: _("A reviewer accepted this rule."),
        Verdict.DOUBT: _("A reviewer doubts this rule."),
        Verdict.REJECT: _("A reviewer rejected this rule."),
        Verdict.NONE: _("A reviewer left a note."),
    }

    run = models.ForeignKey(MiningRun, on_delete=models.CASCADE, null=True, related_name="reviews")
    version = models.ForeignKey(SurveyVersion, on_delete=models.CASCADE, null=True, related_name="reviews")
    rule = models.CharField(max_length=1000)  # by short names, "drugs ⇒ cheating"
    verdict = models.CharField(_("verdict"), max_length=6, choices=Verdict.choices)
    note = models.TextField(_("note"), blank=True, max_length=2000)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("review of a rule")
        verbose_name_plural = _("reviews of rules")
        ordering = ("-id",)

    @property
    def said(self) -> str:
        """The verdict as a sentence, for readers who do not know what was asked."""
        return str(self.SAID[self.Verdict(self.verdict)])
