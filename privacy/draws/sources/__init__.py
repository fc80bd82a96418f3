"""The sources of chance, a module each, which ends with its row `SOURCE`. To add one: write it, and its name here."""

from privacy.draws.source import Source
from privacy.draws.sources import cards, coin, day, dice, die, digit, digits, house, month, phone

SOURCES: dict[str, Source] = {
    module.SOURCE.name: module.SOURCE for module in (day, month, die, dice, coin, cards, digit, digits, house, phone)
}
