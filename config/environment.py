"""Settings from environment variables, checked. A wrong value stops the start with one sentence that names it."""

import os
import platform
import re
import secrets
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from surveys.origins import ORIGIN

TRUE, FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}
POSTGRESQL = ("postgres", "postgresql")  # how its URLs begin
PREPARED = "CANDOR_PREPARED"  # names the pipe on which the web server of `make run` waits for the tables
VISIT = "20s"  # the longest that a visitor waits for one SQL command
HOST = re.compile(r"\*|\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\]", re.IGNORECASE)


def refuse(sentence: str) -> NoReturn:
    """Stop what is starting (web server, worker, command) with this sentence on stderr, status 1 and no traceback."""
    raise SystemExit(sentence)


def flag(name: str, default: bool) -> bool:
    value = os.environ.get(name, "").strip().lower()
    if value and value not in TRUE | FALSE:
        refuse(f"{name}={os.environ[name]} is not valid: write 1 or 0.")
    return value in TRUE if value else default


def read_whole_number(name: str, default: int, low: int, high: int) -> int:
    value = os.environ.get(name, "").strip() or str(default)
    if not (value.isascii() and value.isdigit() and low <= int(value) <= high):
        refuse(f"{name}={value} is not valid: write a whole number from {low} to {high}.")
    return int(value)


def matching(name: str, pattern: str, rule: str) -> str:
    """A text that fits the pattern whole, or "" where the variable is not set."""
    value = os.environ.get(name, "").strip()
    if value and not re.fullmatch(pattern, value):
        refuse(f"{name}={value} is not valid: write {rule}.")
    return value


def one_of(name: str, choices: list[str]) -> str:
    """One of the choices, or "" where the variable is not set."""
    return matching(name, "|".join(choices), f"{', '.join(choices[:-1])} or {choices[-1]}")


def hosts(name: str, default: list[str]) -> list[str]:
    given = [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()]
    for host in given:
        if not HOST.fullmatch(host):  # such a name matches no request, so everybody would be refused
            refuse(f"{name} holds {host}, which is not a host name: write only names, without https:// or a port.")
    return given or default


def contact(name: str) -> str:
    """The address for reports about security, as a URI; empty if nobody has said one."""
    address = r"mailto:[^@\s]+@[^@\s]+|https://\S+|tel:\+[0-9-]+"
    return matching(name, address, "mailto:, https:// or tel: with an address")


def origin(name: str) -> str:
    """The origin of pages; empty if nobody has said one. Browsers do not write the port that https has anyway."""
    written = matching(name, ORIGIN.pattern, "https:// and a host name, and nothing after it")
    return written.removesuffix(":443") if written.startswith("https:") else written


def token(name: str) -> str:
    """A secret that a program shows; empty if nobody has set one."""
    value = os.environ.get(name, "").strip()
    if value and not re.fullmatch(r"[A-Za-z0-9._~+/=-]{20,}", value):
        refuse(f"{name} is too easy to guess: use at least 20 letters and digits.")
    return value


def machine(name: str) -> str:
    """What this machine is called beside the others; its host name where nobody has said another."""
    return matching(name, r"[A-Za-z0-9._-]{1,100}", "only letters, digits, dots, - and _") or platform.node()


def writable_folder(folder: Path) -> Path:
    """The folder; if it is not there, it is made, for its owner alone."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        refuse(f"The data folder {folder} cannot be made ({error.strerror}): set CANDOR_DATA to your own folder.")
    if not os.access(folder, os.W_OK | os.X_OK):
        refuse(f"The data folder {folder} cannot be written to: set CANDOR_DATA to your own folder.")
    return folder


def private_folder(folder: Path) -> Path:
    """The folder, with mode 0700; refused if somebody else owns it, because anybody may make folders in /tmp."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.is_symlink() or folder.lstat().st_uid != os.getuid():
        refuse(f"The folder {folder} belongs to somebody else: remove it and start again.")
    folder.chmod(0o700)
    return folder


