"""What the start of a site says of the machine it runs on."""

import gc

import pytest
from django.apps import apps

from config.run import serve

HAS_IT = "it has the WAL-reset error, which Candor's order of checkpoints keeps away (docs/deploy.md)."


@pytest.mark.parametrize(("user", "lines"), [(0, 1), (1000, 0)])
def test_only_root_is_warned_at_the_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], user: int, lines: int
) -> None:
    """One sentence, for whoever reads what the start prints."""
    monkeypatch.setattr(serve.os, "geteuid", lambda: user)
    serve.warn_of_root()
    assert capsys.readouterr().err.count("Candor runs as root") == lines


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        ((3, 40, 1), f"SQLite 3.40.1 keeps the answers; {HAS_IT}"),
        ((3, 51, 2), f"SQLite 3.51.2 keeps the answers; {HAS_IT}"),
        ((3, 51, 3), "SQLite 3.51.3 keeps the answers; it does not have the WAL-reset error."),
    ],
)
def test_the_version_of_sqlite_is_said(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int], sentence: str
) -> None:
    """Whoever starts a site reads whether it has the error that corrupts databases."""
    monkeypatch.setitem(serve.settings.DATABASE, "ENGINE", "django.db.backends.sqlite3")
    monkeypatch.setattr(serve.sqlite3, "sqlite_version_info", version)
    monkeypatch.setattr(serve.sqlite3, "sqlite_version", ".".join(map(str, version)))
    assert serve.database_version() == sentence


def test_what_is_loaded_is_not_searched_for_cycles() -> None:
    """Neither while a process works nor at its end: the collector does not know what every process has loaded."""
    loaded = type("Loaded", (), {})
    apps.get_app_config("site").ready()
    assert not any(one is loaded for one in gc.get_objects())
