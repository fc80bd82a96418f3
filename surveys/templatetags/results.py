"""What templates of results need: numbers of people, and addresses of pictures, which staff and shared links have."""

from django import template

from surveys.results.figures import joined, whole

register = template.Library()
register.filter("people", whole)
register.filter("joined", joined, is_safe=True)


@register.simple_tag
def picture_file(address: str, name: str) -> str:
    """The address of the picture of this name, from that of "NAME"."""
    return address.replace("NAME", name)
