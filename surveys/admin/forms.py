"""Forms that check the questionnaire as a whole before any of it is saved, and show each refusal at its field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.forms import BaseInlineFormSet
from django.forms.formsets import all_valid
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.admin.fields import BlockSelect, KindSelect, TextsField, TypeSelect
from surveys.domain.questionnaire.check import OPTIONS, Refusal, answers_before, refusals
from surveys.domain.questionnaire.ending import RAISED_ONLY
from surveys.domain.questionnaire.publish import lowers_quota
from surveys.domain.questionnaire.write import Draft, EnteredQuestion, line_of, values_in
from surveys.kinds import BLOCK_FIELDS, names_of
from surveys.models import Block, Option, Question, Survey
from surveys.questions import TYPES

LONG = ("who", "why", "consent", "closing", "closed")
CHOOSERS = {"type": TypeSelect, "kind": KindSelect, "block": BlockSelect}
FormSet = BaseInlineFormSet


def form_field(field: models.Field[Any, Any]) -> forms.Field | None:
    """The form field for a field of these models; None if Django's own form field is right."""
    label, help_text = capfirst(str(field.verbose_name)), str(field.help_text)
    if isinstance(field, models.DateTimeField):
        widget = forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        zone = _("In the time of the server, %(zone)s.") % {"zone": timezone.get_current_timezone_name()}
        return forms.DateTimeField(required=False, label=label, help_text=zone, widget=widget)
    if field.name in CHOOSERS:
        return field.formfield(widget=CHOOSERS[field.name])
    if not isinstance(field, models.JSONField):
        return None
    return TextsField(rows=4 if field.name in LONG else 1, label=label, help_text=help_text)


class TextsForm(forms.ModelForm):
    """A form with texts in the languages of its survey; whoever uses the form class sets the survey."""

    survey: Survey

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            if isinstance(field, TextsField):
                field.set_languages(self.survey.language_tags, getattr(self.instance, name))


class SettingsForm(TextsForm):
    """A form that also asks the values of kinds of block. Values that are left empty are not stored."""

    asked: Iterable[str] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial |= self.instance.settings

    def clean(self) -> None:
        super().clean()
        entered = {name: self.cleaned_data.get(name) for name in self.kept()}
        self.instance.settings = {name: value for name, value in entered.items() if value not in (None, "")}

    def kept(self) -> Iterable[str]:
        return self.asked


def asking(base: Any, fields: Mapping[str, forms.Field]) -> Any:
    """The form class with these fields beside its own."""
    return type(base)(base.__name__, (base,), {**fields, "asked": tuple(fields), "__module__": base.__module__})


class CheckedForm(TextsForm):
    """The form of a page, checked together with the formsets of its inlines, which the admin makes beforehand."""

    def is_valid(self) -> bool:
        if not super().is_valid():
            return False
        formsets: Sequence[FormSet] = getattr(self.instance, "formsets", ())
        if not all_valid(formsets):
            return True  # the formsets show what is wrong with themselves
        for refusal in self.refused(*formsets):
            self._show(refusal, formsets)
        return not self.errors

    def _show(self, refusal: Refusal, formsets: Sequence[FormSet]) -> None:
        """Show a refusal at the field that it concerns, or above the form if the form has no such field."""
        if refusal.at is self.instance and refusal.field == OPTIONS:
            formsets[0].non_form_errors().append(refusal.sentence)
            return
        rows = (form for formset in formsets for form in formset.forms)
        form = next((row for row in rows if row.instance is refusal.at), self)
        form.add_error(refusal.field if refusal.field in form.fields else None, refusal.sentence)

    def refused(self, *formsets: FormSet) -> Iterable[Refusal]:
        raise NotImplementedError


