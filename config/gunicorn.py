"""How the web server runs, under `make run` and elsewhere: `gunicorn --config python:config.gunicorn config.wsgi`."""

from config import settings

bind = [f"{settings.BIND}:{settings.PORT}"]
workers = 2
threads = 4
graceful_timeout = 10
# No access log (the default), and of the server's own log only errors: its warnings name the caller's address.
accesslog = None
loglevel = "error"
control_socket_disable = True
