"""Why a run ended without a result, where it is the site and not the mining that ends it."""

from collections.abc import Mapping
from typing import ClassVar

from mining.engines.reasons import MiningError
from privacy.errors import to_translate


class RunError(MiningError):
    """A run ended without a result, for a reason that has a code; those of mining itself are among them."""

    SENTENCES: ClassVar[Mapping[str, str]] = {
        **MiningError.SENTENCES,
        "late": to_translate("It took longer than {most} seconds: raise the support or lower the length."),
        "memory": to_translate("It needed more than {most} MiB of memory: raise the support or lower the length."),
        "at_once": to_translate(  # of runs from before these were counted by parts
            "It needed more than {most} MiB of memory. Bins and ordered answers need all responses in memory at once: "
            "leave the bins out, or ask the administrator for more memory."
        ),
        "broke": to_translate("Mining failed on these records ({error}); see the worker's log."),
        "stopped": to_translate("The mining process ended unexpectedly (status {status}). Tried {attempts} times."),
        "died": to_translate("The worker died {attempts} times during this run."),
        "other": "{error}",  # what nobody foresaw, as it was said
    }
