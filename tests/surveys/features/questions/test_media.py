"""Pictures and sounds of surveys: which files are taken, how they are kept, and what is published of them."""

import json
import re
import struct
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from time import process_time
from typing import Any

import pytest
from django.test import Client

from privacy.errors import EntryError, InputError
from surveys import media
from surveys.domain.closed.erase import erase
from surveys.domain.page import bundle
from surveys.domain.questionnaire import media as kept
from surveys.domain.questionnaire.document import read_document
from surveys.domain.questionnaire.publish import publish
from surveys.features.looks import contrast, shades
from surveys.media import plain_file
from surveys.models import Medium, Survey
from surveys.studio.home import begin
from tests.media import MP3, chunk, exif, jpeg, keep, name_of, png, segment, svg
from tests.surveys.making import make_survey, set_question, write
from tests.surveys.staff import somebody

MORE = "a script, an entity or another file in it"
SLOW = "everybody loads it, also on a slow line."
SCRIPTS = [
    svg("<script>1</script>"),
    svg('<circle r="4" onload="1"/>'),
    svg('<image href="https://elsewhere.example/1.png"/>'),
    svg('<g xmlns:x="http://www.w3.org/1999/xlink"><use x:href="//elsewhere.example/1.svg#a"/></g>'),
    svg("<foreignObject><p>1</p></foreignObject>"),
    svg("<g>" * 200 + "</g>" * 200),
    b'<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + svg("<text>&a;</text>"),
    ('<!DOCTYPE svg [<!ENTITY a "a">]><!-- \u733c\u6776 -->' + svg("<text>&a;</text>").decode()).encode("utf-16"),
    svg("<style>@im<g>z</g>port 'https:elsewhere.example'</style>"),
    svg("<style>rect { fill: image-set('https:elsewhere.example/1' 1x) }</style>"),
    svg("<style>@media (prefers-color-scheme: dark) { rect { fill: red } }</style>"),
    b'<html xmlns="http://www.w3.org/1999/xhtml"><svg/></html>',
    svg("<style>@import url(https://elsewhere.example/1.css)</style>"),
    svg('<rect fill="url(https://elsewhere.example/1.svg#a)"/>'),
    svg('<a href="#x"><set attributeName="href" to="javascript:1"/></a>'),
    svg('<image href="data:image/jpeg;base64,AAAA"/>'),
    svg('<rect fill="&#117;rl(https:elsewhere.example)"/>'),
    svg("<style>rect { fill: u\\72l(1.svg) }</style>"),
    svg("<rect style=\"fill: image-set('//elsewhere.example/1.png' 1x)\"/>"),
]
DRAWN = "the drawing draws more than 20000 parts, each counted as often as it is drawn: simplify it."


def nested(depth: int, inside: str) -> str:
    """A part that draws the one before it, which draws the one before that, …"""
    return "".join(inside.format(own=f"a{step}", inner=f"a{step - 1}") for step in range(1, depth + 1))


LINE = "M0 0" + "L1 1" * 300
OFTEN = [  # each of less than 25 kB
    svg(nested(9, f'<marker id="{{own}}"><path d="{LINE}" marker-mid="url(#{{inner}})"/></marker>') + FIRST)
    for FIRST in (
        '<path d="M0 0L1 1L2 2" marker-mid="url(#a9)"/>',
        '<g style="marker:url(#a9)"><path d="M0 0L1 1"/></g>',
    )
]
OFTEN += [
    svg("<defs>" + nested(15, '<g id="{own}">' + '<use href="#{inner}"/>' * 9 + "</g>") + '</defs><use href="#a9"/>'),
    svg(nested(2, f'<marker id="{{own}}"><path class="{{inner}}" d="{LINE}"/></marker>')
        + f'<style>.a1, path {{ marker-mid: url(#a1) }} #b {{ marker: url("#a2") }}</style><path id="b" d="{LINE}"/>'),
    svg('<g filter="url(#a)"/>' * 300 + '<filter id="a"><feGaussianBlur/></filter>'),
    svg("<defs>" + nested(12, '<g id="{own}"><use href="#{inner}"/></g>') + '<g id="a0"/></defs><use href="#a12"/>'),
]  # fmt: skip
SCAN = segment(0xDA, b"\1\1\0\0\x3f\0") + b"\x12"
NOTE = b"52 31 12 N, Ann"
TIFF = b"Exif\0\0" + NOTE


