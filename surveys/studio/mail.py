"""Invitations by mail: whom the site writes to, what it writes, and on which days.

The page never says whose invitation is used, nor how many are: what it answers is the same for both.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from privacy.errors import EntryError, InputError
from surveys.access import studio
from surveys.domain.mail import invitees
from surveys.domain.mail.send import (
    INVITATION,
    LINK,
    REMINDER,
    REMINDERS,
    UNWRITTEN,
    check_body,
    check_days,
    check_subject,
    fill,
    propose,
)
from surveys.domain.people import log
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.closing import is_over
from surveys.domain.questionnaire.versions import link
from surveys.models import Mailing, Survey, SurveyVersion
from surveys.reach import is_local
from surveys.sentences import join_sentences, language_name, sentence_of
from surveys.studio.staff_part import agreement_to_local_links

LONGEST_SUBJECT, LONGEST_BODY = 150, 5000
MESSAGES = {INVITATION: gettext_lazy("Invitation"), REMINDER: gettext_lazy("Reminder")}
# What is done with a list of addresses.
DEEDS = {
    "add": (
        gettext_lazy("Invite them"),
        gettext_lazy(
            "Each gets one link of their own. Who is invited already stays as they are; an address that was refused is "
            "tried again."
        ),
    ),
    "replace": (
        gettext_lazy("Send them another link"),
        gettext_lazy(
            "For a link that was lost, once for each. The old one ends. Who had begun, or has answered already, can "
            "answer once more: nobody can tell."
        ),
    ),
    "stop": (
        gettext_lazy("Send them nothing more"),
        gettext_lazy("For mail that came back, or if they ask for it. Their address goes, and an unused link ends."),
    ),
}


class ListForm(forms.Form):
    """Addresses, pasted or as a file, and what to do with them."""

    do = forms.ChoiceField(choices=[(name, name) for name in DEEDS], initial="add")
    addresses = forms.CharField(required=False, widget=forms.Textarea)
    file = forms.FileField(required=False, allow_empty_file=True)

    def clean_file(self) -> str:
        sent = self.cleaned_data["file"]
        try:
            return sent.read().decode("utf-8-sig") if sent else ""
        except UnicodeDecodeError:
            raise forms.ValidationError(_("This file is not a text in UTF-8.")) from None


class TextsForm(forms.Form):
    """What people read, in each language of the survey, and the days on which it is sent."""

    def __init__(
        self, request: HttpRequest, version: SurveyVersion, mailing: Mailing | None, posted: Any = None
    ) -> None:
        super().__init__(posted)
        self.languages: Sequence[str] = version.parsed.source["languages"]
        self.before = [date.fromisoformat(day) for day in mailing.days] if mailing else []
        texts = mailing.texts if mailing else {}
        for index in range(REMINDERS + 1):
            self.fields[f"day{index}"] = forms.DateField(
                label=_("Reminder %(n)s") % {"n": index} if index else _("Invitation"),
                required=not index,
                initial=self.before[index] if index < len(self.before) else None,
                widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
            )
        for kind in MESSAGES:
            for tag in self.languages:
                written = texts.get(kind, {}).get(tag) or propose(kind, tag, version.parsed.source)
                attributes = {"lang": tag, "dir": "auto"}
                self.fields[f"{kind}-{tag}-subject"] = forms.CharField(
                    label=_("Subject"),
                    required=False,
                    max_length=LONGEST_SUBJECT,
                    initial=written.get("subject", ""),
                    widget=forms.TextInput({**attributes, "class": "input measure"}),
                )
                self.fields[f"{kind}-{tag}-body"] = forms.CharField(
                    label=_("Text"),
                    required=False,
                    max_length=LONGEST_BODY,
                    initial=written.get("body", ""),
                    widget=forms.Textarea({**attributes, "rows": 7}),
                )
        self.fields["reply_to"] = forms.EmailField(
            label=_("Answers go to"),
            help_text=_("An address that somebody reads, for those who lost their link. Everybody sees it."),
            required=False,
            initial=mailing.reply_to if mailing else "",
        )
        if is_local(request):
            label = _("Mail them although only this computer opens these links")
            self.fields["anyway"] = agreement_to_local_links(label)
        for field in self.fields.values():
            field.widget.attrs["autocomplete"] = "off"

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        self.days = [day for index in range(REMINDERS + 1) if (day := cleaned.get(f"day{index}"))]
        try:
            check_days(self.days, self.before, timezone.localdate())
        except EntryError as error:
            self.add_error("day0", sentence_of(error))
        for kind in MESSAGES if len(self.days) > 1 else (INVITATION,):
            for tag in self.languages:
                self._check_text(f"{kind}-{tag}", cleaned)
        return cleaned

    def _check_text(self, name: str, cleaned: Mapping[str, Any]) -> None:
        for part, check in (("subject", check_subject), ("body", check_body)):
            try:
                check(cleaned.get(f"{name}-{part}", ""))
            except EntryError as error:
                self.add_error(f"{name}-{part}", sentence_of(error))

    def entered(self) -> dict[str, Any]:
        said = self.cleaned_data
        texts = {
            kind: {
                tag: {part: said[f"{kind}-{tag}-{part}"].replace("\r\n", "\n") for part in ("subject", "body")}
                for tag in self.languages
            }
            for kind in MESSAGES
            if kind == INVITATION or len(self.days) > 1
        }
        return {"texts": texts, "days": [day.isoformat() for day in self.days], "reply_to": said["reply_to"], "done": 0}

    def by_kind(self) -> Iterator[dict[str, Any]]:
        """The fields of texts, as the page shows them."""
        for kind, label in MESSAGES.items():
            rows = [
                (language_name(tag), [self[f"{kind}-{tag}-{part}"] for part in ("subject", "body")])
                for tag in self.languages
            ]
            is_open = kind == INVITATION or any(field.errors for _name, fields in rows for field in fields)
            yield {"label": label, "rows": rows, "open": is_open}

    def day_fields(self) -> list[forms.BoundField]:
        return [self[f"day{index}"] for index in range(REMINDERS + 1)]


@studio(Action.PUBLISH, "GET", "POST")
def mail(request: HttpRequest, survey: Survey) -> HttpResponse:
    """GET shows the page; POST keeps texts and days, or does something with a list of addresses."""
    version = survey.versions.last()
    if version is None or not version.parsed.has_invitations or is_over(survey):
        return redirect("studio:fieldwork", survey.pk)
    if request.method == "GET":
        return _page(request, survey, version)
    return (_change_list if "do" in request.POST else _save_texts)(request, survey, version)


def _save_texts(request: HttpRequest, survey: Survey, version: SurveyVersion) -> HttpResponse:
    form = TextsForm(request, version, _mailing(survey), request.POST)
    if not form.is_valid():
        return _page(request, survey, version, texts=form)
    page = request.build_absolute_uri(reverse("survey", args=[survey.slug]))
    Mailing.objects.update_or_create(survey=survey, defaults={**form.entered(), "page": page})
    messages.success(request, log.note_down(survey, request.user, "Texts and days of the mail were changed."))
    return redirect("studio:mail", survey.pk)


def _change_list(request: HttpRequest, survey: Survey, version: SurveyVersion) -> HttpResponse:
    form = ListForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, survey, version, listed=form)
    try:
        pasted = f"{form.cleaned_data['addresses']}\n{form.cleaned_data['file']}"
        listed = invitees.read_list(pasted, version.parsed.source["languages"])
        sentence = _act(request, survey, form.cleaned_data["do"], listed)
    except InputError as error:
        form.add_error("addresses", sentence_of(error))
        return _page(request, survey, version, listed=form)
    messages.success(request, sentence)
    return redirect("studio:mail", survey.pk)


def _act(request: HttpRequest, survey: Survey, deed: str, listed: Mapping[str, str]) -> str:
    """Do this to the people of the list, and note and return a sentence that says what was done and names nobody."""
    n, user = len(listed), request.user
    if deed == "add":
        known = n - (n := invitees.add(survey, listed))
        said = log.note_count(
            survey, user, "Mail: %(n)s more person was invited.", "Mail: %(n)s more people were invited.", n
        )
        if not known:
            return said
        others = ngettext("%(n)s was on the list before.", "%(n)s were on the list before.", known) % {"n": known}
        return join_sentences([said, others])
    if deed == "replace":
        invitees.replace_links(survey, listed)
        return log.note_count(
            survey, user, "Mail: %(n)s person was given another link.", "Mail: %(n)s people were given another link.", n
        )
    invitees.stop(survey, listed)
    return log.note_count(
        survey, user, "Mail: %(n)s person was taken off the list.", "Mail: %(n)s people were taken off the list.", n
    )


def _mailing(survey: Survey) -> Mailing | None:
    return Mailing.objects.filter(survey=survey).first()


def _days(mailing: Mailing, people: int, is_invited: bool) -> Iterator[dict[str, Any]]:
    """The days of the mail. Of a reminder its day alone says whether it is sent: how long it takes would tell how many
    have not begun. While nobody is invited nothing was sent.
    """
    today = timezone.localdate().isoformat()
    for index, day in enumerate(mailing.days):
        sent = people > 0 and (day < today if index else day <= today and is_invited)
        yield {
            "what": _("Reminder %(n)s") % {"n": index} if index else _("Invitation"),
            "said": _("sent")
            if sent
            else (_("being sent") if people else _("nobody is invited"))
            if day <= today
            else formats.date_format(date.fromisoformat(day)),
            "past": sent,
        }


def _previews(request: HttpRequest, version: SurveyVersion, mailing: Mailing) -> Iterator[dict[str, str]]:
    """Every message as somebody gets it, with a link that opens nothing."""
    example = link(request.build_absolute_uri(), version) + "&i=EXAMPLE"
    for kind, by_language in mailing.texts.items():
        for tag in by_language:
            subject, body = fill(mailing.texts, kind, tag, example, version.parsed.source)
            yield {
                "kind": str(MESSAGES[kind]),
                "name": language_name(tag),
                "tag": tag,
                "subject": subject,
                "body": body,
            }


def _page(request: HttpRequest, survey: Survey, version: SurveyVersion, **refused: forms.Form) -> HttpResponse:
    mailing = _mailing(survey)
    context: dict[str, Any] = {
        "survey": survey,
        "version": version,
        "texts": refused.get("texts") or TextsForm(request, version, mailing),
        "listed": refused.get("listed") or ListForm(),
        "deeds": [(name, *said) for name, said in DEEDS.items()],
        "languages": ", ".join(version.parsed.source["languages"]),
        "people": survey.invitees.count(),
        "unwritten": mailing is not None and mailing.trouble == UNWRITTEN,
        "link": LINK,
        "folder": settings.MAIL.get("file_path"),
        "trouble": mailing.trouble if mailing else "",
        "previews": list(_previews(request, version, mailing)) if mailing else [],
    }
    try:
        context["delivery"] = delivery = invitees.delivery(survey)
        context["days"] = list(_days(mailing, context["people"], delivery.is_invited)) if mailing else []
    except EntryError as lost:  # the key of another SECRET_KEY
        context["lost"] = sentence_of(lost)
    return render(request, "studio/mail.html", context, status=422 if refused else 200)
