#!/usr/bin/env python
import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError:
        raise SystemExit("Django is not installed here: run .venv/bin/python manage.py, made by `make run`.") from None
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
