"""How the web server runs, under `make run` and elsewhere: `gunicorn --config python:config.gunicorn config.wsgi`."""

from config import settings

bind = [f"{settings.BIND}:{settings.PORT}"]
worker_class = "config.worker.Worker"
workers = 2
# Most of a request's time is waiting, for the sender's bytes or for the database's one writer: so many may wait, and a
# page that needs neither is still served.
threads = 16
graceful_timeout = 10
# No access log (the default), and of the server's own log only errors: its warnings name the caller's address.
accesslog = None
loglevel = "error"
control_socket_disable = True
