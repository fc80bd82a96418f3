"""Draws by people themselves: where their chance comes from, and what each outcome means for the answer.

`sources/` has a module and a row for each source of chance, `ways/` for each way of drawing. Nobody else asks which
they are: a block that people draw has a channel like any other (`privacy.own_draw.person_draw`).
"""
