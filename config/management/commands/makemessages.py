"""`manage.py makemessages`, which also collects the sentences of errors that pages show in the reader's language.

It writes no creation time into the file, because every two branches with new translations would conflict there.
"""

import re
from pathlib import Path

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    xgettext_options = [  # noqa: RUF012 - as Django has it
        *makemessages.Command.xgettext_options,
        *(
            f"--keyword={name}"
            for name in ("EntryError", "to_translate", "of_count:1,2", "of_text", "note_down:3", "note_count:3,4")
        ),
    ]

    def write_po_file(self, potfile: str, locale: str) -> None:
        super().write_po_file(potfile, locale)
        for path in self.locale_paths:
            file = Path(path, locale, "LC_MESSAGES", f"{self.domain}.po")
            if file.exists():
                text = file.read_text(encoding="utf-8")
                file.write_text(re.sub(r'^"POT-Creation-Date.*\n', "", text, flags=re.MULTILINE), encoding="utf-8")
