"""The sentence for whoever has tried too often."""

from django.utils.translation import ngettext


def wait_sentence(seconds: int) -> str:
    minutes = -(-seconds // 60)
    return ngettext(
        "Too many attempts to sign in. Please wait %(minutes)d minute, then try again.",
        "Too many attempts to sign in. Please wait %(minutes)d minutes, then try again.",
        minutes,
    ) % {"minutes": minutes}
