"""The ways of drawing, a module each, which ends with its row `WAY`. To add one: write it, and its name here."""

from privacy.draws.way import WayOfDrawing
from privacy.draws.ways import coins, crosswise, extended, forced, kuk, signs, table, triangular, unrelated, warner

WAYS: dict[str, WayOfDrawing] = {
    module.WAY.name: module.WAY
    for module in (crosswise, extended, warner, forced, unrelated, triangular, kuk, table, coins, signs)
}
