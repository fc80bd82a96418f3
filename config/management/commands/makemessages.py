"""`manage.py makemessages`, which also collects the sentences of errors that pages show in the reader's language."""

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=EntryError"]  # noqa: RUF012 - as Django has it
