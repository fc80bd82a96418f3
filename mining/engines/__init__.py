"""Association rules from disguised records: numpy and `privacy` alone, no Django.

`mine.mine` is the one way in. The rooms: `literals` (what can stand in a rule), `bits` (records as bit columns),
`tables` (counts of sub-patterns), `channels` (what disguised them), `estimates`, `search` (level by level) over a
`lattice`, `frames` (the same by mlxtend), `metrics`, `rules`, `intervals`, `discoveries`, `feasible`, `reasons` (for an
engine), `found` (the result as columns) and `exports`.
"""
