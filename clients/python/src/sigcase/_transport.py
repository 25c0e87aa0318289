"""Sends requests: bearer token, JSON, time limits, and attempts again where that is safe."""

from __future__ import annotations

import email.message
import email.utils
import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .errors import SigcaseError, assert_sendable, read_error

MAXIMUM_ATTEMPTS = 5
REQUEST_TIMEOUT_SECONDS = 30.0
#: Seconds until the first repetition; each further one waits twice as long.
_BASE_DELAY_SECONDS = 0.5
_MAXIMUM_DELAY_SECONDS = 8.0
#: A caller decides about longer waits: the error has the time in `data`.
_MAXIMUM_RETRY_AFTER_SECONDS = 60.0
#: Statuses after which the same request can succeed; 0: no response.
_TEMPORARY = (0, 429, 503)

Token = str | Callable[[], str]
#: When another attempt is safe: `always`, or only when the service did not accept the request
#: (429), because a second execution would have an effect of its own.
Retry = Literal["always", "refused"]
Headers = Mapping[str, str]


class _RefuseRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would take the document or the token elsewhere."""

    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_RefuseRedirects)


@dataclass(frozen=True)
class Response:
    status: int
    #: Finds headers in any case.
    headers: email.message.Message
    body: bytes


def back_off_seconds(failures: int, maximum: float = _MAXIMUM_DELAY_SECONDS) -> float:
    """Returns the delay before an attempt: exponential, between half and all of its maximum."""
    whole = min(maximum, _BASE_DELAY_SECONDS * 2.0 ** min(failures - 1, 16))
    return whole * random.uniform(0.5, 1.0)


def read_retry_after(value: str | None, now: float) -> float | None:
    """Reads `Retry-After` (RFC 9110, 10.2.3): seconds or a date. Returns seconds."""
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - now)
    except ValueError:
        return None


def path_of(url: str) -> str:
    """The query of a presigned URL is a secret and does not belong into a message."""
    return urllib.parse.urlsplit(url).path


def open_url(
    method: str,
    url: str,
    *,
    headers: Headers,
    body: bytes | Iterable[bytes] | None = None,
    timeout: float,
) -> Any:
    """Opens one request; the caller reads and closes the response.

    Raises `urllib.error.HTTPError` for other statuses than 2xx, and `OSError` or
    `http.client.HTTPException` when there is no response.
    """
    request = urllib.request.Request(url, data=body, headers=dict(headers), method=method)
    return _OPENER.open(request, timeout=timeout)


def _attempt(
    method: str,
    url: str,
    headers: Headers,
    body: bytes | Iterable[bytes] | None,
    timeout: float,
) -> Response:
    try:
        with open_url(method, url, headers=headers, body=body, timeout=timeout) as answer:
            return Response(answer.status, answer.headers, answer.read())
    except urllib.error.HTTPError as answer:
        with answer:
            return Response(answer.code, answer.headers, answer.read())


class Transport:
    """Sends requests of one client. Threads may share it."""

    def __init__(
        self,
        base_url: str,
        token: Token,
        maximum_attempts: int,
        request_timeout: float,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self._token = token
        self._maximum_attempts = maximum_attempts
        self._request_timeout = request_timeout

    def token(self) -> str:
        return self._token() if callable(self._token) else self._token

    def send(
        self,
        method: str,
        url: str,
        *,
        headers: Headers | None = None,
        body: Callable[[], bytes | Iterable[bytes]] | None = None,
        retry: Retry = "always",
        timeout: float | None = None,
    ) -> Response:
        """Sends a request, again while that is safe and can help. Returns a 2xx response.

        `body` makes a new body for each attempt. Raises `SigcaseError` with the last failure.
        """
        what = f"{method} {path_of(url)}"
        assert_sendable(headers or {}, what)
        limit = self._request_timeout if timeout is None else timeout
        attempt = 0
        while True:
            attempt += 1
            delay = back_off_seconds(attempt)
            try:
                answer = _attempt(method, url, headers or {}, body and body(), limit)
                if 200 <= answer.status < 300:
                    return answer
                failure = read_error(answer.status, answer.body, what)
                after = read_retry_after(answer.headers.get("Retry-After"), time.time())
                delay = delay if after is None else after
            except (OSError, http.client.HTTPException) as error:
                failure = SigcaseError("NETWORK", f"{what}: no response: {error}")
                failure.__cause__ = error
            safe = _TEMPORARY if retry == "always" else (429,)
            is_last = attempt >= self._maximum_attempts or delay > _MAXIMUM_RETRY_AFTER_SECONDS
            if failure.status not in safe or is_last:
                raise failure
            time.sleep(delay)

    def ask(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str | int | None] | None = None,
        body: Any = None,
        headers: Headers | None = None,
        retry: Retry = "always",
        is_public: bool = False,
    ) -> Any:
        """Calls an operation of the API. Returns the JSON body, or None for an empty one."""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        url = self.base_url + path + (f"?{urllib.parse.urlencode(given)}" if given else "")
        sent = dict(headers or {})
        if not is_public:
            sent["Authorization"] = f"Bearer {self.token()}"
        payload: bytes | None = None
        if body is not None:
            payload = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        # The variable is bound here, so that each attempt sends the same bytes.
        make = None if payload is None else (lambda octets=payload: octets)
        answer = self.send(method, url, headers=sent, body=make, retry=retry)
        return json.loads(answer.body) if answer.body else None