@pytest.mark.parametrize(
    ("body", "ending"),
    [
        (png(30, 20), "-30x20.png"),
        (jpeg(1024, 768), "-1024x768.jpg"),
        (svg(), "-120x40.svg"),
        (svg(head='width="64px" height="32"'), "-64x32.svg"),
        (svg(head='viewBox="0 0 .5 3"'), "-1x3.svg"),
        (svg(head='width="210mm" height="297mm" viewBox="0 0 21000 29700"'), "-794x1123.svg"),
        (svg(head='width="100%" height="100%" viewBox="0 0 8000 100"'), "-4000x50.svg"),
        (svg(head='width="600" height="400" viewBox="0 0 24 16"'), "-600x400.svg"),
        (svg("<style>rect { fill: url('#a') } /* http://maker.example */</style>"), "-120x40.svg"),
        (svg('<defs><g id="a"/></defs><use href="#a"/>'), "-120x40.svg"),
        (MP3, ".mp3"),
    ],
)
def test_a_name_says_the_bytes_the_size_and_the_type(body: bytes, ending: str) -> None:
    name, plain = plain_file(body)
    assert name == sha256(plain).hexdigest() + ending
    assert (media.is_name(name), media.is_picture(name)) == (True, "x" in ending)


def test_a_sound_of_a_survey_from_before_keeps_its_type() -> None:
    """Surveys took M4A once; what is published with one is served as it was."""
    name = sha256(b"").hexdigest() + ".m4a"

    assert (media.is_name(name), media.content_type(name)) == (True, "audio/mp4")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "this is no PNG, JPEG, SVG or MP3 file."),
        (b"%PDF-1.7", "this is no PNG, JPEG, SVG or MP3 file."),
        (b"RIFF\0\0\0\0WEBPVP8 ", "this is no PNG, JPEG, SVG or MP3 file."),
        (png()[:20], "the file is damaged, or not what it begins as."),
        (png()[:-5] + b"12345", "the file is damaged, or not what it begins as."),
        (png(more=chunk(b"NEWS")), "the file is damaged, or not what it begins as."),
        (png().replace(b"IDAT", b"tEXt"), "the file is damaged, or not what it begins as."),
        (jpeg().replace(b"\xff\xc2", b"\xff\xc9"), "the file is damaged, or not what it begins as."),
        (jpeg(more=segment(0xC0, struct.pack(">BHHB", 8, 8, 8, 1))), "the file is damaged, or not what it begins as."),
        (jpeg()[:40], "the file is damaged, or not what it begins as."),
        (jpeg()[:-2], "the file is damaged, or not what it begins as."),
        (b"\xff\xd8\xff\xe0\0\0" + bytes(40), "the file is damaged, or not what it begins as."),
        (b"\xff\xd8\xff\xd9", "the file is damaged, or not what it begins as."),
        (b"ID3\4\0\0\0\0\0\0" + bytes(40), "the file is damaged, or not what it begins as."),
        (svg()[:-3], "the file is damaged, or not what it begins as."),
        (svg(head=""), "the file is damaged, or not what it begins as."),
        (svg(head='viewBox="0 0 nan 4"'), "the file is damaged, or not what it begins as."),
        (svg(head='viewBox="0 0 4 -4"'), "the file is damaged, or not what it begins as."),
        (b'<?xml version="1.0" encoding="klingon"?>' + svg(), "the file is damaged, or not what it begins as."),
        (b"\0\0\0\x18ftypM4A " + bytes(40), "this is no PNG, JPEG, SVG or MP3 file."),
        (b"\0\0\0\x18ftypheic" + bytes(40), "this is no PNG, JPEG, SVG or MP3 file."),
        *((body, DRAWN) for body in OFTEN),
        (jpeg(more=SCAN * 99), "the picture is drawn 101 times over itself, more than 100: save it again."),
        (png(5000, 1), "the picture has 5000 × 1 pixels; each side has 1 to 4000."),
        (jpeg(0, 9), "the picture has 0 × 9 pixels; each side has 1 to 4000."),
        (png(more=chunk(b"IDAT", bytes(500_000))), f"the file has 501 kB, more than 500: {SLOW}"),
        (MP3 * 2400, f"the file has 1001 kB, more than 1000: {SLOW}"),
        *((body, f"the drawing has {MORE}: export it as a plain SVG.") for body in SCRIPTS),
    ],
)  # fmt: skip
def test_another_file_is_refused_in_a_sentence(body: bytes, why: str) -> None:
    with pytest.raises(EntryError) as refused:
        name_of(body)
    assert refused.value.sentence.format(**refused.value.values) == why


