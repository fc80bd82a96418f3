"""The protection of an XLSForm: columns of roles, blocks, chances and harmless answers, and the sheet `rr_blocks`."""

import json
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from surveys.domain.exchange.files import SheetRow, WorkbookSheet
from surveys.domain.exchange.sketch import Sketch, SketchedQuestion
from surveys.domain.questionnaire.guess import GUESS
from surveys.kinds import FORMS
from surveys.kinds.forms import Stays

OPEN = ("", "open")
ROLES = {role: values for form in FORMS.values() if form.stays for role, values in form.stays.roles.items()}
"""The words for sensitive questions, as the forms of blocks have them, with what is entered for each question."""
STAYS = 0.3  # the chance where a row has none


class SheetProtection:
    """Reads the protection of questions from their rows; `given` are the blocks of the sheet rr_blocks by name."""

    def __init__(self, sketch: Sketch, sheet: WorkbookSheet) -> None:
        self.sketch = sketch
        self.given = self._read_blocks(sheet)
        self.rows: list[tuple[SheetRow, SketchedQuestion]] = []

    def _read_share(self, row: SheetRow, head: str) -> float | None:
        """The share in a cell; None, and a fault, where the cell holds no number from 0 to 1."""
        try:
            value = float(row[head])
        except ValueError:
            value = -1.0
        if 0 <= value <= 1:
            return value
        self.sketch.fault(row.place(head), _("“%(text)s” is not a number from 0 to 1.") % {"text": row[head][:40]})
        return None

    def protect_question(self, row: SheetRow, asked: SketchedQuestion) -> None:
        role = _role(row)
        if role not in (*OPEN, *ROLES):
            roles = ", ".join(filter(None, (*OPEN, *ROLES)))
            sentence = _("“%(text)s” is not one of: %(roles)s.")
            self.sketch.fault(row.place("rr_role"), sentence, text=role[:40], roles=roles)
            return
        asked.sensitive = role in ROLES
        asked.settings |= ROLES.get(role, {})
        if asked.sensitive:
            self.rows.append((row, asked))
        if asked.sensitive and row.get("rr_harmless"):
            asked.settings["harmless"] = row["rr_harmless"]
        if asked.sensitive and row.get("rr_guess"):
            asked.settings[GUESS] = row["rr_guess"]
        for head in ("rr_block", "rr_keep", "rr_theta", "rr_harmless", "rr_guess"):
            if head in row and not asked.sensitive:
                self.sketch.fault(row.place(head), _("an undisguised question has no role: leave rr_role empty."))

    def _read_blocks(self, sheet: WorkbookSheet) -> dict[str, dict[str, Any]]:
        blocks = {}
        for row in sheet.rows:
            name, kind = row.get("block", ""), row.get("kind", "")
            if not row:
                continue
            if kind not in FORMS:
                self.sketch.fault(row.place("kind"), _("there is no such kind of block."))
                continue
            settings = {}
            for head, text in row.items():
                if any(field.name == head for field in FORMS[kind].fields):
                    settings[head] = _parse_cell(text)
                elif head not in ("block", "kind"):
                    self.sketch.fault(row.place(head), _("this kind of block has no such value."))
            blocks[name] = {"name": name, "kind": kind, "settings": settings, "questions": []}
        return blocks

    def blocks(self) -> list[dict[str, Any]]:
        """The blocks that the file names, with foreign names of questions; none if they are left to be proposed."""
        named = (any(head in row for head in ("rr_block", "rr_keep", "rr_theta")) for row, _asked in self.rows)
        if not any(named) and not any(ROLES[_role(row)] for row, _asked in self.rows):
            return []
        blocks = {name: {**block, "questions": []} for name, block in self.given.items()}
        for row, asked in self.rows:
            block = self._block_for(row, blocks)
            self._values(row, asked, block)
            block["questions"].append(asked.name)
        return [block for block in blocks.values() if block["questions"]]

    def _block_for(self, row: SheetRow, blocks: dict[str, dict[str, Any]]) -> dict[str, Any]:
        name = row.get("rr_block", "")
        if name in blocks:
            return blocks[name]
        keep = row.get("rr_keep", "")
        kind, stays = _form_for(_role(row), apart=not name)
        key = name or _(stays.label) + (f" {keep}" if keep else "")
        if key not in blocks:
            share = self._read_share(row, "rr_keep") if keep else None
            settings = stays.settings(STAYS if share is None else share)
            blocks[key] = {"name": key, "kind": kind, "settings": settings, "questions": []}
        return blocks[key]

    def _values(self, row: SheetRow, asked: SketchedQuestion, block: dict[str, Any]) -> None:
        """Compare the chance in a row with its block's, which must agree; keep a θ that is the question's alone."""
        if row.get("rr_keep"):
            share = self._read_share(row, "rr_keep")
            stays = FORMS[block["kind"]].stays
            own = stays.share(block["settings"]) if stays else None
            if not isinstance(own, int | float):
                self.sketch.fault(row.place("rr_keep"), _("this kind of block has no such value."))
            elif share is not None and abs(own - share) > 1e-9:
                sentence = _("the block “%(block)s” keeps %(keep)s already.")
                self.sketch.fault(row.place("rr_keep"), sentence, block=block["name"], keep=own)
        if row.get("rr_theta"):
            share = self._read_share(row, "rr_theta")
            if share is not None and share != block["settings"].get("theta"):
                asked.settings["theta"] = share


def role_of(settings: Mapping[str, Any]) -> str:
    """The word for a sensitive question: of those that fit what was entered for it, the one that says most."""
    fitting = [role for role, values in ROLES.items() if all(settings.get(name) == values[name] for name in values)]
    return max(fitting, key=lambda role: len(ROLES[role]))


def _role(row: Mapping[str, str]) -> str:
    return row.get("rr_role", "").lower()


def _form_for(role: str, apart: bool) -> tuple[str, Stays]:
    """The kind of block for questions with this role, and what it keeps; `apart`: the question stands by itself."""
    return next(
        (name, form.stays)
        for name, form in FORMS.items()
        if form.stays and apart in form.stays.apart and role in form.stays.roles
    )


def _parse_cell(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
