"""People who do not follow a draw of their own: how far records lie from those of people who do, and what that costs.

What shows how many there are, and figures of the others, is in `privacy.reconstruct.careless`.
"""
