"""What media tell of themselves: kind, pixels, pages, seconds, bytes, or where they are."""

import pytest

from requirement import requirement
from unit.wire.pictures import b64, bmp, data_url, gif, jpeg, pdf, png, wav, webp
from vademecum.core.media import Media, described, listed, tally
from vademecum.core.tokens import IMAGE_TOKENS, PAGE_TOKENS, SECOND_TOKENS, media_tokens
from vademecum.wire.media import from_audio, from_base64, from_file, from_url
from vademecum.wire.pdf import pages


@requirement("C-19", "C-11")
@pytest.mark.parametrize(
    ("data", "format"),
    [
        (png(640, 480), "PNG"),
        (gif(640, 480), "GIF"),
        (bmp(640, 480), "BMP"),
        (jpeg(640, 480), "JPEG"),
        (jpeg(640, 480, thumbnail=60_000), "JPEG"),
        (webp(640, 480, b"VP8X"), "WebP"),
        (webp(640, 480, b"VP8L"), "WebP"),
        (webp(640, 480, b"VP8 "), "WebP"),
    ],
)
def test_the_first_bytes_of_an_image_tell_its_size(data: bytes, format: str) -> None:
    media = from_url(data_url(data, "image/unknown"), kind="image")
    assert media == Media("image", format, 640, 480, size=len(data))
    assert media_tokens(media) == 640 * 480 // 750


@requirement("C-11")
@pytest.mark.parametrize(
    "made",
    [
        pdf(37),
        pdf(37, packed=True),
        pdf(37, linearized=True, packed=True),
        pdf(37, counted=False),
        pdf(37, packed=True, counted=False),
    ],
    ids=["plain", "packed", "linearized", "uncounted", "packed, uncounted"],
)
def test_a_pdf_is_counted_by_its_pages(made: bytes) -> None:
    assert pages(made) == 37
    media = from_base64(b64(made), "application/pdf")
    assert (media.format, media.pages, media.size) == ("PDF", 37, len(made))
    assert media_tokens(media) == 37 * PAGE_TOKENS


@requirement("C-11")
@pytest.mark.parametrize("data", [b"", b"no pdf", b"%PDF-1.7\n/ObjStm stream\nbroken"])
def test_what_does_not_say_its_pages_is_counted_by_bytes(data: bytes) -> None:
    assert pages(data) == 0
    assert media_tokens(Media("document", size=655_360)) == 10 * PAGE_TOKENS
    assert media_tokens(Media("document", where="file_1")) == PAGE_TOKENS


@requirement("C-11")
def test_a_recording_is_counted_by_seconds_and_never_by_its_base64() -> None:
    media = from_audio({"data": b64(wav(12)), "format": "wav"})
    assert (media.kind, media.format, media.seconds) == ("audio", "WAV", 12)
    assert media_tokens(media) == 12 * SECOND_TOKENS["audio"]
    film = from_base64("A" * 4_000_000, "video/mp4")
    assert (film.kind, film.seconds) == ("video", 24)


@requirement("C-19")
@pytest.mark.parametrize("where", ["https://x.example/a.png", "file_abc"])
def test_what_is_elsewhere_says_so(where: str) -> None:
    media = from_url(where, kind="image")
    assert (media.where, media.size, media_tokens(media)) == (where, 0, IMAGE_TOKENS)
    assert described(media) == f'image, only its reference "{where}" is archived'


@requirement("C-19")
def test_files_are_named() -> None:
    inline = from_file({"filename": "report.pdf", "file_data": data_url(pdf(2), "application/pdf")})
    assert described(inline) == f'PDF document "report.pdf", 2 pages, {len(pdf(2)):,} bytes'
    bare = from_file({"filename": "notes.docx", "file_data": b64(b"PK\x03\x04" + bytes(96))})
    assert described(bare) == 'DOCX document "notes.docx", 100 bytes'
    held = from_file({"filename": "report.pdf", "file_id": "file_7"})
    assert described(held) == 'PDF document "report.pdf", only its reference "file_7" is archived'


def test_many_media_are_told_in_few_words() -> None:
    several = (Media("image", "PNG", 8, 6), *[Media("image")] * 5, Media("document", "PDF", pages=1))
    assert listed(several) == "PNG image, 8 × 6 pixels; image; image; image; 3 more"
    assert tally(several) == "6 images, 1 document"
    assert described(Media("document", pages=1)) == "document, 1 page"
    assert described(Media("audio", "MP3", seconds=4)) == "MP3 audio, 4 s"
