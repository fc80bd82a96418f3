"""Why a run ended without a result, where it is the site and not the mining that ends it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from mining.engines.reasons import MiningError, gettext_noop


class RunError(MiningError):
    """A run ended without a result, for a reason that has a code; those of mining itself are among them."""

    SENTENCES: ClassVar[Mapping[str, str]] = {
        **MiningError.SENTENCES,
        "late": gettext_noop("It took longer than {most:g} seconds: raise the support or lower the length."),
        "memory": gettext_noop("It needed more than {most} MiB of memory: raise the support or lower the length."),
        "broke": gettext_noop("Mining broke on these records ({error}); the log of the worker tells more."),
        "stopped": gettext_noop("The process that mined ended unexpectedly (status {status}). Tried {attempts} times."),
        "died": gettext_noop("The worker died {attempts} times during this run."),
        "other": "{error}",  # what nobody foresaw, as it was said
    }
