"""Association rules from disguised records: numpy, scipy and `privacy` alone, no Django.

`findings.findings` is the one way in: a *request* says what to mine, *findings* are what pages and commands report, a
summary and columns. Between them stand, in this order: `literals` and `bins` (what can stand in an itemset), a
`counter` (`bits` is one, of records held as bit columns; `cluster` adds up several), `channels` (what disguised them),
`estimates` (`available` and `drawn` where not everyone was asked all, or drawn alike), `search` (level by level) over a
`lattice`, whose candidates mlxtend can join (`reference`), `metrics`, `rules`, `selection` (figures after it),
`columns`, `feasible`, `groups`, `warnings` and `exports`. Warnings and reasons are kept by codes
(`warnings`, `reasons`) and become sentences where somebody reads them.
"""
