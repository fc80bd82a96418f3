"""What a researcher writes. It may be changed until it is published, and again for the next version.

Texts that respondents read are JSON objects from language tag to text: {"en": …, "zh-hans": …}.
"""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys import kinds
from surveys.questions import USUAL, choices

identifier = RegexValidator(
    r"\A[a-z][a-z0-9_-]{0,39}\Z", _("Use a letter, then up to 39 small letters, digits, - or _.")
)


class Survey(models.Model):
    class Access(models.TextChoices):
        OPEN = "open", _("open to everybody who has the link")
        INVITATION = "invitation", _("one response per invitation")

    slug = models.SlugField(_("short name"), unique=True, help_text=_("Stands in the link, after /s/."))
    title = models.CharField(_("working title"), max_length=200, help_text=_("Shown in lists, never to respondents."))
    simulated = models.BooleanField(default=False, editable=False)
    # The survey whose draft simulated people answer here (surveys.domain.rehearsal): this one is on no public page.
    rehearses = models.ForeignKey("self", models.CASCADE, null=True, editable=False, related_name="rehearsals")
    languages = models.CharField(
        _("languages"),
        default="en",
        max_length=100,
        help_text=_("Language tags, the main language first, separated by spaces: en zh-hans."),
    )
    heading = models.JSONField(_("title for respondents"), default=dict)
    who = models.JSONField(_("who asks"), default=dict)
    why = models.JSONField(_("why, and what happens with the answers"), default=dict)
    consent = models.JSONField(_("consent"), default=dict)
    closing = models.JSONField(_("thanks after sending"), default=dict, blank=True)
    closed = models.JSONField(
        _("text once it is closed"),
        default=dict,
        null=True,  # so that SQLite can add the column in place; no row holds null
        blank=True,
        help_text=_("Shown to whoever opens the link afterwards. May be changed at any time."),
    )
    access = models.CharField(_("who may answer"), max_length=10, choices=Access.choices, default=Access.OPEN)
    direct = models.BooleanField(
        _("may answer directly"),
        default=False,
        help_text=_("Respondents may choose to answer undisguised; they have no protection by the disguise then."),
    )
    # These three may be null so that SQLite can add the columns in place.
    lot = models.PositiveSmallIntegerField(
        _("percent asked directly by lot"),
        validators=[MinValueValidator(1), MaxValueValidator(99)],
        null=True,
        blank=True,
        help_text=_(
            "Devices draw so many of 100 respondents, who are asked to answer undisguised and may decline; the others "
            "are not. The report then tells whether the disguise changes what people say. Empty: people choose."
        ),
    )
    anchor = models.CharField(  # noqa: DJ001
        _("answer of known share"),
        max_length=100,
        null=True,
        blank=True,
        help_text=_(
            "A disguised answer whose share is known from elsewhere: born, or month=jan. The report holds responses "
            "against it, and finds devices that do not disguise."
        ),
    )
    anchor_share = models.FloatField(
        _("its share in percent"),
        validators=[MinValueValidator(0.01), MaxValueValidator(99.99)],
        null=True,
        blank=True,
    )
    comprehension = models.BooleanField(
        _("ask whether the disguise is understood"),
        default=False,
        help_text=_(
            "One question about the disguise before the first page. Respondents may try it again or leave it out; "
            "nobody learns what they answer."
        ),
    )
    early = models.BooleanField(
        _("responses may be looked at before it is closed"),
        default=False,
        help_text=_(
            "Files, open answers and figures of open questions are to be had while people answer; respondents read "
            "it. Otherwise only once the version is closed, because whoever has the link could single somebody out by "
            "answering many times. Direct answers wait in any case."
        ),
    )
    beside = models.BooleanField(
        _("texts stay beside the other answers"),
        default=False,
        help_text=_(
            "What people write in their own words stands in one file with their other answers; respondents read it. "
            "Otherwise it leaves in a file of its own, in another order."
        ),
    )
    opens_at = models.DateTimeField(_("opens at"), null=True, blank=True)
    closes_at = models.DateTimeField(
        _("closes at"), null=True, blank=True, help_text=_("For good, once the last responses are sealed.")
    )
    least = models.PositiveIntegerField(
        _("report from so many respondents on"),
        default=100,
        validators=[MinValueValidator(20)],
        help_text=_("Nothing is mined while there are fewer."),
    )
    expected = models.PositiveIntegerField(
        _("respondents expected"),
        default=1000,
        validators=[MinValueValidator(1)],
        help_text=_("For the expected standard errors shown beside the protection."),
    )
    quota = models.PositiveIntegerField(
        _("quota"),
        validators=[MinValueValidator(1)],
        null=True,
        blank=True,
        help_text=_("Close for good after so many responses, over all versions. Once published it can only be raised."),
    )
    keep_until = models.DateField(
        _("kept until"),
        null=True,
        blank=True,
        help_text=_(
            "After this day the site erases the survey with all responses, reports and mining runs. Once published it "
            "can only come earlier."
        ),
    )
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True, editable=False)
    newest = models.PositiveIntegerField(null=True, editable=False)  # number of a version: none before it takes more
    erasing_since = models.DateTimeField(null=True, editable=False)  # never set back; only then may versions be deleted
    override_by = models.CharField(_("override signed by"), max_length=200, blank=True)
    override_reason = models.TextField(
        _("reason of the override"),
        blank=True,
        help_text=_(
            "Needed to publish a design that protects less than this site's limit. Respondents are shown both."
        ),
    )

    class Meta:
        verbose_name = _("survey")
        verbose_name_plural = _("surveys")

    def __str__(self) -> str:
        return self.title

    @property
    def language_tags(self) -> list[str]:
        return self.languages.split()


