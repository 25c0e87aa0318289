"""Verifies webhooks (specification 5.6 and 6.2)."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import Any, Literal, NotRequired, TypedDict, cast

from .errors import SigcaseError

#: Older webhooks are refused, because an attacker could replay them.
TOLERANCE_SECONDS = 300.0
_HEADER = re.compile(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})(?:,|\Z)")


class WebhookDocument(TypedDict):
    #: Works for one hour.
    url: str


class WebhookEvent(TypedDict):
    """The body of a webhook."""

    #: The same for every attempt; use it to drop duplicates.
    id: str
    type: Literal[
        "participant-signed",
        "case-completed",
        "case-failed",
        "case-expired",
        "case-cancelled",
    ]
    occurredAt: str
    tenantId: str
    caseId: str
    #: Status of the case at the time of the attempt.
    status: Literal[
        "NEW", "IN_PROGRESS", "DONE", "UPLOAD_REJECTED", "EXPIRED", "CANCELLED", "FAILED"
    ]
    #: `callback.data` of the case, unchanged.
    data: NotRequired[dict[str, Any]]
    #: With `participant-signed`.
    participantId: NotRequired[str]
    #: Once the case is DONE.
    signedDocument: NotRequired[WebhookDocument]
    #: Once the case is DONE.
    evidenceDocument: NotRequired[WebhookDocument]


def verify_webhook(
    secret: str,
    header: str | None,
    raw_body: bytes,
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> bool:
    """Returns whether a webhook is genuine and recent. Compares in constant time.

    `secret` is `callback.signingSecret` of the case, `header` the value of `Service-Signature`,
    `raw_body` the body as it was received, before it is parsed.
    """
    match = _HEADER.match(header or "")
    if match is None or not secret:
        return False
    t, v1 = match.groups()
    if abs((time.time() if now is None else now) - int(t)) > tolerance_seconds:
        return False
    message = t.encode("ascii") + b"." + raw_body
    expected = hmac.new(secret.encode("utf-8"), message, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, v1)


def read_webhook(secret: str, header: str | None, raw_body: bytes) -> WebhookEvent:
    """Verifies a webhook and parses it.

    Answer 2xx at once and do the work afterwards; ignore an event whose `id` you have processed.
    Raises `SigcaseError` WEBHOOK_INVALID when it is not genuine or too old: answer 401.
    """
    if not verify_webhook(secret, header, raw_body):
        raise SigcaseError("WEBHOOK_INVALID", "The webhook is not genuine or too old")
    return cast(WebhookEvent, json.loads(raw_body))
