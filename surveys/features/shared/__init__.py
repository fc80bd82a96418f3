"""A device that several people use: it has a link of its own, which any version may have, so it is in no definition."""

from surveys.features.feature import Feature
from surveys.features.flags import says_nothing

SHARED = Feature("shared", {}, lambda _around: None, says_nothing, entries=(), parts=("staff",))