class Block(models.Model):
    """Items disguised together. `settings` are the values that its kind asks for, by their names (surveys.kinds)."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="blocks")
    position = models.PositiveSmallIntegerField(_("order"), default=1)
    name = models.CharField(_("name"), max_length=100, help_text=_("For you only."))
    kind = models.CharField(_("disguised by"), max_length=20, choices=kinds.choices, default=kinds.USUAL)
    settings = models.JSONField(default=kinds.usual_settings)

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        ordering = ("survey", "position", "id")

    def __str__(self) -> str:
        return self.name


class Page(models.Model):
    """The title of a page of questions. A page without one shows the title of the survey."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="pages")
    position = models.PositiveSmallIntegerField(_("page"), default=1)
    title = models.JSONField(_("title"), default=dict, blank=True)

    class Meta:
        verbose_name = _("page title")
        verbose_name_plural = _("page titles")
        ordering = ("survey", "position", "id")

    def __str__(self) -> str:
        return _("Page %(number)s") % {"number": self.position}


class Question(models.Model):
    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="questions")
    page = models.PositiveSmallIntegerField(_("page"), default=1)
    position = models.PositiveSmallIntegerField(_("order"), default=1)
    identifier = models.CharField(_("name in records"), max_length=40, validators=[identifier])
    type = models.CharField(_("type"), max_length=20, choices=choices, default=USUAL)
    block = models.ForeignKey(
        Block,
        on_delete=models.RESTRICT,
        null=True,
        blank=True,
        related_name="questions",
        verbose_name=_("block"),
        help_text=_("The block that disguises this question. Empty: an open question, sent as it is given."),
    )
    settings = models.JSONField(default=dict)  # what the kind of its block asks of a question
    text = models.JSONField(_("question"), default=dict)
    help = models.JSONField(_("help text"), default=dict, blank=True)
    required = models.BooleanField(
        _("required"), default=False, help_text=_("Open questions; disguised ones always are.")
    )
    shuffle = models.BooleanField(_("options in random order"), default=False)
    minimum = models.CharField(_("minimum"), max_length=20, blank=True)
    maximum = models.CharField(_("maximum"), max_length=20, blank=True, help_text=_("Of a text: its length."))
    low = models.JSONField(_("words at the low end of a scale"), default=dict, blank=True)
    high = models.JSONField(_("words at the high end of a scale"), default=dict, blank=True)
    no_skip = models.CharField(  # noqa: DJ001  # null, so that SQLite can add the column in place
        _("why it has no “Prefer not to say”"),
        max_length=200,
        null=True,
        blank=True,
        help_text=_("Of a disguised question: ethics boards ask. It stands in the protocol and in what is published."),
    )
    when_question = models.CharField(
        _("only when the question"), max_length=40, blank=True, help_text=_("Both must be open questions.")
    )
    when_values = models.CharField(
        _("has one of the values"), max_length=200, blank=True, help_text=_("Separated by commas.")
    )

    class Meta:
        verbose_name = _("question")
        verbose_name_plural = _("questions")
        ordering = ("survey", "page", "position", "id")
        constraints = (models.UniqueConstraint(fields=("survey", "identifier"), name="question_identifier_once"),)

    def __str__(self) -> str:
        return self.identifier


class Option(models.Model):
    """An option of a choice, or one yes/no item of a question with several answers."""

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="options")
    position = models.PositiveSmallIntegerField(_("order"), default=1)
    value = models.CharField(_("value"), max_length=40, help_text=_("Short name in records: 18-29."))
    label = models.JSONField(_("label"), default=dict)
    settings = models.JSONField(default=dict)  # what the kind of its block asks of an option
    last = models.BooleanField(
        _("stays last"), default=False, help_text=_("Stays at the end when options are shuffled.")
    )

    class Meta:
        verbose_name = _("option")
        verbose_name_plural = _("options")
        ordering = ("question", "position", "id")
        constraints = (models.UniqueConstraint(fields=("question", "value"), name="option_value_once"),)

    def __str__(self) -> str:
        return self.value
