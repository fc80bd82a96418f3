"""The fieldwork of a survey: its link and invitations, how many have answered, its dates, and its end."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date
from operator import itemgetter
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html, format_html_join
from django.utils.text import capfirst
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from privacy.errors import EntryError, InputError
from privacy.output import format_count
from privacy.plan.verdict import GROUPS, PAIRS, SHARES
from privacy.records.csv_rows import csv_text
from surveys.access import studio
from surveys.domain.closed.erase import keeps_longer
from surveys.domain.drafts.protect import judge_version
from surveys.domain.messages import invite as inviting
from surveys.domain.people import log
from surveys.domain.people.roles import Action, may, may_begin
from surveys.domain.questionnaire import closing
from surveys.domain.questionnaire.closing import RAISED_ONLY, endings, mark
from surveys.domain.questionnaire.document import Draft, read_document, write_closed_text
from surveys.domain.questionnaire.minimum import minimum_of_draft, minimum_of_version
from surveys.domain.questionnaire.promise import promise_in_numbers
from surveys.domain.questionnaire.versions import link
from surveys.domain.responses import counts, disclosure
from surveys.domain.responses.counts import Count
from surveys.domain.responses.groups import full_groups, limits_of_groups
from surveys.models import Inbox, Survey, SurveyVersion
from surveys.percent import whole_percent
from surveys.reach import is_local
from surveys.results.reading import ReportData
from surveys.results.report import data_of, shares_of_skips, sides_of_shares
from surveys.results.together import count_sure
from surveys.rules import LONGEST_TEXT
from surveys.sentences import language_name, sentence_of
from surveys.studio import rail
from surveys.studio.rail import Stand
from surveys.studio.staff_part import (
    IN_USE,
    Fieldwork,
    agreement_to_local_links,
    as_file,
    change_draft,
    field_of,
    for_all_faults,
)
from surveys.studio.verdict import in_short, points, range_of_points
from surveys.studio.ways import LINK, LIST, all_shown, ways_to_come
from surveys.times import moment

FIELDS = ("opens_at", "closes_at", "quota", "least", "keep_until")


class TimeInput(forms.DateTimeInput):
    """A moment, which `site/staff.js` shows and sends in the reader's zone; without scripts it is in the server's."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        at = parse_datetime(value) if isinstance(value, str) else value  # as it was sent, or as it is kept
        if at is None:
            return super().get_context(name, value, attrs)
        at = timezone.make_aware(at) if timezone.is_naive(at) else at
        shown = {"data-at": at.astimezone(UTC).isoformat(timespec="seconds")}
        return super().get_context(name, timezone.localtime(at), {**(attrs or {}), **shown})


class DatesForm(forms.ModelForm):
    """When a survey collects, and how much. What was promised stays once it is published."""

    class Meta:
        model = Survey
        fields = FIELDS

    def __init__(self, survey: Survey, posted: Any = None) -> None:
        super().__init__(posted, instance=survey)
        zone = format_html("<span data-zone>{}</span>", timezone.get_current_timezone_name())
        for name in ("opens_at", "closes_at"):
            self.fields[name].widget = TimeInput()
            self.fields[name].help_text = format_html(_("In the time of {}."), zone)
        gone = [name for name in FIELDS if name != "keep_until"] if survey.closed_at is not None else ()
        for name in gone or (("least",) if survey.versions.exists() else ()):
            del self.fields[name]
        self.fields["keep_until"].widget = forms.DateInput({"type": "date"}, format="%Y-%m-%d")
        for field in self.fields.values():
            field.widget.attrs["autocomplete"] = "off"
            field.label = capfirst(field.label)
        self.fields["keep_until"].label = _("Erasing day")
        if "least" in self.fields:
            self.fields["least"].label = _("Everything is shown from so many people on")
            self.fields["least"].help_text = minimum_of_draft(Draft.load(survey)).sentence

    def clean_quota(self) -> int | None:
        """Refuse to lower the quota that is stored now; the survey's lock is held."""
        quota: int | None = self.cleaned_data["quota"]
        if closing.lowers_quota(Survey.objects.get(pk=self.instance.pk), quota):
            raise forms.ValidationError(RAISED_ONLY)
        return quota

    def clean_keep_until(self) -> date | None:
        until: date | None = self.cleaned_data["keep_until"]
        if keeps_longer(Survey.objects.get(pk=self.instance.pk), until):
            raise forms.ValidationError(
                _("After publishing you can only choose an earlier day, because people who answered rely on it.")
            )
        return until

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        opens, closes = cleaned.get("opens_at"), cleaned.get("closes_at")
        if opens and closes and opens >= closes:
            self.add_error("closes_at", _("It would close before it opens."))
        until = cleaned.get("keep_until")
        if closes and until and timezone.localdate(closes) > until:
            self.add_error("keep_until", _("It would be erased before it closes."))
        return cleaned


