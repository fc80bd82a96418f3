"""Times and days on pages of staff, in one format in every language."""

from datetime import UTC, datetime

from django.utils.html import format_html


def moment(at: datetime | None, zone: str = "") -> str:
    """A time in UTC as HTML, which `site/staff.js` shows in the reader's zone; with "zone" that is printed, too."""
    if at is None:
        return ""
    at = at.astimezone(UTC)
    shown = f"{at:%Y-%m-%d %H:%M}{' UTC+00:00' * bool(zone)}"
    said = '<time datetime="{}" data-utc="{}" title="UTC">{}</time>'
    return format_html(said, at.isoformat(timespec="seconds"), zone, shown)


def day(at: datetime | None) -> str:
    """The day of a time in UTC, as days stand in citations and files.

    >>> day(datetime(2026, 12, 14, 9, tzinfo=UTC))
    '2026-12-14'
    """
    return "" if at is None else f"{at.astimezone(UTC):%Y-%m-%d}"
