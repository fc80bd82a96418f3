"""A time on a page of staff."""

from datetime import UTC, datetime

from django.utils.html import format_html


def moment(at: datetime | None, zone: str = "") -> str:
    """A time in UTC, which `site/staff.js` shows in the reader's zone; with "zone" that is printed too."""
    if at is None:
        return ""
    at = at.astimezone(UTC)
    shown = f"{at:%Y-%m-%d %H:%M}{' UTC+00:00' * bool(zone)}"
    said = '<time datetime="{}" data-utc="{}" title="UTC">{}</time>'
    return format_html(said, at.isoformat(timespec="seconds"), zone, shown)
