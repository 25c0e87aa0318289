"""The error class of the client, and how a response becomes an error."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

#: Codes of this client, for responses without a code of the service.
_CODES = {401: "UNAUTHORIZED", 403: "FORBIDDEN", 404: "NOT_FOUND", 429: "THROTTLED"}
#: More of a response that is not JSON does not help.
_MESSAGE_CHARACTERS = 300


#: What HTTP can send as the value of a header (RFC 9110, 5.5), in Latin-1.
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_UNSENDABLE = "must not have control characters or characters above U+00FF"


class SigcaseError(Exception):
    """Every failure of this client. Act on `code`; the message is for people and may change.

    `code` is a code of the service, a code of this client (see README.md), or `HTTP_<status>`.
    `status` is the HTTP status, or 0 when there was no response. `data` has the other members of
    the response, such as `validationErrors` or `retryAfterSeconds`.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.data: Mapping[str, Any] = data or {}


def _parse_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _problems(data: Mapping[str, Any]) -> str:
    """Lists the problems of a validation error for its message."""
    problems = data.get("validationErrors")
    if not isinstance(problems, list):
        return ""
    return "".join(f"; {one.get('instancePath') or '/'} {one.get('message')}" for one in problems)


def assert_sendable(headers: Mapping[str, str], what: str) -> None:
    """Refuses headers that HTTP cannot send. `what` names the request.

    Raises `SigcaseError` VALIDATION_FAILED with the name of the header; its value can be a secret.
    """
    for name, value in headers.items():
        if _HEADER_VALUE.fullmatch(value):
            continue
        problem = {
            "instancePath": f"/{name.lower()}",
            "keyword": "format",
            "params": {"format": "header"},
            "message": _UNSENDABLE,
        }
        data = {"validationErrors": [problem]}
        raise SigcaseError("VALIDATION_FAILED", what + ":" + _problems(data)[1:], data=data)


def read_error(status: int, body: bytes, what: str) -> SigcaseError:
    """Reads the error of a response that is not successful. `what` names the request."""
    text = body.decode("utf-8", "replace")
    data = _parse_object(text)
    code, message = data.pop("code", None), data.pop("message", None)
    if not isinstance(code, str):
        is_validation = status == 400 and isinstance(data.get("validationErrors"), list)
        code = "VALIDATION_FAILED" if is_validation else _CODES.get(status, f"HTTP_{status}")
    said = message if isinstance(message, str) else text[:_MESSAGE_CHARACTERS]
    said += _problems(data)
    return SigcaseError(code, f"{what}: {status} {code} {said}".strip(), status=status, data=data)
