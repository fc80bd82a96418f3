"""A coin block: `block.py` has the mechanism and its plans, `noise.py` the noise of its items, `form.py` its form."""

from privacy.design.blocks.coin.block import COIN_EACH, ONE_COIN, CoinBlock, CoinPlan

__all__ = ["COIN_EACH", "ONE_COIN", "CoinBlock", "CoinPlan"]
