"""Start the parts of a developer's site again when their code changes."""

from contextlib import suppress
from pathlib import Path

from config import settings
from config.run.processes import Child, end_groups
from config.web.logs import announce

FOLDERS = ("candor", "config", "locale", "mining", "privacy", "surveys", "templates")
KINDS = (".css", ".html", ".js", ".json", ".mo", ".py")
GRACE = 1.0  # seconds in which requests and tasks may end: what a killed worker had begun is taken up again


def files() -> dict[Path, float]:
    """When each file changed. Django's autoreloader looks at what its own process has loaded; a site has several."""
    found = {}
    for folder in FOLDERS:
        for path in (settings.BASE_DIR / folder).rglob("*.*"):
            if path.suffix in KINDS:
                with suppress(FileNotFoundError):  # an editor replaces it
                    found[path] = path.stat().st_mtime
    return found


def restart_if_changed(before: dict[Path, float], children: list[Child]) -> dict[Path, float]:
    """Start these again if a file was changed, added or removed since `before`; return what `files` gives now."""
    after = files()
    if changed := sorted(path for path, _ in before.items() ^ after.items()):
        announce(f"{changed[0]} changed: the site starts again.")
        end_groups([child.path for child in children], GRACE)
        for child in children:
            child.start()
    return after