class SurveyForm(CheckedForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        instance = kwargs.get("instance")
        self.survey = instance if instance is not None else Survey()
        super().__init__(*args, **kwargs)

    def clean_quota(self) -> int | None:
        """The page holds the survey's lock while it is saved, so that it is compared with what is stored now."""
        quota: int | None = self.cleaned_data["quota"]
        if lowers_quota(self.instance, quota):
            raise ValidationError(RAISED_ONLY)
        return quota

    def draft(self, *formsets: FormSet) -> Draft:
        """The questionnaire as it would be stored."""
        blocks, pages, questions = [entered_in(formset) for formset in formsets] or ([], [], [])
        return Draft(
            self.instance,
            tuple(sorted(blocks, key=lambda block: block.position)),
            in_order(EnteredQuestion(question, stored_options(question)) for question in questions),
            tuple(sorted(pages, key=lambda page: page.position)),
        )

    def refused(self, *formsets: FormSet) -> Iterable[Refusal]:
        return refusals(self.draft(*formsets))


class QuestionForm(SettingsForm, CheckedForm):
    """One question with its options; the rest of the survey is taken as it is stored.

    `when` is the condition, as boxes to tick: each choice is an earlier question and one of its answers.
    """

    when = forms.MultipleChoiceField(
        required=False,
        label=gettext_lazy("Only when"),
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Saved answers of earlier open questions; tick those of one. None: it is always shown."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.survey = self.survey
        if "when" in self.fields:
            self.initial["when"] = list(_ticked(self.instance))
            self.fields["when"].choices = _conditions(self.instance)  # type: ignore[attr-defined]
        block = self.fields.get("block")
        if isinstance(block, forms.ModelChoiceField):
            block.queryset = Block.objects.filter(survey=self.survey)

    def clean_identifier(self) -> str:
        name: str = self.cleaned_data["identifier"]
        if self.survey.questions.filter(identifier=name).exclude(pk=self.instance.pk).exists():
            raise ValidationError(_("Another question of this survey has this name."))
        return name

    def clean_when(self) -> list[str]:
        ticked: list[str] = self.cleaned_data["when"]
        names = {pair.partition("=")[0] for pair in ticked}
        values = line_of(pair.partition("=")[2] for pair in ticked)
        if len(names) > 1:
            raise ValidationError(_("A condition looks back at one question: tick answers of one only."))
        if len(values) > (Question._meta.get_field("when_values").max_length or 0):
            raise ValidationError(_("These are too many answers for a condition: tick fewer."))
        self.instance.when_question, self.instance.when_values = "".join(names), values
        return ticked

    def refused(self, *formsets: FormSet) -> Iterable[Refusal]:
        options = [option for formset in formsets for option in entered_in(formset)]
        own = EnteredQuestion(self.instance, tuple(sorted(options, key=lambda option: option.position)))
        stored = Draft.stored(self.survey)
        others = [entered for entered in stored.questions if entered.question != self.instance]
        draft = Draft(self.survey, stored.blocks, in_order([*others, own]), stored.pages)
        for refusal in refusals(draft):
            # What is stored was not refused, so numbers of a block are refused because the question does not fit them.
            field = "block" if isinstance(refusal.at, Block) else None
            yield refusal if refusal.at is self.instance else Refusal(self.instance, field, str(refusal))


def _ticked(question: Question) -> dict[str, str]:
    name = question.when_question
    return {f"{name}={value}": f"{name}: {value}" for value in values_in(question.when_values)}


def _conditions(question: Question) -> list[tuple[str, str]]:
    """The choices of a condition; what is stored stays a choice, even if no question has this answer any more."""
    choices = _ticked(question)
    tag = question.survey.language_tags[0]
    for entered, value in answers_before(Draft.stored(question.survey), question):
        text = TYPES[entered.question.type].named(entered, value, tag)
        choices[f"{entered.question}={value}"] = f"{entered.question}: {text}"
    return list(choices.items())


class RowForm(TextsForm):
    """A row of an inline: a block, a question or an option."""

    blocks: Sequence[Block] = ()
    next_position: int

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "block" in self.fields:
            self.offer({str(block.pk): block for block in self.blocks})
        if self.instance.pk is None:
            self.initial["position"] = self.next_position
            if self.blocks:
                self.initial["block"] = self.blocks[0].pk

    def offer(self, blocks: Mapping[str, Block]) -> None:
        """Let the question choose one of these blocks."""
        self.fields["block"] = OwnBlock(blocks, self.fields["block"])


class BlockForm(SettingsForm, RowForm):
    """A block. It stores the values that its kind asks for; the fields of other kinds show their usual values."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = names_of(self.instance.kind) if self.instance.pk else ()
        self.initial.update({name: field.default for name, field in BLOCK_FIELDS.items() if name not in own})

    def kept(self) -> Iterable[str]:
        return names_of(self.cleaned_data["kind"]) if "kind" in self.cleaned_data else ()


class OptionForm(SettingsForm, RowForm):
    """An option, with its share of what is asked of all options together."""


class OwnBlock(forms.TypedChoiceField):
    """A choice of the survey's blocks: stored ones by their keys, new ones of the same page by their rows."""

    def __init__(self, blocks: Mapping[str, Block], like: forms.Field) -> None:
        super().__init__(
            choices=[("", "—"), *((key, str(block)) for key, block in blocks.items())],
            coerce=lambda key: blocks[str(key)],
            empty_value=None,
            required=False,
            label=like.label,
        )

    def has_changed(self, initial: Any, data: Any) -> bool:
        return str(initial or "") != str(data or "")


def blocks_in(formset: FormSet) -> dict[str, Block]:
    """The blocks that questions of the same page may choose. New blocks are saved before the questions."""
    rows = {str(form.instance.pk or form.prefix): form for form in formset.forms}
    return {key: form.instance for key, form in rows.items() if form.instance.pk or not _is_deleted(form)}


def _is_deleted(form: forms.BaseForm) -> bool:
    return bool(form.data.get(form.add_prefix("DELETE")))


def entered_in(formset: FormSet) -> list[Any]:
    """The objects of the rows as they will be saved, without empty and deleted rows."""
    return [
        form.instance
        for form in formset.forms
        if (form.instance.pk or form.has_changed()) and not form.cleaned_data.get("DELETE")
    ]


def in_order(entered: Iterable[EnteredQuestion]) -> tuple[EnteredQuestion, ...]:
    return tuple(
        sorted(entered, key=lambda one: (one.question.page, one.question.position, one.question.pk or float("inf")))
    )


def stored_options(question: Question) -> tuple[Option, ...]:
    return tuple(question.options.all()) if question.pk else ()
