"""Django's settings, from the environment only; docs/settings.md lists the variables. A wrong value stops the start."""

import os
import sys
from pathlib import Path
from typing import Any

from django.contrib.messages.constants import ERROR, WARNING
from django.utils.translation import gettext_lazy as _

from config import environment
from config.run.broker import socket_path

BASE_DIR = Path(__file__).resolve().parent.parent
CANDOR_DATA = Path(os.environ.get("CANDOR_DATA") or BASE_DIR / "var").absolute()
ROLE = environment.one_of("ROLE", ["web", "worker", "tend"])  # the one part that runs here; without it, all of them

# ---- who may reach the site, and how -----------------------------------------------------------------------------

LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = environment.hosts("ALLOWED_HOSTS", LOCAL_HOSTS)
BIND = os.environ.get("BIND") or "127.0.0.1"
PORT = environment.read_whole_number("PORT", 8000, 1, 65535)
SECRET_KEY = environment.secret_key(CANDOR_DATA)
SECRET_KEY_FALLBACKS = environment.earlier_keys("SECRET_KEY_FALLBACKS")

# A site that answers to another name than those of this machine is expected behind a proxy that speaks HTTPS and sets
# X-Forwarded-Proto. On this machine, browsers count plain http://localhost as a secure context.
HTTPS = environment.flag("HTTPS", not set(ALLOWED_HOSTS) <= set(LOCAL_HOSTS))
# Django's own DEBUG stays off: it would show tracebacks of respondents' requests, too, and to the senders.
DEVELOPMENT = environment.flag("DEBUG", False)
if DEVELOPMENT and (HTTPS or not set(ALLOWED_HOSTS) <= set(LOCAL_HOSTS) or BIND not in ("127.0.0.1", "::1")):
    environment.refuse(
        "DEBUG=1 shows tracebacks and works only on localhost: leave out ALLOWED_HOSTS, BIND and HTTPS, or DEBUG."
    )
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
# This site must not decide for other sites under its domain, nor about the preload list of browsers.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
CSRF_COOKIE_HTTPONLY = True
# The pages of staff lie below one path, to which browsers show their cookies: none comes to a survey's page, where who
# has signed in may be a respondent. Cookies of earlier versions, which came everywhere, had other names.
STAFF_PATH = "/staff/"
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = LANGUAGE_COOKIE_PATH = STAFF_PATH
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME, LANGUAGE_COOKIE_NAME = "staff_session", "staff_csrf", "staff_language"
MESSAGE_STORAGE = "config.context.StaffMessages"
MESSAGE_TAGS = {WARNING: "warn", ERROR: "bad"}  # as banners of pages are marked
METRICS_TOKEN = environment.token("METRICS_TOKEN")  # for Prometheus, to which /metrics is absent without it
MACHINE = environment.machine("MACHINE")  # what System and /metrics call it
PAGE_ORIGIN = environment.origin("PAGE_ORIGIN")  # that serves the respondent's page alone, where it has one
SECURITY_CONTACT = environment.contact("SECURITY_CONTACT")  # for /.well-known/security.txt, which is absent without it
X_FRAME_OPTIONS = "DENY"