class InvitationsForm(forms.Form):
    """A batch of invitations. Refusals name their field: `studio/names.js` shows them at the end of the form."""

    label = forms.CharField(
        max_length=100, error_messages=for_all_faults(gettext_lazy("Name of the batch: write 1 to 100 letters."))
    )
    count = forms.IntegerField(
        min_value=1,
        max_value=100_000,
        error_messages=for_all_faults(gettext_lazy("How many: write a whole number from 1 to 100 000.")),
    )

    def __init__(self, posted: Any = None, *, local: bool = False) -> None:
        super().__init__(posted)
        if local:
            self.fields["anyway"] = agreement_to_local_links()


class ClosedTextForm(forms.Form):
    """What people read whose link leads to the survey once it is closed, in each of its languages."""

    def __init__(self, survey: Survey, posted: Any = None) -> None:
        super().__init__(posted)
        document = read_document(survey)
        self.written = document["closed"]
        for tag in document["languages"]:
            self.fields[tag] = forms.CharField(
                label=language_name(tag),
                required=False,
                max_length=LONGEST_TEXT,
                initial=self.written.get(tag, ""),
                widget=forms.Textarea({"rows": 3, "lang": tag, "dir": "auto"}),
            )

    def texts(self) -> dict[str, str]:
        """Return all texts, also those of languages that the survey no longer has."""
        texts = {**self.written, **self.cleaned_data}
        return {tag: text.replace("\r\n", "\n") for tag, text in texts.items() if text}


@studio(Action.SEE)
def fieldwork(request: HttpRequest, survey: Survey) -> HttpResponse:
    return page(request, survey)


