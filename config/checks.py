"""What `manage.py check --deploy` says beyond Django's own checks."""

from typing import Any

from django.core.checks import CheckMessage, Critical, register

from surveys.domain.database import damage


@register(deploy=True)
def database_is_whole(**_: Any) -> list[CheckMessage]:
    """The alarm that the sealing job, or whoever met the damage, has raised."""
    if not damage.is_reported():
        return []
    return [Critical("The database is damaged, and no answers are taken (docs/deploy.md).", id="candor.C001")]
