"""Languages of a questionnaire: any, by their tags; only the interface is limited to those of the site."""

from __future__ import annotations

import re

from django.utils.translation import get_language_info

TAG = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*")


def language_name(tag: str) -> str:
    """What the language calls itself, or its tag where Django does not know it."""
    try:
        return str(get_language_info(tag)["name_local"])
    except KeyError:
        return tag
