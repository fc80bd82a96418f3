"""What numbers and places share: an item on a grid has no options to match, but a distribution, and bins.

`distributions` says what is asked of the channel of one, and `in_bins` makes of its answers a few bins for patterns.
"""