@pytest.mark.parametrize(
    ("body", "plain"),
    [
        *((png(more=chunk(kind, NOTE)), png()) for kind in (b"eXIf", b"tEXt", b"zTXt", b"iTXt", b"tIME", b"prVt")),
        (png() + NOTE, png()),
        (png(more=chunk(b"gAMA", b"1234")), png(more=chunk(b"gAMA", b"1234"))),
        *((jpeg(more=segment(marker, TIFF)), jpeg()) for marker in (0xDC, 0xE0, 0xE1, 0xE2, 0xED, 0xEE, 0xFE)),
        (jpeg(more=segment(0xE0, b"JFIF\0" + NOTE)), jpeg(more=segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0"))),
        (jpeg(more=segment(0xEE, b"Adobe1234567" + NOTE)), jpeg(more=segment(0xEE, b"Adobe1234567"))),
        (jpeg(more=b"\xff\xff\xff" + segment(0xFE, NOTE)[1:]), jpeg()),
        (jpeg() + NOTE, jpeg()),
        (b"ID3\4\0\0\0\0\0\x0f" + NOTE + MP3, MP3),
        (b"ID3\4\0\0\0\0\1\0" + NOTE + bytes(113) + MP3 + b"TAG" + NOTE + bytes(110), MP3),
        *((MP3 + MP3 + mark + NOTE, MP3 + MP3) for mark in (b"APETAGEX", b"LYRICSBEGIN", b"TAG+", b"ID3", b"\xff")),
        (MP3 + MP3[:50], MP3),
        (svg('<g id="52N-Ann"/>'), svg('<g id="n0"/>')),
        (svg('<g aria-label="52N-Ann" class="52N-Ann"/>'), svg('<g class="n0"/>')),
        (svg(f"<!-- {NOTE} -->"), svg("")),
        *((svg(f"<{name}>{NOTE}</{name}>"), svg("")) for name in ("metadata", "title", "desc", "diary")),
        (svg(f'<g content="{NOTE}" data-by="{NOTE}">{NOTE}</g>'), svg("<g/>")),
        (svg(f"<style>/* {NOTE} */</style>"), svg("<style></style>")),
        (svg("<text>Hello<x:y xmlns:x='https://maker.example'/></text>"), svg("<text>Hello</text>")),
        (svg(f'<x:view xmlns:x="https://maker.example" path="{NOTE}"><script/></x:view>'), svg("")),
        (svg(f'<g xmlns:x="https://maker.example" x:file="{NOTE}"/>'), svg("<g/>")),
        (b"<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'x.dtd'><?maker " + NOTE + b"?>" + svg(), svg()),
    ],
)
def test_what_a_camera_or_a_program_wrote_is_not_kept(body: bytes, plain: bytes) -> None:
    """It would tell respondents where the researcher has been, or who drew it."""
    assert plain_file(body) == plain_file(plain)
    assert NOTE not in plain_file(body)[1]


def test_the_names_of_a_drawing_are_others_and_its_references_hold() -> None:
    """In attributes and style sheets; colours stay colours."""
    drawing = svg(
        '<linearGradient id="Ann"/><g id="abc"/><use href="#abc"/><rect class="by Lee" fill="url(#Ann)"/>'
        "<style>#abc, g.Lee > .by{fill: url( '#Ann' ); stroke: #abc} Ann</style>"
    )
    renamed = svg(
        '<linearGradient id="n0" /><g id="n1" /><use href="#n1" /><rect class="n2 n3" fill="url(#n0)" />'
        "<style>#n1, g.n3 &gt; .n2{fill: url( '#n0' ); stroke: #abc}</style>"
    )
    assert plain_file(drawing)[1] == renamed
    assert plain_file(plain_file(drawing)[1]) == plain_file(drawing)


DOTS = "<marker id='a'>" + "<path d='M0 0'/>" * 200 + "</marker>"
HIDDEN = [
    f'<path d="{LINE}" style="MARKER: URL(#a)"/>',
    f'<path d="{LINE}" style="/**/marker:url( #a )"/>',
    f'<g style="--of-my-own: url(#a)"><path d="{LINE}" style="marker: var(--of-my-own)"/></g>',
    f'<g marker-mid="url(#a)"><path d="{LINE}" marker-mid="nothing known"/></g>',
    f'<style>:not(g) {{ marker: url(#a) }}</style><path d="{LINE}"/>',
    f'<style>path {{ marker: url(#a) !important }}</style><path d="{LINE}" style="marker: none"/>',
    f'<defs><path id="b" d="{LINE * 9}"/></defs>' + '<use href="#b"/>' * 900,
    f'<defs><text id="b">{"many letters " * 900}</text></defs>' + '<use href="#b"/>' * 900,
]


def test_what_takes_a_browser_minutes_is_refused_at_once() -> None:
    """Counting stops where the limit is; what is drawn as often as it stands there is taken, however much it is."""
    before = process_time()
    for body in OFTEN:
        assert len(body) < 25_000
        with pytest.raises(EntryError):
            plain_file(body)
    assert process_time() - before < 5
    arrows = '<marker id="a"><path d="M0 0L1 1"/></marker>' + '<line marker-end="url(#a)"/>' * 2000
    assert plain_file(svg(arrows + '<use href="#b"/>' * 100))[0].endswith(".svg")


def test_a_file_made_to_take_long_takes_as_long_as_it_is() -> None:
    """Runs of what a scan or a drawing may hold are passed once: ten times as much takes about ten times as long."""

    def steps(make: Callable[[int], bytes], size: int) -> float:
        before = process_time()
        with suppress(EntryError):
            plain_file(make(size))
        return process_time() - before

    for make in (
        lambda size: jpeg()[:-2] + b"\xff" * size + b"\0",
        lambda size: svg("<g/>" * size + '<x:y xmlns:x="https://maker.example"/>' * size),
        lambda size: b"ID3\4\0\0\0\0\0\0" * size + MP3,
    ):
        assert steps(make, 20_000) < 40 * max(steps(make, 2_000), 0.01)


@pytest.mark.parametrize("inside", HIDDEN)
def test_what_is_drawn_is_counted_however_a_style_says_it(inside: str) -> None:
    """Each way of CSS to name a marker, each rule that may win, and the points and letters that are drawn again."""
    with pytest.raises(EntryError) as refused:
        plain_file(svg(DOTS + inside))
    assert str(refused.value).partition(": ")[2] == DRAWN


def test_a_rule_that_names_parts_by_attributes_keeps_no_name() -> None:
    """Names have gone from the parts, so such a rule would find none of them."""
    drawing = svg('<style>[id="anna"] {fill: red} g {fill: URL( #anna )}</style><g id="anna"/>')
    assert plain_file(drawing)[1].count(b"anna") == 0
    assert b"g {fill: URL( #n0 )}" in plain_file(drawing)[1]


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(("turned", "size"), [(1, "640x480"), (3, "640x480"), (6, "480x640"), (9, "640x480")])
def test_a_photograph_is_seen_as_it_was_held(turned: int, size: str, order: str) -> None:
    """How it is turned is all that stays of what the camera wrote."""
    name, plain = plain_file(jpeg(more=exif(turned, order)))
    assert name.endswith(f"-{size}.jpg")
    assert (plain == jpeg()) == (turned in (1, 9))
    assert plain_file(plain) == (name, plain)
    assert b"52 31" not in plain


def test_the_page_knows_the_types_of_all_formats() -> None:
    """It gives the bytes the type that the name says, not one that the site says."""
    script = bundle.files()["features/questions/media.js"].body.decode()
    assert dict(re.findall(r"(\w+): '((?:image|audio)/[^']+)'", script)) == media.CONTENT_TYPES


def test_a_file_is_kept_once_and_served_by_its_name_alone() -> None:
    """By its survey, with no header that a browser could take for a page; nobody keeps a copy."""
    survey, other = make_survey(), make_survey("other")
    name = keep(survey, svg())
    assert (keep(survey, svg()), Medium.objects.count()) == (name, 1)
    answer = Client().get(f"/s/study/media/{name}")
    assert (answer.status_code, answer.content) == (200, plain_file(svg())[1])
    assert {header: answer[header] for header in ("Content-Type", "Cache-Control", "Content-Disposition")} == {
        "Content-Type": "image/svg+xml",
        "Cache-Control": "no-store",
        "Content-Disposition": "attachment",
    }
    assert answer["Content-Security-Policy"] == bundle.CONTENT_SECURITY_POLICY
    unknown = [f"/s/{other.slug}/media/{name}", f"/s/study/media/{name[:-4]}.png", "/s/study/media/1.png"]
    assert [Client().get(address).status_code for address in unknown] == [404, 404, 404]


def test_where_no_room_is_left_only_what_is_named_stays(survey: Survey, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the draft, by a published version or by a test; and what still does not fit is refused."""
    published, drafted, forgotten = (keep(survey, png(shade=shade)) for shade in (1, 2, 3))
    set_question(survey, "drugs", media={"file": {"en": published}, "words": {"en": "Grey"}})
    publish(survey)
    set_question(survey, "drugs", media={"file": {"en": drafted}, "words": {"en": "Grey"}})
    size = len(png())
    monkeypatch.setattr(kept, "MOST", 3 * size)
    new = keep(survey, png(shade=4))
    assert {*survey.media.values_list("name", flat=True)} == {published, drafted, new}
    assert forgotten != new
    write(survey, looks={"logo": new, "words": {"en": "Grey"}, "accent": ""})
    with pytest.raises(EntryError, match="the files of this survey"):
        keep(survey, png(shade=5))
    assert {*survey.media.values_list("name", flat=True)} == {published, drafted, new}


def test_files_and_looks_are_published_in_each_language() -> None:
    """The question's file of a language, what it says in words, the logo, and two shades of a colour."""
    survey = make_survey(languages=["en"])
    picture, logo = keep(survey, png()), keep(survey, svg())
    set_question(survey, "theft", media={"file": {"en": picture, "de": logo}, "words": {"en": "A shop", "de": "Laden"}})
    write(survey, looks={"logo": logo, "words": {"en": "University"}, "accent": "#ffcc00"})
    source = json.loads(bytes(publish(survey).definition))
    asked = {question["id"]: question.get("media") for question in source["pages"][0]["questions"]}
    assert asked == {
        "drugs": None,
        "cheating": None,
        "theft": {"file": {"en": picture}, "words": {"en": "A shop"}},
    }
    assert source["looks"] == {
        "logo": {"file": logo, "words": {"en": "University"}},
        "accent": {"light": shades("#ffcc00")["light"], "dark": "#ffcc00"},
    }


@pytest.mark.parametrize(
    ("looks", "media_of_drugs", "why"),
    [
        ({"logo": "", "words": {}, "accent": ""}, {"words": {}}, "“drugs? · picture or sound” has no text in English."),
        ({"logo": "LOGO", "words": {}, "accent": ""}, None, "“what the logo shows” has no text in English."),
    ],
)
def test_without_words_nothing_is_published(survey: Survey, looks: Any, media_of_drugs: Any, why: str) -> None:
    """Not everybody sees a picture or hears a sound."""
    name = keep(survey, png())
    write(survey, looks={**looks, "logo": looks["logo"] and name})
    if media_of_drugs:
        set_question(survey, "drugs", media={"file": {"en": name}, **media_of_drugs})
    with pytest.raises(InputError, match=re.escape(why)):
        publish(survey)


def test_a_file_that_is_not_on_this_site_is_missed_before_publishing(survey: Survey) -> None:
    """A survey from another site's file names files that stayed there."""
    set_question(survey, "drugs", media={"file": {"en": name_of(png())}, "words": {"en": "Grey"}})
    with pytest.raises(EntryError, match="is not on this site"):
        publish(survey)
    keep(survey, png())
    assert publish(survey).number == 1


def test_a_copy_of_a_survey_has_its_files_and_erasing_one_leaves_the_other(survey: Survey) -> None:
    named, unnamed = keep(survey, png()), keep(survey, svg())
    set_question(survey, "drugs", media={"file": {"en": named}, "words": {"en": "Grey"}})
    copy = begin(somebody(), {**read_document(survey), "title": "Copy"}, survey)
    assert ({*copy.media.values_list("name", flat=True)}, survey.media.count()) == ({named}, 2)
    erase(survey)
    assert [*Medium.objects.values_list("survey__title", "name")] == [("Copy", named)]
    assert unnamed not in Medium.objects.values_list("name", flat=True)


@pytest.mark.parametrize(
    ("looks", "why"),
    [
        ({}, "looks has a logo, an accent, or both."),
        ({"style": "body{}"}, "looks has a logo, an accent, or both."),
        ({"logo": {"file": "../../etc", "words": {"en": "x"}}}, 'the logo holds a "file" and its "words".'),
        ({"logo": {"file": name_of(MP3), "words": {"en": "x"}}}, "a logo is a picture."),
        ({"logo": {"file": name_of(png()), "words": {}}}, "say in words, in every language"),
        ({"accent": {"light": "#ffff00", "dark": "#ffff00"}}, "has a contrast below 4.5 on a light page"),
        ({"accent": {"light": "red", "dark": "#ffff00"}}, "“red” is no colour"),
    ],
)
def test_a_definition_has_no_other_looks(looks: Any, why: str) -> None:
    """Also where it is written by hand: colours cannot hide words, and only files of the survey are loaded."""
    source = publish(make_survey()).parsed.source
    with pytest.raises(InputError, match=re.escape(why)):
        type(Survey.objects.get().versions.get().parsed).parse({**source, "looks": looks})


def test_contrast_is_that_of_the_guidelines() -> None:
    """Published pairs: black on white, and the lightest grey that passes on white."""
    assert round(contrast("#000000", "#ffffff"), 2) == 21.0
    assert round(contrast("#767676", "#ffffff"), 2) == 4.54
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48


@pytest.mark.parametrize("color", ["#17635c", "#ffcc00", "#000000", "#ffffff", "#0000ff", "#e4f0ed", "#7f7f7f"])
def test_every_colour_has_shades_that_can_be_read(color: str) -> None:
    """On page, card and what is chosen, by day and at night; one that can be read stays as it is."""
    found = shades(color)
    by_day, at_night = ("#fbfaf7", "#ffffff", "#e4f0ed"), ("#131817", "#1b2220", "#1c3330")
    assert min(contrast(found["light"], ground) for ground in by_day) >= 4.5
    assert min(contrast(found["dark"], ground) for ground in at_night) >= 4.5
    for shade, grounds in ((found["light"], by_day), (found["dark"], at_night)):
        assert (shade == color) == (min(contrast(color, ground) for ground in grounds) >= 4.5)


def test_the_grounds_are_those_of_the_page() -> None:
    """The colours that shades are read on stand in the page's styles, by day first."""
    style = bundle.files()["style.css"].body.decode()
    grounds = [re.findall(rf"--{name}: (#[0-9a-f]+)", style) for name in ("page", "card", "soft")]
    assert grounds == [["#fbfaf7", "#131817"], ["#fff", "#1b2220"], ["#e4f0ed", "#1c3330"]]