# ---- what the site is made of ------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "config",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "mining",
    "surveys",
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "config.web.probes.answer_probes",
    "django.middleware.security.SecurityMiddleware",
    "config.web.middleware.security_headers",
    "config.web.middleware.BusyDatabase",
    "config.web.middleware.serve_one_database",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.signin.sessions.renew",
    "config.signin.sessions.forget_old_cookies",
    "config.web.middleware.same_in_every_language",
    "django.middleware.locale.LocaleMiddleware",
    "config.web.middleware.language_of_address",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "config.signin.first_password.must_change",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.web.middleware.say_which_way",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "debug": DEVELOPMENT,  # a traceback shows the line of the template
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.staff",
            ],
            # What nearly every page needs: texts, addresses of files, and on pages of staff icons and the steps.
            "builtins": ["django.templatetags.i18n", "django.templatetags.static", "surveys.templatetags.shell"],
        },
    },
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
] + [{"NAME": "config.signin.first_password.NotTheGenerated"}, {"NAME": "config.signin.tokens.EndWithPassword"}]
PASSWORD_HASHERS = ["config.signin.hashing.OneAtATime"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "studio:home"  # where a sign-in leads that asks to go on to another site
SESSION_COOKIE_AGE = 12 * 3600  # seconds after the last use

# The second factor (config.signin.factor). Nobody signs up, nothing is mailed, and attempts are counted by the site.
ACCOUNT_ADAPTER = "config.signin.factor.Account"
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = False
MFA_ADAPTER = "config.signin.factor.SecondFactor"
MFA_FORMS = {
    "authenticate": "config.signin.factor.Authenticate",
    "reauthenticate": "config.signin.factor.Reauthenticate",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_ISSUER = "Candor"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS  # on this machine, as for cookies
# The university's account (config.signin.university), where there is one.
OIDC: Any = environment.university("OIDC_ISSUER")
SOCIALACCOUNT_ADAPTER = "config.signin.university.Refusals"

# The words of a report have a field for each answer in each language.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000
# Whatever comes with a form stays in memory, where config.web.limits bounds it: no stranger fills a disk.
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]

# ---- where things are kept ---------------------------------------------------------------------------------------

DEMO = environment.flag("DEMO", True)  # whether an empty database is filled with the demo surveys
DATABASE = environment.database(CANDOR_DATA)
if DATABASE["ENGINE"] == "django.db.backends.sqlite3":
    # IMMEDIATE: a transaction takes the write lock when it begins, so that nothing changes between its reading and its
    # writing. FULL: a response that was confirmed survives a power cut. secure_delete: what sealing deletes is
    # overwritten. wal_autocheckpoint: a commit makes no checkpoint, because the sealing job makes them all, in an order
    # (surveys.domain.database.checkpoints). A request that waits longer than the timeout (once in the queue of the
    # threads that store responses, once for the lock) gets a 503 (config.web.middleware.BusyDatabase). Write-ahead
    # logging is a property of the file, and is set before the first migration (config.apps).
    DATABASE["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 4,
        "init_command": "PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA wal_autocheckpoint=0"
        + ("; PRAGMA fullfsync=ON" if sys.platform == "darwin" else ""),
    }
    DATABASE["TEST"] = {"NAME": CANDOR_DATA / "test.sqlite3"}
else:
    # The same timeout on PostgreSQL, for locks and for connections; options in DATABASE_URL take precedence, and
    # child processes wait for longer (surveys.children). The values of an SQL command are sent beside it, not in it:
    # PostgreSQL writes a command that fails to its log, with the time.
    given = DATABASE["OPTIONS"]
    options = f"-c lock_timeout=4s {given.get('options', '')}"
    # A server whose machine has lost its power or its network says nothing. A request that waits for it fails after ten
    # seconds: by the last of these if the command is on its way, by the others if it has arrived. All are of TCP alone.
    unheard = {"keepalives_idle": 4, "keepalives_interval": 2, "keepalives_count": 3, "tcp_user_timeout": 10_000}
    DATABASE["OPTIONS"] = {"connect_timeout": 4, **unheard, **given, "options": options, "server_side_binding": True}
    # PostgreSQL plans a command that a connection repeats once: the one that stores a response is planned for longer
    # than it runs.
    DATABASE["OPTIONS"]["prepare_threshold"] = 5
DATABASES = {"default": {**DATABASE, "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}}

BROKER_SOCKET = socket_path(CANDOR_DATA)
CELERY_BROKER_URL, REDIS_URL = environment.broker(BROKER_SOCKET)
# A person who can write to the broker must not be able to run code: nothing that is read from it is ever a pickle. And
# a broker that does not answer holds nobody up for long: a second, and then nobody for some more.
CACHES = {
    "default": {
        "BACKEND": "config.run.cache.BrokerCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {
            "serializer": "config.run.cache.Json",
            "pool_class": "config.run.cache.Pool",
            "socket_timeout": 1,
            "socket_connect_timeout": 1,
        },
    }
}
CELERY_ACCEPT_CONTENT = CELERY_RESULT_ACCEPT_CONTENT = ["json"]  # of tasks, of results, and of messages that control
CELERY_TASK_SERIALIZER = CELERY_RESULT_SERIALIZER = CELERY_EVENT_SERIALIZER = "json"

# ---- work behind the pages ---------------------------------------------------------------------------------------

# A task is a note that says "look at this". What there is to do stands in the database, so the broker keeps no results,
# and a task may arrive twice. A task leaves the queue when it is done, so a task of a worker that dies comes back.
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A page that asks for work while the broker is away must answer soon, and not wait for ever.
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_timeout": 5, "socket_connect_timeout": 2, "visibility_timeout": 6 * 3600}
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 2, "interval_start": 0.1, "interval_step": 0.2}

# The seconds for which a worker may claim a run before it must renew the claim; the time and memory of a run.
MINING_LEASE = environment.read_whole_number("MINING_LEASE", 20, 1, 600)
MINING_SECONDS = environment.read_whole_number("MINING_SECONDS", 600, 1, 24 * 3600)
MINING_MEMORY_MIB = environment.read_whole_number("MINING_MEMORY_MIB", 1024, 256, 1024 * 1024)

# ---- mail --------------------------------------------------------------------------------------------------------

# What surveys mail to people whom they invite (surveys.domain.mail): the arguments of Django's backend, and the sender.
MAIL = environment.mail("EMAIL_URL", CANDOR_DATA)
DEFAULT_FROM_EMAIL = environment.sender("EMAIL_FROM")

# ---- language, time, files ---------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
STATIC_URL = "static/"
STATICFILES_DIRS: list[Any] = [BASE_DIR / "config" / "static", ("guides", BASE_DIR / "docs" / "images")]
# There are few files. Whitenoise serves them from where they are, so nobody can forget to collect them.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEVELOPMENT

# ---- what is written to the log ----------------------------------------------------------------------------------

# Nothing about the visitor: no address, no browser, and no path, which may hold a receipt. Errors are written with
# their traceback. However much strangers send, lines have a length and come only so often. Nothing is mailed, because
# such a mail would contain the request.
LOG_FORMAT = environment.one_of("LOG_FORMAT", ["line", "json"]) or "line"
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "config.web.logs.ShortLine", "format": "{levelname} {name}: {message}", "style": "{"},
        "json": {"()": "config.web.logs.JsonLine"},
    },
    "filters": {
        "route": {"()": "config.web.logs.RouteOnly"},
        "nameless": {"()": "config.web.logs.Nameless"},
        "bounded": {"()": "config.web.logs.Bounded"},
        "broker": {"()": "config.web.logs.BrokerAway"},
    },
    "handlers": {
        "terminal": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["bounded", "broker"]}
    },
    "root": {"handlers": ["terminal"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        "django.request": {"handlers": [], "filters": ["route"], "level": "ERROR", "propagate": True},
        # Host names that strangers ask for.
        "django.security": {"handlers": [], "level": "CRITICAL", "propagate": True},
        "config": {"level": "INFO"},
        "waitress": {"filters": ["nameless"], "level": "ERROR"},  # warnings, about single requests, name their paths
        "surveys": {"level": "INFO"},
        "mining": {"level": "INFO"},
        "multiprocessing": {"handlers": ["terminal"], "level": "ERROR"},  # of Celery's pool; it hands nothing on
    },
}
