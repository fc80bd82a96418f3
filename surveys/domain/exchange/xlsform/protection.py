"""The protection of an XLSForm: the columns `rr_role`, `rr_block`, `rr_keep`, `rr_theta`, the sheet `rr_blocks`."""

from __future__ import annotations

import json
from typing import Any

from django.utils.translation import gettext as _

from privacy.design.blocks import FORMS
from privacy.design.forms import Stays
from surveys.domain.exchange.files import Sheet
from surveys.domain.exchange.sketch import Asked, Sketch
from surveys.kinds import asked_by, form_of, names_of

ROLES = {"": False, "open": False, "sensitive": True, "harmless-yes": True, "harmless-no": True}
HARMLESS = {"harmless-yes": "1", "harmless-no": "0"}
STAYS = 0.3  # the chance where a row has none


class Protection:
    """What the rows say, and the blocks that follow from it."""

    def __init__(self, sketch: Sketch, survey: Sheet, sheet: Sheet) -> None:
        self.sketch, self.survey = sketch, survey
        self.given = self._given(sheet)
        self.rows: list[tuple[int, dict[str, str], Asked]] = []

    @staticmethod
    def share(sketch: Sketch, place: str, text: str) -> float | None:
        """A number from 0 to 1; a fault where the cell holds something else."""
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if 0 <= value <= 1:
            return value
        sketch.fault(place, _("“%(text)s” is no number from 0 to 1.") % {"text": text[:40]})
        return None

    def of(self, number: int, row: dict[str, str], asked: Asked) -> None:
        role = row.get("rr_role", "").lower()
        if role not in ROLES:
            values = {"text": role[:40], "roles": ", ".join(filter(None, ROLES))}
            sentence = _("“%(text)s” is none of: %(roles)s.") % values
            self.sketch.fault(self.survey.place(number, "rr_role"), sentence)
            return
        asked.sensitive = ROLES[role]
        if role in HARMLESS:
            asked.settings["harmless"] = HARMLESS[role]
        if asked.sensitive:
            self.rows.append((number, row, asked))
        for head in ("rr_block", "rr_keep", "rr_theta"):
            if head in row and not asked.sensitive:
                self.sketch.fault(self.survey.place(number, head), _("an open question has none: rr_role is empty."))

    def _given(self, sheet: Sheet) -> dict[str, dict[str, Any]]:
        """The blocks of the sheet `rr_blocks`, by their names."""
        blocks = {}
        for number, row in sheet.numbered:
            name, kind = row.get("block", ""), row.get("kind", "")
            if not row:
                continue
            try:
                form_of(kind)
            except KeyError:
                self.sketch.fault(sheet.place(number, "kind"), _("there is no such kind of block."))
                continue
            settings = {}
            for head, text in row.items():
                if head in names_of(kind):
                    settings[head] = _value(text)
                elif head not in ("block", "kind"):
                    self.sketch.fault(sheet.place(number, head), _("a block of this kind has no such value."))
            blocks[name] = {"name": name, "kind": kind, "settings": settings, "questions": []}
        return blocks

    def blocks(self) -> list[dict[str, Any]]:
        """The blocks that the file names; none where it leaves them to be proposed."""
        named = (any(head in row for head in ("rr_block", "rr_keep", "rr_theta")) for _n, row, _asked in self.rows)
        if not any(named) and not any("harmless" in asked.settings for _n, _row, asked in self.rows):
            return []
        blocks = {name: {**block, "questions": []} for name, block in self.given.items()}
        for number, row, asked in self.rows:
            block = self._block(number, row, asked, blocks)
            self._values(number, row, asked, block)
            block["questions"].append(asked.name)
        return [block for block in blocks.values() if block["questions"]]

    def _block(
        self, number: int, row: dict[str, str], asked: Asked, blocks: dict[str, dict[str, Any]]
    ) -> dict[str, Any]:
        name, one_sided = row.get("rr_block", ""), "harmless" in asked.settings
        if name in blocks:
            return blocks[name]
        keep = row.get("rr_keep", "")
        key = name or (_("One-sided") if one_sided else _("Each by itself")) + (f" {keep}" if keep else "")
        if key not in blocks:
            kind, stays = _form(one_sided, apart=not name)
            share = self.share(self.sketch, self.survey.place(number, "rr_keep"), keep) if keep else None
            settings = stays.settings(STAYS if share is None else share)
            blocks[key] = {"name": key, "kind": kind, "settings": settings, "questions": []}
        return blocks[key]

    def _values(self, number: int, row: dict[str, str], asked: Asked, block: dict[str, Any]) -> None:
        """What stands in the row and not in the block: the θ of one question. Two chances of one block are a fault."""
        if keep := row.get("rr_keep"):
            share = self.share(self.sketch, self.survey.place(number, "rr_keep"), keep)
            stays = form_of(block["kind"]).stays
            own = stays.share(block["settings"]) if stays else None
            if not isinstance(own, int | float):
                self.sketch.fault(self.survey.place(number, "rr_keep"), _("a block of this kind has no such value."))
            elif share is not None and abs(own - share) > 1e-9:
                values = {"block": block["name"], "keep": own}
                sentence = _("the block “%(block)s” keeps %(keep)s already.") % values
                self.sketch.fault(self.survey.place(number, "rr_keep"), sentence)
        if theta := row.get("rr_theta"):
            share = self.share(self.sketch, self.survey.place(number, "rr_theta"), theta)
            if share is not None and share != block["settings"].get("theta"):
                asked.settings["theta"] = share


def _form(one_sided: bool, apart: bool) -> tuple[str, Stays]:
    """The form for what rows say: whether one answer is harmless, and whether the question stands by itself."""
    return next(
        (name, form.stays)
        for name, form in FORMS.items()
        if form.stays and apart in form.stays.apart and one_sided == ("harmless" in asked_by(name))
    )


def _value(text: str) -> Any:
    """A number, a list of numbers, or a word."""
    try:
        return json.loads(text)
    except ValueError:
        return text
