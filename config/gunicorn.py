"""The settings of the web server, for `make run` and for `gunicorn --config python:config.gunicorn config.wsgi`.

Gunicorn's master holds the port and starts again what dies. What serves the connections is `config.web.worker.Worker`.
"""

import gc
import os
import resource

from gunicorn.arbiter import Arbiter

from config import settings

# The class of the workers is loaded before the application.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
bind = [f"{settings.BIND}:{settings.PORT}"]
worker_class = "config.web.worker.Worker"
workers = 2
# The master loads the site once: a worker that dies has its successor in milliseconds.
preload_app = True
graceful_timeout = 10
# There is no access log (the default). The server's own log has errors only, because its warnings name addresses; its
# lines look like all others.
accesslog = None
loglevel = "error"
logconfig_dict = {
    **settings.LOGGING,
    "loggers": {**settings.LOGGING["loggers"], "gunicorn.error": {"handlers": [], "level": "ERROR", "propagate": True}},
}
control_socket_disable = True

# Every connection is an open file, and many systems allow 1 024 of them unless a program asks for more.
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def when_ready(_master: Arbiter) -> None:
    """Exclude what is loaded from garbage collection, so that workers share its memory."""
    gc.freeze()
