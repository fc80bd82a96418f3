"""The settings of the web server, for `make run` and for `gunicorn --config python:config.gunicorn config.wsgi`."""

from config import settings

bind = [f"{settings.BIND}:{settings.PORT}"]
worker_class = "config.worker.Worker"
workers = 2
# A request spends most of its time waiting: for the bytes of the sender, or for the one writer of the database. So many
# requests may wait, and a page that needs neither is still served.
threads = 16
graceful_timeout = 10
# There is no access log (the default). The server's own log has errors only, because its warnings name addresses.
accesslog = None
loglevel = "error"
control_socket_disable = True
