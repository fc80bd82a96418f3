"""The name that a survey has in its links: of its title, until it is published."""

import re

from django.utils.crypto import get_random_string

from surveys.domain.drafts.names import slug
from surveys.models import Survey

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def link_name(title: str) -> str:
    """The words of the title, with letters that chance draws where it is taken."""
    name = _of_title(title)
    while Survey.objects.filter(slug=name).exists():
        name = f"{_of_title(title)}-{get_random_string(4, LETTERS)}"
    return name


def rename(survey: Survey, title: str) -> None:
    """Give the link the name of the new title, if it had that of the old one: a name of one's own stays."""
    own = _of_title(survey.title)
    has_own = re.fullmatch(f"{own}(-[{LETTERS}]{{4}})?", survey.slug)
    if _of_title(title) != own and has_own and not survey.versions.exists():
        survey.slug = link_name(title)
        survey.save(update_fields=["slug"])


def _of_title(title: str) -> str:
    return slug(title) or "survey"
