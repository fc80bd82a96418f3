"""What numbers and places share: an item on a grid has no options to match, but a distribution, and bins.

`distributions` says what is asked of the channel of one, `in_bins` makes of its answers a few bins for patterns, and
`maps` reads the map of a place as questions and designs write it.
"""
