"""The sentences that respondents read about a block in two arms: those of the weaker arm, for the whole design."""

from privacy.design.block import Words
from privacy.errors import to_translate

WORDS = Words(to_translate("γ is above this site’s limit of {limit}. Disguise more in the first arm, the weaker one."))