@studio(Action.WRITE, "POST")
def choose_access(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Let everybody in who has the link, or those alone who are invited: from the next version on."""
    access = request.POST.get("access", "")
    try:
        change_draft(request, survey, {"do": "survey", "field": "access", "value": access})
    except InputError as error:
        messages.error(request, sentence_of(error))
    else:
        messages.success(request, _("It is saved, and part of the next version that is published."))
    way = LIST if access == Survey.Access.INVITATION else LINK
    return redirect(reverse("studio:fieldwork", args=[survey.pk]) + f"?way={way}#{way}")


@studio(Action.PUBLISH, "POST")
def dates(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Change the dates and the quota. What ends the survey for good is asked first, and named."""
    with transaction.atomic():
        locked = Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
        form = DatesForm(locked, request.POST)
        if not form.is_valid():
            return page(request, survey, dates=form)
        ends = endings(locked)
        if ends and request.POST.get("agreed") != mark(ends):
            kept = [(name, request.POST.get(name, "")) for name in form.fields]
            context = {"survey": survey, "endings": ends, "kept": [*kept, ("agreed", mark(ends))]}
            return render(request, "studio/ask.html", context)
        locked.save(update_fields=list(form.fields))
        if ends and closing.is_over(locked):
            closing.close(locked)  # a person agreed
        elif locked.versions.exists():
            closing.close_ended(locked)
    log.note_down(survey, request.user, "Dates and limits were changed.")
    messages.success(request, _("The dates are saved."))
    return redirect("studio:fieldwork", survey.pk)


@studio(Action.PUBLISH, "POST")
def write_closing_text(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Save what people read who come once it is closed; it may be changed even then, and is in no version."""
    form = ClosedTextForm(survey, request.POST)
    if not form.is_valid():
        return page(request, survey, closed_text=form)
    write_closed_text(survey, form.texts())
    log.note_down(survey, request.user, "The text shown after closing was changed.")
    messages.success(request, _("The text is saved."))
    return redirect("studio:fieldwork", survey.pk)


@studio(Action.PUBLISH, "GET", "POST")
def close(request: HttpRequest, survey: Survey) -> HttpResponse:
    """End the collecting for good. GET leads to where this is asked."""
    if request.method != "POST":
        return redirect(reverse("studio:fieldwork", args=[survey.pk]) + "#end")
    try:
        closing.close(survey)
    except InputError as error:
        messages.error(request, sentence_of(error))
    else:
        said = log.note_down(
            survey, request.user, "The survey was closed. Waiting responses are sealed within a minute."
        )
        messages.success(request, said)
    return redirect("studio:fieldwork", survey.pk)


@studio(Action.PUBLISH, "POST")
def invite(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Make a batch of invitations and give its links as a file, once: only their hashes are kept.

    Names never come here. The page puts them beside the links in the browser of the person who invites.
    """
    form = InvitationsForm(request.POST, local=is_local(request))
    version = survey.versions.last()
    if version is None:
        form.add_error(None, _("Links contain the hash of a published version: publish the survey first."))
    if version is None or not form.is_valid():
        return page(request, survey, list=form)
    label, count = (form.cleaned_data[name] for name in ("label", "count"))
    try:
        drawn = inviting.invite(survey, label, count)
    except EntryError as error:
        form.add_error(error.at or None, sentence_of(error))
        return page(request, survey, list=form)
    log.note_down(survey, request.user, "Invitations “%(label)s” were made: %(count)s.", label=label, count=len(drawn))
    return links_file(request, version, drawn, f"invitations-{survey.slug}.csv")


def links_file(request: HttpRequest, version: SurveyVersion, drawn: Sequence[str], name: str) -> HttpResponse:
    """The links of a batch, as a file. They are in this response and nowhere else: only hashes are kept."""
    address = link(request.build_absolute_uri(), version)
    rows = [[f"{address}&i={secret}"] for secret in drawn]
    return as_file(csv_text([["link"], *rows], "\r\n"), "text/csv; charset=utf-8", name)


def _days(
    survey: Survey, version: SurveyVersion | None, *, over: bool, reports: Stand, files: Stand
) -> Iterator[dict[str, Any]]:
    """What happens with a survey, in order: what, when, and whether it has."""
    if version is not None:
        yield {"what": _("Published"), "said": formats.date_format(version.published_on), "past": True}
    if survey.opens_at:
        yield {"what": _("Opens"), "said": moment(survey.opens_at, "zone"), "past": survey.opens_at <= timezone.now()}
    has_goals = version is not None and not over and not reports[0]  # they say how many
    yield {"what": _("Report"), "said": _("with enough answers") if has_goals else reports[1], "past": reports[0]}
    if survey.closed_at:
        yield {"what": _("Closed"), "said": formats.date_format(timezone.localtime(survey.closed_at)), "past": True}
    else:
        ends = [moment(survey.closes_at, "zone")] if survey.closes_at else []
        ends += [_("with %(quota)s answers") % {"quota": format_count(survey.quota)}] if survey.quota else []
        said = format_html_join(_(", or "), "{}", ((end,) for end in ends or [_("when somebody closes it")]))
        yield {"what": _("Closes"), "said": said, "past": over}
    if version is not None:
        yield from _groups(version)
    yield {"what": _("Files"), "said": files[1], "past": files[0]}
    kept = formats.date_format(survey.keep_until) if survey.keep_until else _("when somebody erases it")
    yield {"what": _("Erased with everything"), "said": kept, "past": False}


def _groups(version: SurveyVersion) -> Iterator[dict[str, Any]]:
    """A line for each answer of which people can be enough: how many, and whether they are there."""
    full = full_groups(version, version.parsed)
    for question, groups in limits_of_groups(version.parsed).items():
        for answer, people in groups.items():
            yield {
                "what": _("No more people with %(answer)s") % {"answer": f"{question}: {answer}"},
                "said": _("from about %(people)s on") % {"people": format_count(people)},
                "past": answer in full.get(question, ()),
            }


def _goals(version: SurveyVersion, expected: int, reached: int, *, over: bool) -> Iterator[dict[str, Any]]:
    """What some numbers of answers bring, and whether they are reached: reports, the planned precision, links."""
    judged, shown = judge_version(version, expected), minimum_of_version(version)
    brings = [(expected, _(", ").join(filter(None, [in_short(judged), _("as planned")])))]
    if over:
        brings.append((shown.once_closed, _("disguised answers are shown")))
    else:
        brings.append((shown.to_begin, _("reports begin")))
        if shown.to_begin < shown.while_collecting:
            brings.append((shown.while_collecting, _("disguised answers are shown")))
        if shown.once_closed < shown.while_collecting:
            brings.append((shown.once_closed, _("disguised answers are shown once it is closed")))
    goals = {SHARES: _("shares are as exact as wanted"), PAIRS: _("links are likely found"), GROUPS: _("groups yes")}
    more = [(aim.needed, goals[aim.what]) for aim in judged.aims if aim.needed and not aim.met]
    for people, said in sorted(brings + more, key=itemgetter(0)):
        yield {"people": format_count(people), "said": said, "past": reached >= people, "more": (people, said) in more}


def _plan_and_outcome(
    version: SurveyVersion, expected: int, sealed: Count | None, data: ReportData | None
) -> Iterator[tuple[str, str]]:
    """What was planned beside what came, of a survey that is over; `data` are those of its report."""
    came = sealed.answers if sealed else _("none") if disclosure.is_unanswered(version) else _("not sealed yet")
    yield _("People"), _("%(planned)s planned, %(came)s") % {"planned": format_count(expected), "came": came}
    there = sealed.at_least if sealed else 0
    plan, end = (judge_version(version, people) for people in (expected, max(there, 1)))
    then, now = plan.aim(SHARES), end.aim(SHARES)
    if then and data and (sides := sides_of_shares(data)):
        words = {"planned": points(then.figure), "printed": range_of_points(min(sides), max(sides))}
        yield _("Shares"), _("planned: %(planned)s; in the report: %(printed)s") % words
    elif there and then and now and then.figure < 1 and now.figure < 1:
        words = {"planned": points(then.figure), "reached": points(now.figure)}
        yield _("Shares"), _("planned: %(planned)s; with this many: %(reached)s") % words
    if (links := end.aim(PAIRS)) and links.needed:
        likely = _("likely found") if links.met else _("hardly found: links need %(people)s people with this version")
        said = [likely % {"people": format_count(links.needed)}]
        if data and (sure := count_sure(data)):
            said.append(ngettext("%(n)s pair is sure", "%(n)s pairs are sure", sure) % {"n": sure})
        elif data:
            said.append(_("no pair is sure"))
        yield _("What goes together"), _("; ").join(said)
    if shares := data and shares_of_skips(data):
        ends = dict.fromkeys(map(whole_percent, (min(shares), max(shares))))
        said_by = _("%(shares)s %% of people, question by question (best guesses)")
        yield _("Skipped a question"), said_by % {"shares": "–".join(ends)}
    if promise := promise_in_numbers(version.design, version.parsed.source):
        yield _("Promise"), _("kept: %(promise)s") % {"promise": promise}


def save_way(
    request: HttpRequest, survey: Survey, way: str, form: forms.Form, say: Callable[[forms.Form], Mapping[str, Any]]
) -> HttpResponse:
    """POST makes the change of the draft that `say` makes of the form of a way; GET leads to the form.

    What is refused stands beside its field, or beside the only one.
    """
    field = f"{reverse('studio:fieldwork', args=[survey.pk])}?way={way}#{way}"
    if request.method != "POST":
        return redirect(field)
    if form.is_valid():
        try:
            change_draft(request, survey, say(form))
        except InputError as error:
            only = next(iter(form.fields)) if len(form.fields) == 1 else None
            form.add_error(field_of(form, error) or only, sentence_of(error))
        else:
            messages.success(request, _("It is saved, and part of the next version that is published."))
            return redirect(field)
    return page(request, survey, **{way: form})


def page(request: HttpRequest, survey: Survey, **refused: forms.BaseForm) -> HttpResponse:
    """The page, with a form that was refused in place of an empty one; of a survey that is over, what came of it."""
    version = survey.versions.annotate(expected=F("draft__document__expected")).last()
    draft, newest = Draft.load(survey), counts.newest(survey)
    sealed = counts.total(newest)
    publishes = may(request.user, Action.PUBLISH, survey)
    writes = may(request.user, Action.WRITE, survey) and survey.closed_at is None
    over, ended = closing.is_over(survey), version is not None and survey.has_ended(version.number)
    shown = minimum_of_version(version) if version else minimum_of_draft(draft)
    own = [row for row in newest if row.version == version]
    reports, files = rail.find_readiness(draft, version, own)
    takes = version is not None and not over and not ended
    field = Fieldwork(request, survey, draft, version, takes, writes, publishes, sealed, refused)
    come = ways_to_come(field)
    context: dict[str, Any] = {
        "survey": survey,
        "version": version,
        "over": over,
        "ended": ended,
        "takes": takes,
        "next_access": draft.document["access"],
        "writes": writes,
        "sealed": sealed,
        "reads": reports[0],
        "missing": counts.missing(version, shown.to_begin) if version and not reports[0] else 0,
        "settled": any(row.settled for row in own),
        "days": list(_days(survey, version, over=over, reports=reports, files=files)),
        "publishes": publishes,
        "erases": may(request.user, Action.ERASE, survey),
        "copies": may_begin(request.user),
        "dates": refused.get("dates") or DatesForm(survey),
        "invite": refused.get(LIST) or InvitationsForm(local=is_local(request)),
        "local": is_local(request),
        "closed_text": refused.get("closed_text") or ClosedTextForm(survey),
        "shown": shown.sentence,
        "lost": Inbox.objects.filter(version__survey=survey, round__lost=True).exists(),
        "come": come,
        **all_shown(come),
    }
    if version is not None:
        chosen = any(question.options and not question.sensitive for question in version.parsed.questions)
        context["grouped"] = chosen and takes
        expected = version.expected or survey.expected
        goals = list(_goals(version, expected, sealed.number if sealed else 0, over=over or ended))
        context |= {"expected": expected, "goals": goals, "takes_more": any(goal["more"] for goal in goals)}
        if over:
            takes_files = bool(newest) and may(request.user, Action.TAKE, survey)
            data = None
            with suppress(EntryError):  # about a version of which nothing may be reported
                data = data_of(version)
            planned = list(_plan_and_outcome(version, expected, sealed, data))
            context |= {"planned": planned, "in_use": IN_USE, "takes_files": takes_files}
    return render(request, "studio/fieldwork.html", context, status=422 if refused else 200)
