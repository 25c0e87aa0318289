"""Listens to the channel of a kiosk, and connects again when the connection is lost."""

from __future__ import annotations

import contextlib
import http.client
import json
import time
import urllib.error
from collections.abc import Callable, Iterator
from typing import Any, Literal, NotRequired, TypedDict, cast
from urllib.parse import quote

from . import types as api
from ._transport import (
    MAXIMUM_ATTEMPTS,
    REQUEST_TIMEOUT_SECONDS,
    Transport,
    back_off_seconds,
    open_url,
    read_retry_after,
)
from .errors import SigcaseError, assert_sendable, read_error

#: The service sends a comment every 15 seconds.
SILENCE_LIMIT_SECONDS = 30.0
DEFAULT_RETRY_SECONDS = 1.0
MAXIMUM_DELAY_SECONDS = 30.0
GIVE_UP_AFTER_SECONDS = 24 * 3600.0
#: An event of the service has half a KB.
_MAXIMUM_LINE_BYTES = 64 * 1024


class KioskData(TypedDict):
    caseId: str
    participantId: str
    #: Signing link, with `device.open_case`.
    url: NotRequired[str]
    #: With `device.open_case`.
    title: NotRequired[str]
    #: With `device.close_case`: SIGNED, or the final status of the case.
    reason: NotRequired[str]


class KioskEvent(TypedDict):
    type: Literal["device.open_case", "device.close_case"]
    id: str
    data: KioskData


class PairedKiosk(TypedDict):
    device: api.PairKioskResult
    #: `name=value` of the cookie, for the browser of the kiosk.
    cookie: str


def pair_kiosk(base_url: str, token: str) -> PairedKiosk:
    """Exchanges the token of a kiosk for the cookie with which a browser opens the channel.

    Raises `SigcaseError` UNAUTHORIZED for a token that is not valid.
    """
    transport = Transport(base_url, "", MAXIMUM_ATTEMPTS, REQUEST_TIMEOUT_SECONDS)
    body = json.dumps({"token": token}).encode()
    url, headers = f"{transport.base_url}/kiosk/pair", {"Content-Type": "application/json"}
    answer = transport.send("POST", url, headers=headers, body=lambda: body)
    cookie = str(answer.headers.get("Set-Cookie", "")).partition(";")[0]
    return {"device": cast(api.PairKioskResult, json.loads(answer.body)), "cookie": cookie}


class KioskListener:
    """The channel of a kiosk. Iterate over it for the events; `close` ends the iteration.

    `last_event_id` is the id of the last event that the kiosk processed before it was restarted.
    `on_connection` is called after each change with whether the kiosk is connected.

    The iteration raises `SigcaseError` UNAUTHORIZED when the device was removed, DEVICE_REPLACED
    when another client opened its channel (do not connect again), and CHANNEL_LOST.
    """

    def __init__(
        self,
        base_url: str,
        device_id: str,
        token: str,
        *,
        last_event_id: str = "",
        on_connection: Callable[[bool], None] | None = None,
        give_up_after: float = GIVE_UP_AFTER_SECONDS,
    ) -> None:
        self._url = f"{base_url.rstrip('/')}/devices/{quote(device_id, safe='')}/events"
        self._token = token
        self.last_event_id = last_event_id
        self._on_connection = on_connection
        self._give_up_after = give_up_after
        self._retry = DEFAULT_RETRY_SECONDS
        self._failures = 0
        self._lost_at: float | None = None
        self._stream: Any = None
        self._is_closed = False

    def close(self) -> None:
        """Ends the iteration, also from another thread, at the latest after 30 seconds."""
        self._is_closed = True
        stream = self._stream
        if stream is not None:
            # Ends a read that waits for the next line.
            with contextlib.suppress(Exception):
                stream.fp.raw._sock.shutdown(2)

    def __enter__(self) -> KioskListener:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[KioskEvent]:
        # Ends by `_recover`, which gives up after a time without a connection.
        while not self._is_closed:
            failure: Exception | None = None
            try:
                yield from self._connect()
            except (SigcaseError, OSError, http.client.HTTPException, ValueError) as error:
                failure = error
            if not self._is_closed:
                self._recover(failure)

    def _open(self) -> Any:
        headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {self._token}"}
        if self.last_event_id:
            headers["Last-Event-ID"] = self.last_event_id
        assert_sendable(headers, "channel of the kiosk")
        try:
            return open_url("GET", self._url, headers=headers, timeout=SILENCE_LIMIT_SECONDS)
        except urllib.error.HTTPError as answer:
            with answer:
                after = read_retry_after(answer.headers.get("Retry-After"), time.time())
                self._retry = self._retry if after is None else after
                raise read_error(answer.code, answer.read(), "channel of the kiosk") from answer

    def _connect(self) -> Iterator[KioskEvent]:
        """Yields the events of one connection."""
        with self._open() as stream:
            self._stream = stream
            self._failures, self._lost_at = 0, None
            self._tell(True)
            try:
                yield from self._read(stream)
            finally:
                self._stream = None
                self._tell(False)

    def _read(self, stream: Any) -> Iterator[KioskEvent]:
        kind, data = "", ""
        while line := stream.readline(_MAXIMUM_LINE_BYTES):
            name, _, value = line.decode("utf-8").rstrip("\r\n").partition(":")
            value = value.removeprefix(" ")
            if name == "event":
                kind = value
            elif name == "data":
                data += value
            elif name == "id":
                self.last_event_id = value
            elif name == "retry" and value.isdigit():
                self._retry = int(value) / 1000
            elif line in (b"\n", b"\r\n"):
                if data:
                    yield from self._event(kind, data)
                kind, data = "", ""

    def _event(self, kind: str, data: str) -> Iterator[KioskEvent]:
        if kind == "device.replaced":
            message = "Another client opened the channel of this kiosk"
            raise SigcaseError("DEVICE_REPLACED", message)
        if kind in ("device.open_case", "device.close_case"):
            event = {"type": kind, "id": self.last_event_id, "data": json.loads(data)}
            yield cast(KioskEvent, event)

    def _tell(self, is_connected: bool) -> None:
        if self._on_connection is not None:
            self._on_connection(is_connected)

    def _recover(self, failure: Exception | None) -> None:
        """Waits before the next connection. Raises the failure when another one cannot help."""
        if isinstance(failure, SigcaseError) and failure.status != 429 and failure.status < 500:
            raise failure
        now = time.monotonic()
        self._lost_at = now if self._lost_at is None else self._lost_at
        if now - self._lost_at >= self._give_up_after:
            raise SigcaseError("CHANNEL_LOST", "The kiosk has no connection") from failure
        self._failures += 0 if failure is None else 1
        delay = self._retry
        if self._failures > 0:
            delay = max(delay, back_off_seconds(self._failures, MAXIMUM_DELAY_SECONDS))
        time.sleep(min(delay, MAXIMUM_DELAY_SECONDS))
