"""Whether people follow a draw of their own: a test, and how many who did not do something look as if they did."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from privacy.estimate.linearised import LinearisedFigure
from privacy.estimate.sampling import Sampling


@dataclass(frozen=True)
class Following:
    """The test that all follow the draw, and the share of false positives with the upper end of its interval.

    Of those who did not do it, at most `most` look as if they did, so a share or a difference below `most` proves
    nothing. Both are None without a question that is never true, the test without any anchor.
    """

    statistic: float | None
    freedom: int
    p: float | None
    false_positives: float | None
    most: float | None

    def lines(self) -> Iterator[str]:
        if self.false_positives is not None and self.most is not None:
            yield (
                f"False positives: {self.false_positives:.4f}, at most {self.most:.4f} of those who did not; "
                "what is less proves nothing."
            )
        if self.statistic is not None and self.p is not None:
            yield f"That all follow the draw: χ² {self.statistic:.2f} with {self.freedom} df, p {self.p:.2g}"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def try_following(
    anchors: Sequence[tuple[LinearisedFigure, tuple[float, float]]],
    never: LinearisedFigure | None,
    reach: float,
    sampling: Sampling,
    level: float,
) -> Following:
    """Test the share of records 1 of each anchor against its bounds where all follow: χ² with a degree for each.

    `never` is the share of yes as pressed, to a question that is true of nobody; wrong chances may move it by `reach`.

    >>> import numpy as np
    >>> records = np.repeat([1.0, 0.0], [350, 650])
    >>> share = LinearisedFigure("never", 1000, 0.35, (records - 0.35) / 1000)
    >>> found = try_following([(share, (0.25, 0.25))], None, 0.0, Sampling.simple(1000), 0.95)
    >>> round(found.statistic, 2), found.p < 1e-12  # .1² over .25 × .75 / 1000
    (53.33, True)
    """
    from scipy.special import chdtrc  # slow to import

    statistic = 0.0
    for share, (low, high) in anchors:
        end = min(max(share.value, low), high)
        variance = float(sampling.covariance(share.parts[:, None])[0, 0])
        worth = share.value * (1 - share.value) / variance + 1 if variance > 0 else share.n  # people drawn alike
        statistic += (share.value - end) ** 2 * worth / (end * (1 - end))
    upper = None if never is None else max(never.estimate(sampling, level).ci[1] + reach, 0.0)
    return Following(
        statistic if anchors else None,
        len(anchors),
        float(chdtrc(len(anchors), statistic)) if anchors else None,
        None if never is None else never.value,
        upper,
    )


def plain_is_as_good(estimate: float, se: float, plain: float) -> bool:
    """Whether a plain question, with its share `plain`, was as near to the truth as the disguised one.

    The squared error of the plain share is about (estimate − plain)² less the error of the estimate.

    >>> plain_is_as_good(0.10, 0.03, 0.08), plain_is_as_good(0.20, 0.03, 0.08)
    (True, False)
    """
    return (estimate - plain) ** 2 <= 2 * se**2
