"""Who can open a link to this site: decided by the address that the reader uses, because links begin with it."""

from enum import Enum
from ipaddress import ip_address

from django.http import HttpRequest
from django.utils.translation import gettext as _

LOOPBACK = ("localhost",)
PRIVATE = ("local", "lan", "internal", "home.arpa")  # RFC 6762, RFC 8375, and what ICANN keeps free


class Audience(Enum):
    """Who can open an address."""

    MACHINE = "machine"  # nobody but who sits at it
    NETWORK = "network"  # everybody in the same network
    EVERYBODY = "everybody"


def reach_of(host: str) -> Audience:
    """Return who can open this host: only this computer, its network, or everybody. A port may follow it."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() and not host.endswith("]") else host
    name = name.strip("[]").rstrip(".").lower()
    try:
        number = ip_address(name)
    except ValueError:
        if _is_below(name, LOOPBACK):
            return Audience.MACHINE
        return Audience.NETWORK if _is_below(name, PRIVATE) else Audience.EVERYBODY
    number = getattr(number, "ipv4_mapped", None) or number
    if number.is_loopback or number.is_unspecified:
        return Audience.MACHINE
    return Audience.EVERYBODY if number.is_global else Audience.NETWORK


def is_local(request: HttpRequest) -> bool:
    """Whether links that begin with the address that the reader uses work only on this computer."""
    return reach_of(request.get_host()) is Audience.MACHINE


def warning(request: HttpRequest) -> tuple[str, str] | None:
    """The warning before a link is given: a short one, then the reason; None where everybody can open the link."""
    host = request.get_host()
    match reach_of(host):
        case Audience.MACHINE:
            first = _("This address works only on this computer.")
            why = _("Links begin with %(host)s, so nobody else can open them. Put the site on the web first.")
        case Audience.NETWORK:
            first = _("This address works only in your network.")
            why = _("Links begin with %(host)s, so only people in the same network can open them.")
        case _everybody:
            return None
    return first, why % {"host": host}


def _is_below(name: str, domains: tuple[str, ...]) -> bool:
    return any(name == domain or name.endswith(f".{domain}") for domain in domains)
