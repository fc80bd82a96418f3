"""What pages need: numbers of people, icons, tables and axes, and around a page of a survey its steps and its menu."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import template
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from privacy.output import format_count
from surveys import reach
from surveys.domain.people.roles import may_begin
from surveys.results.figures import keep_together
from surveys.results.scale import ticks
from surveys.sentences import colon, gap, join_sentences
from surveys.studio import rail as rails
from surveys.studio.sheet import mark
from surveys.times import day, moment

register = template.Library()
register.filter("whole", format_count)
register.filter("joined", keep_together, is_safe=True)
register.filter(moment)
register.filter(day)
register.simple_tag(gap)
register.simple_tag(colon)
register.filter(join_sentences)
register.filter(may_begin)


@register.simple_tag
def picture_file(address: str, name: str) -> str:
    """The address of the picture of this name, from that of "NAME", which staff and shared links have."""
    return address.replace("NAME", name)


@register.simple_tag
def icon(name: str) -> SafeString:
    """A sign that says what stands beside it once more; readers skip it."""
    address = static("site/icons.svg")
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>', address, name)


@register.simple_tag
def heads(*labels: str, numbers: int = 0) -> SafeString:
    """The first row of a table: what each column holds, the last of them `numbers`; nothing of one without a label."""
    kinds = [""] * (len(labels) - numbers) + [mark_safe(' class="n"')] * numbers
    cells = (
        [format_html('<th scope="col"{}>{}</th>', kind, label) if label else mark_safe("<td></td>")]
        for kind, label in zip(kinds, labels, strict=True)
    )
    return format_html("<thead><tr>{}</tr></thead>", format_html_join("", "{}", cells))


@register.simple_tag
def wide_table(caption: str, rows: Iterable[Sequence[object]], *labels: str) -> SafeString:
    """A table with what each row is about at its beginning; it scrolls where it is too wide for the page."""
    lines = [(name, [(keep_together(str(one)),) for one in own]) for name, *own in rows]
    return format_html(
        '<div class="wide" tabindex="0" role="region" aria-label="{caption}"><table class="table">'
        "<caption>{caption}</caption>{heads}<tbody>{body}</tbody></table></div>",
        caption=caption,
        heads=heads(*labels) if labels else "",
        body=format_html_join(
            "",
            '<tr><th scope="row">{}</th>{}</tr>',
            ((name, format_html_join("", "<td>{}</td>", cells)) for name, cells in lines),
        ),
    )


@register.inclusion_tag("figures/axis.html")
def axis(top: int = 100) -> dict[str, object]:
    """The numbers of an axis from 0 to `top` percent."""
    return {"ticks": ticks(top)}


@register.inclusion_tag("reach.html", takes_context=True)
def warn_of_reach(context: Any) -> dict[str, Any]:
    """The warning that stands before links which not everybody can open."""
    return {"warning": reach.warning(context["request"]), **{name: context[name] for name in ("base", "request")}}


@register.filter
def initials(user: User, shown: Iterable[User]) -> str:
    """One's two letters, which nobody else `shown` on the page has: of the two names, or of the one to sign in with.

    The older account keeps its letters; the other gets a later letter of its name, or a digit.
    """
    taken: dict[int, str] = {}
    for one in sorted({*shown, user}, key=lambda one: one.pk):
        name = (one.first_name[:1] + one.last_name[:1] or one.username).upper()
        pairs = [name[:1] + second for second in [*(name[1:] or [""]), *map(str, range(2, 1000))]]
        taken[one.pk] = next(pair for pair in pairs if pair not in taken.values())
    return taken[user.pk]


@register.simple_tag(takes_context=True)
def block_again(context: Any, name: str) -> SafeString:
    """A block of the page once more, such as the heading in the title: Django has one place for each."""
    rendered: SafeString = context.render_context[BLOCK_CONTEXT_KEY].get_block(name).render(context)
    return rendered


@register.simple_tag(takes_context=True)
def shell_of(context: Any) -> dict[str, Any] | None:
    """The shell of the survey that the page is about; None where it is about none, or nobody is signed in."""
    request, survey = context.get("request"), rails.of_page(context)
    if survey is None or request is None or not request.user.is_authenticated:
        return None
    return rails.shell(request, survey)


@register.simple_block_tag(takes_context=True)
def rail(context: Any, content: str) -> str:
    """The steps of the survey; between the tags stands the name of the one that the page is of."""
    shell = context.get("shell")
    if not shell:
        return ""
    steps = rails.steps_html(shell["steps"], content.strip())
    return render_to_string("rail.html", {"steps": steps, "mark": mark(steps)})
