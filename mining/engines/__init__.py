"""Association rules from disguised records: numpy alone, no Django.

`mine` is the one way in. The rooms: `literals` (what can stand in a rule), `bits` (records as bit columns), `tables`
(counts of sub-patterns), `weights` (what a record is worth to a pattern), `estimates`, `search` (level by level),
`frames` (the same by mlxtend), `rules`, `intervals`, `discoveries`.
"""
