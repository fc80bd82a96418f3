"""Association rules from disguised records: numpy, scipy and `privacy` alone, no Django.

`findings.findings` is the one way in: a *request* says what to mine (its `options` stand for all who ask), *findings*
are what pages and commands report, a summary and columns. Between them stand, in this order: `literals` and `bins`
(what can stand in an itemset), a counter (`bits`, of records held as bit columns), `estimates` (`cell_estimates` where
records say more than yes and no, or were not drawn alike), a `lattice`, searched level by level, which chooses between
these and whose candidates mlxtend can join (`reference`), `rules`, `joint_covariance` and `shrunken_rules` (figures
after selection), `columns`, `warnings` and `exports`. Warnings and reasons are kept by codes (`warnings`,
`reasons`) and become sentences where somebody reads them.
"""
