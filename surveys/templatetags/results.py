"""Addresses of pictures: the same template shows a figure to staff and behind a shared link."""

from django import template

register = template.Library()


@register.simple_tag
def picture_file(address: str, name: str) -> str:
    """The address of the picture of this name, from that of "NAME"."""
    return address.replace("NAME", name)
