"""Pages of the admin as tests fill them in: what a browser would send after changing some fields."""

from typing import Any

from django.contrib.auth.models import Permission, User
from django.contrib.messages.storage.cookie import CookieStorage
from django.forms import BaseForm
from django.test import RequestFactory
from django.urls import resolve, reverse

from surveys.admin.fields import TextsField
from surveys.models import Question, Survey

Fields = dict[str, Any]


def somebody(*permissions: str) -> User:
    """With these permissions on surveys, or with every right where none are named."""
    user = User.objects.create_user(
        f"may-{'-'.join(permissions) or 'all'}", is_staff=True, is_superuser=not permissions
    )
    user.user_permissions.set(Permission.objects.filter(codename__in=[f"{name}_survey" for name in permissions]))
    return user


def visit(user: User, url: str, data: Fields | None = None) -> Any:
    """The answer of a page, not rendered: its context is what the tests read, and rendering takes most of the time."""
    request = RequestFactory().get(url) if data is None else RequestFactory().post(url, data)
    request.user = user
    request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]
    request._messages = CookieStorage(request)  # type: ignore[attr-defined]
    match = resolve(url.partition("?")[0])
    return match.func(request, *match.args, **match.kwargs)


def survey_page(survey: Survey) -> str:
    return reverse("admin:surveys_survey_change", args=[survey.pk])


def question_page(question: Question) -> str:
    return reverse("admin:surveys_question_change", args=[question.pk])


def step(survey: Survey, name: str) -> str:
    return reverse(f"admin:surveys_survey_{name}", args=[survey.pk])


def entered(user: User, url: str) -> Fields:
    """What the page would send unchanged."""
    context = visit(user, url).context_data
    data = _fields(context["adminform"].form)
    for inline in context["inline_admin_formsets"]:
        data |= _fields(inline.formset.management_form)
        for form in inline.formset.forms:
            data |= _fields(form)
    return data


def send(user: User, url: str, changes: Fields) -> Any:
    """Change some fields of the page and send it."""
    return visit(user, url, entered(user, url) | changes)


def agree(user: User, url: str, asked: Any) -> Any:
    """Press the button of a page that asks before something ends for good."""
    data: dict[str, list[str]] = {}
    for name, value in asked.context_data["kept"]:
        data.setdefault(name, []).append(value)
    return visit(user, url, data)


def add_rows(user: User, url: str, prefix: str, *rows: Fields, **changes: Any) -> Any:
    """Fill in new rows of an inline, change some fields, and send the page."""
    data = entered(user, url)
    start = data[f"{prefix}-TOTAL_FORMS"]
    for place, fields in enumerate(rows, start):
        data |= {f"{prefix}-{place}-{name}": value for name, value in fields.items()}
    return visit(user, url, data | changes | {f"{prefix}-TOTAL_FORMS": start + len(rows)})


def errors(response: Any) -> dict[str, list[str]]:
    """Every error the page shows, by the name of its field; `__all__` is above a form, or with its prefix a row."""
    context = response.context_data
    form = context["adminform"].form
    by_field = {name: list(sentences) for name, sentences in form.errors.items()}
    for inline in context["inline_admin_formsets"]:
        if inline.formset.non_form_errors():
            by_field[inline.formset.prefix] = list(inline.formset.non_form_errors())
        for row in inline.formset.forms:
            by_field |= {f"{row.prefix}-{name}": list(sentences) for name, sentences in row.errors.items()}
    return by_field


def _fields(form: BaseForm) -> Fields:
    data: Fields = {}
    for bound in form:
        value = bound.value()
        if isinstance(bound.field, TextsField):
            data |= {f"{bound.html_name}:{tag}": (value or {}).get(tag, "") for tag in bound.field.widget.tags}
        elif value is not None and value is not False:
            data[bound.html_name] = bound.field.prepare_value(value)
    return data
