"""Log lines that say what happened, but not to whom."""

import logging


class RouteOnly(logging.Filter):
    """Write the route in place of the path in Django's lines about requests, because a path may hold a receipt."""

    def filter(self, record: logging.LogRecord) -> bool:
        match = getattr(getattr(record, "request", None), "resolver_match", None)
        if isinstance(record.args, tuple) and len(record.args) == 2:
            record.args = (record.args[0], match.route if match else "no page of ours")
        return True
