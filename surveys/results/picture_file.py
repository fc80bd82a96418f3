"""A figure of a report as a file to keep, in the answer of a page."""

from collections.abc import Iterable

from django.http import Http404, HttpResponse

from surveys.results.figures import Figure, document


def picture_file(drawn: Iterable[Figure], name: str, source: str) -> HttpResponse:
    """An HTTP answer with the figure of this name as an SVG file to keep; 404 where it has no picture."""
    figure = next((each for each in drawn if each.name == name and each.svg), None)
    if figure is None:
        raise Http404
    headers = {
        "Content-Disposition": f'attachment; filename="{name}.svg"',
        "Content-Security-Policy": "default-src 'none'",
        "Cache-Control": "no-store",
    }
    return HttpResponse(document(figure, source), content_type="image/svg+xml", headers=headers)
