"""Uploads a PDF to a presigned URL, and reports how much of it was sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from ._transport import Headers, Transport

#: Seconds for one upload or download of at most 25 MB.
TRANSFER_TIMEOUT_SECONDS = 600.0
_CHUNK_BYTES = 64 * 1024
_PDF_HEADERS = {"Content-Type": "application/pdf"}

Pdf = bytes | Path
#: Called with the bytes that were sent and the size; a new attempt begins at 0 again.
Progress = Callable[[int, int], None]


def read_pdf(pdf: Pdf) -> bytes:
    """Returns the bytes of a PDF, or of the file at its path."""
    return pdf.read_bytes() if isinstance(pdf, Path) else pdf


def _pieces(octets: bytes, on_progress: Progress | None) -> Iterator[bytes]:
    for start in range(0, len(octets), _CHUNK_BYTES):
        piece = octets[start : start + _CHUNK_BYTES]
        yield piece
        if on_progress is not None:
            on_progress(start + len(piece), len(octets))


def put_document(
    transport: Transport,
    url: str,
    octets: bytes,
    *,
    headers: Headers | None = None,
    on_progress: Progress | None = None,
) -> None:
    """Uploads a PDF with `PUT`. A repeated upload replaces the document, so it is tried again."""
    transport.send(
        "PUT",
        url,
        headers={**(headers or _PDF_HEADERS), "Content-Length": str(len(octets))},
        body=lambda: _pieces(octets, on_progress),
        timeout=TRANSFER_TIMEOUT_SECONDS,
    )