def make_once(path: Path, content: str) -> None:
    """Write a file for its owner alone, which is whole as soon as it is there. A file that is there already stays."""
    if not path.exists():
        new = path.with_name(f"{path.name}.{os.getpid()}")
        with open(os.open(new, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(content)
        with suppress(FileExistsError):
            os.link(new, path)
        new.unlink()


def secret_key(data: Path) -> str:
    """SECRET_KEY, or the content of SECRET_KEY_FILE, or a key that is made once and kept in the data folder."""
    if key := os.environ.get("SECRET_KEY", ""):
        return strong(key, "SECRET_KEY")
    given = os.environ.get("SECRET_KEY_FILE", "")
    path = Path(given) if given else data / "secret_key"
    named = f"SECRET_KEY_FILE={path}" if given else f"The key kept in {path}"
    if not given:
        writable_folder(data)
        make_once(path, secrets.token_urlsafe(64))
    return strong(_content(path, named), named)


def _content(path: Path, named: str) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        refuse(f"{named} cannot be read: it must be a text file that you may read.")


def earlier_keys(name: str) -> list[str]:
    """Keys that SECRET_KEY once was: what they signed or encrypted can still be read."""
    return [strong(key, name) for key in os.environ.get(name, "").split()]


def strong(key: str, named: str) -> str:
    """The key; refused if Django's own check (security.W009) says that it is too easy to guess."""
    if len(key) < 50 or len(set(key)) < 5:
        refuse(f"{named} is too easy to guess: use at least 50 random characters.")
    return key


def database(data: Path) -> dict[str, Any]:
    """The entry of DATABASES for DATABASE_URL; without that variable, SQLite in the data folder."""
    url = os.environ.get("DATABASE_URL", "").strip()
    parts = _url("DATABASE_URL", url)
    if not url or parts.scheme == "sqlite":
        if url and (parts.netloc or len(parts.path) < 2):
            refuse("DATABASE_URL for SQLite is sqlite:////absolute/path or sqlite:///relative/path.")
        path = Path(unquote(parts.path[1:])).absolute() if url else writable_folder(data) / "candor.sqlite3"
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": path}
    if parts.scheme in POSTGRESQL:
        if find_spec("psycopg") is None:
            refuse(
                "DATABASE_URL names PostgreSQL, whose driver is missing: .venv/bin/pip install 'psycopg[binary]>=3.2'"
            )
        address = _server("DATABASE_URL", parts)
        return {"ENGINE": "django.db.backends.postgresql", **address, "OPTIONS": dict(parse_qsl(parts.query))}
    if not parts.scheme:
        refuse("DATABASE_URL is not a URL: use sqlite:///path or postgresql://user:password@host:5432/name.")
    refuse(f"DATABASE_URL starts with {parts.scheme}://, which is not supported: use sqlite:/// or postgresql://.")


def for_visitors(database: dict[str, Any]) -> dict[str, Any]:
    """The entry of DATABASES in the web server: nobody waits long, and DATABASE_POOL says how connections are shared.

    No visitor waits longer than VISIT for PostgreSQL, so that slow commands cannot occupy every thread. The sealing
    job and the worker need long commands and sessions of their own: they do not start from here.
    """
    given = os.environ.get("DATABASE_POOL", "").strip()
    if database["ENGINE"] != "django.db.backends.postgresql":
        if given:
            refuse(f"DATABASE_POOL={given} needs PostgreSQL: name it in DATABASE_URL, or leave DATABASE_POOL out.")
        return database
    options = {**database["OPTIONS"], "options": f"-c statement_timeout={VISIT} {database['OPTIONS']['options']}"}
    if not given:
        return {**database, "OPTIONS": options}
    if "://" not in given:
        if find_spec("psycopg_pool") is None:
            refuse("DATABASE_POOL needs the pool of psycopg: .venv/bin/pip install 'psycopg[binary,pool]>=3.2'")
        options["pool"] = {"min_size": 1, "max_size": read_whole_number("DATABASE_POOL", 0, 1, 1000), "timeout": 4}
        return {**database, "CONN_MAX_AGE": 0, "OPTIONS": options}
    parts = _url("DATABASE_POOL", given)
    if parts.scheme not in POSTGRESQL:
        refuse(f"DATABASE_POOL={given} is not valid: write a whole number, or postgresql:// with the pooler.")
    # A pooler lends a session out for one transaction: what is set or prepared in it would be somebody else's.
    options = {**options, **dict(parse_qsl(parts.query)), "prepare_threshold": None}
    del options["options"]
    address = _server("DATABASE_POOL", parts)
    return {**database, **address, "OPTIONS": options, "DISABLE_SERVER_SIDE_CURSORS": True}


class University(NamedTuple):
    """A provider of accounts by OpenID Connect, and what its button says."""

    issuer: str
    client: str
    secret: str
    name: str


def university(name: str) -> University | None:
    """The provider whose accounts people may sign in with; None where nobody has named one."""
    issuer = matching(
        name,
        r"(https://|http://(localhost|127\.0\.0\.1)(?=[:/]|$))[^\s?#]{0,180}",
        "https:// and the address that the provider gives as its issuer",
    )
    client, button = os.environ.get("OIDC_CLIENT", "").strip(), os.environ.get("OIDC_NAME", "").strip()
    secret = os.environ.get("OIDC_SECRET", "").strip()
    if path := os.environ.get("OIDC_SECRET_FILE", ""):
        secret = _content(Path(path), f"OIDC_SECRET_FILE={path}")
    found = University(issuer.rstrip("/"), client, secret, button)
    missing = [f"OIDC_{one.upper()}" for one, value in found._asdict().items() if not value]
    if 0 < len(missing) < len(found):
        refuse(f"The university's account needs {' and '.join(missing)}, too: set all four, or none.")
    return None if missing else found


def sender(name: str) -> str:
    """The address that mail comes from."""
    return matching(name, r"[^@<>]*<[^@\s<>]+@[^@\s<>]+>|[^@\s<>]+@[^@\s<>]+", "an address, or Name <address>") or (
        "candor@localhost"
    )


def mail(name: str, data: Path) -> dict[str, Any]:
    """The arguments of Django's mail backend. Without the variable messages become files in the data folder.

    Each answer of a mail server may take 20 seconds.
    """
    url = os.environ.get(name, "").strip()
    if not url:
        return {"backend": "django.core.mail.backends.filebased.EmailBackend", "file_path": data / "mail"}
    parts = _url(name, url)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or parts.query not in ("", "tls=no"):
        refuse(
            f"{name} is not valid: write smtp://user:password@host:587 (STARTTLS), smtps://user:password@host:465, "
            "or smtp://host:25?tls=no for a server without TLS."
        )
    if not os.environ.get("EMAIL_FROM", "").strip():
        refuse(f"{name} needs EMAIL_FROM, the address that mail comes from.")
    by_tls = parts.scheme == "smtps"
    return {
        "backend": "django.core.mail.backends.smtp.EmailBackend",
        "host": parts.hostname,
        "port": parts.port or (465 if by_tls else 587),
        "username": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "use_ssl": by_tls,
        "use_tls": not by_tls and not parts.query,
        "timeout": 20,
    }


def _url(variable: str, url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  reading it checks it
    except ValueError:
        refuse(f"{variable} is not a URL: percent-encode special characters in the user name and password.")
    return parts


def _server(variable: str, parts: SplitResult) -> dict[str, Any]:
    """Return the settings of the database that a URL of PostgreSQL names."""
    name = unquote(parts.path[1:])
    if not name:
        refuse(f"{variable} names no database: write postgresql://user:password@host:5432/name.")
    return {
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": parts.port or "",
    }


def broker(socket: Path) -> tuple[str, str]:
    """The broker's address, as Celery and as redis-py write it; without the variable, that of the private broker."""
    url = os.environ.get("CELERY_BROKER_URL", "").strip() or f"redis+socket://{quote(str(socket))}?virtual_host=0"
    scheme, _, rest = url.partition("://")
    if scheme == "redis+socket":
        path, _, query = rest.partition("?")
        number = dict(parse_qsl(query)).get("virtual_host", "0")
        if path.startswith("/") and number.isdecimal():
            return url, f"unix://{path}?db={number}"
    if scheme in ("redis", "rediss") and rest:
        try:
            urlsplit(url).port  # noqa: B018  reading it checks it
            return url, url
        except ValueError:
            pass
    refuse(
        "CELERY_BROKER_URL is not valid: write redis://host:6379/0, rediss://host:6379/0 or "
        "redis+socket:///path/to/socket."
    )
