"""What templates of results need: numbers of people, and addresses of pictures, which staff and shared links have."""

from django import template

from privacy.output import format_count
from surveys.results.figures import keep_together

register = template.Library()
register.filter("whole", format_count)
register.filter("joined", keep_together, is_safe=True)


@register.simple_tag
def picture_file(address: str, name: str) -> str:
    """The address of the picture of this name, from that of "NAME"."""
    return address.replace("NAME", name)
