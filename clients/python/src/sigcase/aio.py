"""The client for asyncio: the methods of `SigcaseClient`, each in a thread of the default executor.

A cancelled call leaves its request running in its thread until it ends or reaches its time limit.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from typing import Any, Literal, TypeVar

from . import client
from . import types as api
from ._transport import MAXIMUM_ATTEMPTS, REQUEST_TIMEOUT_SECONDS, Token
from ._upload import Pdf, Progress
from .client import DocumentKind, ReportForm, SigcaseClient, Status
from .kiosk import GIVE_UP_AFTER_SECONDS, KioskEvent, KioskListener
from .participant import ParticipantClient, read_link

T = TypeVar("T")
_END: Any = object()


async def _walk(entries: Iterator[T]) -> AsyncIterator[T]:
    def read() -> Any:
        return next(entries, _END)

    while (entry := await asyncio.to_thread(read)) is not _END:
        yield entry


def _in_loop(on_progress: Progress | None) -> Progress | None:
    """Calls the function in the event loop and not in the thread of the upload."""
    if on_progress is None:
        return None
    loop, call = asyncio.get_running_loop(), on_progress

    def report(sent: int, total: int) -> None:
        loop.call_soon_threadsafe(call, sent, total)

    return report


class AsyncSigcaseClient:
    """A client of one tenant for asyncio; see `SigcaseClient` for its methods."""

    def __init__(
        self,
        base_url: str,
        token: Token = "",
        *,
        maximum_attempts: int = MAXIMUM_ATTEMPTS,
        request_timeout: float = REQUEST_TIMEOUT_SECONDS,
    ) -> None:
        self._client = SigcaseClient(
            base_url, token, maximum_attempts=maximum_attempts, request_timeout=request_timeout
        )

    async def create_case(
        self, case: api.CreateCaseInput, *, idempotency_key: str | None = None
    ) -> api.CreateCaseResult:
        """Creates a case, once even when the request is repeated."""
        call = self._client.create_case
        return await asyncio.to_thread(call, case, idempotency_key=idempotency_key)

    async def upload_document(
        self,
        created: api.CreateCaseResult,
        pdf: Pdf,
        *,
        on_progress: Progress | None = None,
    ) -> None:
        """Uploads the PDF of a case."""
        call, progress = self._client.upload_document, _in_loop(on_progress)
        await asyncio.to_thread(call, created, pdf, on_progress=progress)

    async def renew_upload(self, case_id: str) -> api.RenewUploadResult:
        """Requests another upload URL for a case that waits for its document."""
        return await asyncio.to_thread(self._client.renew_upload, case_id)

    async def get_case(self, case_id: str) -> api.GetCaseResult:
        """Reads a case with fresh links to its documents."""
        return await asyncio.to_thread(self._client.get_case, case_id)

    async def list_cases(
        self,
        *,
        status: Status | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> api.ListCasesResult:
        """Reads one page of cases."""
        call = self._client.list_cases
        return await asyncio.to_thread(call, status=status, limit=limit, cursor=cursor)

    def cases(
        self, *, status: Status | None = None, limit: int | None = None
    ) -> AsyncIterator[api.Case]:
        """Yields all cases."""
        return _walk(self._client.cases(status=status, limit=limit))

    async def cancel_case(self, case_id: str, *, reason: str | None = None) -> api.CancelCaseResult:
        """Cancels a case that is NEW or IN_PROGRESS."""
        return await asyncio.to_thread(self._client.cancel_case, case_id, reason=reason)

    async def remind(self, case_id: str, participant_id: str) -> api.InviteAgainResult:
        """Sends the invitation to a participant who has not signed once more."""
        return await asyncio.to_thread(self._client.remind, case_id, participant_id)

    async def list_events(
        self, case_id: str, *, limit: int | None = None, cursor: str | None = None
    ) -> api.ListEventsResult:
        """Reads one page of the audit trail, newest first."""
        call = self._client.list_events
        return await asyncio.to_thread(call, case_id, limit=limit, cursor=cursor)

    def events(self, case_id: str, *, limit: int | None = None) -> AsyncIterator[api.AuditEvent]:
        """Yields the audit trail, newest first."""
        return _walk(self._client.events(case_id, limit=limit))

    async def list_deliveries(self, case_id: str) -> api.ListDeliveriesResult:
        """Lists the webhooks of a case with their attempts."""
        return await asyncio.to_thread(self._client.list_deliveries, case_id)

    async def redeliver(self, case_id: str, event_id: str) -> api.RedeliverResult:
        """Delivers a webhook again."""
        return await asyncio.to_thread(self._client.redeliver, case_id, event_id)

    def failed_webhooks(
        self, *, status: Literal["dead", "failed"], limit: int | None = None
    ) -> AsyncIterator[dict[str, Any]]:
        """Yields the webhooks of all cases that were not delivered."""
        return _walk(self._client.failed_webhooks(status=status, limit=limit))

    async def register_device(self, name: str) -> api.RegisterDeviceResult:
        """Registers a kiosk."""
        return await asyncio.to_thread(self._client.register_device, name)

    async def create_pairing_code(
        self, device_id: str, token: str
    ) -> api.CreatePairingCodeResult:
        """Creates a short code that pairs the kiosk once, within ten minutes."""
        return await asyncio.to_thread(self._client.create_pairing_code, device_id, token)

    def devices(self, *, limit: int | None = None) -> AsyncIterator[dict[str, Any]]:
        """Yields all kiosks."""
        return _walk(self._client.devices(limit=limit))

    async def remove_device(self, device_id: str) -> None:
        """Removes a kiosk; its channel ends at once."""
        await asyncio.to_thread(self._client.remove_device, device_id)

    async def open_on_device(
        self, case_id: str, participant_id: str, device_id: str
    ) -> api.OpenOnDeviceResult:
        """Hands a case to a kiosk for a participant."""
        call = self._client.open_on_device
        return await asyncio.to_thread(call, case_id, participant_id, device_id)

    async def download(self, case_id: str, kind: DocumentKind) -> bytes:
        """Downloads a document of a case and compares its SHA-256 with the case."""
        return await asyncio.to_thread(self._client.download, case_id, kind)

    async def wait_until_done(
        self,
        case_id: str,
        *,
        timeout: float = client.WAIT_TIMEOUT_SECONDS,
        on_poll: Callable[[api.Case], None] | None = None,
    ) -> api.Case:
        """Polls until the case is DONE; no thread waits in between."""
        return await self._wait_for(case_id, client.DONE, timeout, on_poll)

    async def wait_until_in_progress(
        self,
        case_id: str,
        *,
        timeout: float = client.WAIT_TIMEOUT_SECONDS,
        on_poll: Callable[[api.Case], None] | None = None,
    ) -> api.Case:
        """Polls until the service has accepted the document; no thread waits in between."""
        return await self._wait_for(case_id, client.ACCEPTED, timeout, on_poll)

    async def _wait_for(
        self,
        case_id: str,
        awaited: Collection[Status],
        timeout: float,
        on_poll: Callable[[api.Case], None] | None,
    ) -> api.Case:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout
        poll = client.FIRST_POLL_SECONDS
        while True:
            case = await self.get_case(case_id)
            if on_poll is not None:
                on_poll(case)
            if client.has_reached(case, awaited):
                return case
            left = deadline - loop.time()
            if left <= 0:
                raise client.wait_timeout(case)
            await asyncio.sleep(min(poll, left))
            poll = min(poll * client.POLL_GROWTH, client.MAXIMUM_POLL_SECONDS)

    async def verify(self, pdf: Pdf, *, on_progress: Progress | None = None) -> api.VerifyResult:
        """Uploads a PDF and verifies its signatures."""
        progress = _in_loop(on_progress)
        return await asyncio.to_thread(self._client.verify, pdf, on_progress=progress)

    async def download_report(
        self, pdf: Pdf, form: ReportForm, *, on_progress: Progress | None = None
    ) -> bytes:
        """Uploads a PDF and returns its validation report as a file."""
        call, progress = self._client.download_report, _in_loop(on_progress)
        return await asyncio.to_thread(call, pdf, form, on_progress=progress)

    async def authorities(self) -> api.AuthoritiesResult:
        """Lists the certification authorities of the service."""
        return await asyncio.to_thread(self._client.authorities)

    async def graphql(self, request: api.GraphqlInput) -> api.GraphqlResult:
        """Reads with one GraphQL query."""
        return await asyncio.to_thread(self._client.graphql, request)

    async def health(self) -> api.HealthResult:
        """Asks whether the process of the service is alive."""
        return await asyncio.to_thread(self._client.health)

    async def readiness(self) -> api.ReadinessResult:
        """Asks whether signing is available."""
        return await asyncio.to_thread(self._client.readiness)


class AsyncParticipantClient:
    """A client of one participant for asyncio; see `ParticipantClient` for its methods."""

    def __init__(
        self,
        base_url: str,
        participant_id: str,
        token: str,
        *,
        otp_session: str | None = None,
        pin: str | None = None,
    ) -> None:
        self._client = ParticipantClient(
            base_url, participant_id, token, otp_session=otp_session, pin=pin
        )

    @classmethod
    def from_link(
        cls, signer_url: str, *, otp_session: str | None = None, pin: str | None = None
    ) -> AsyncParticipantClient:
        """Opens a signing link."""
        base_url, participant_id, token = read_link(signer_url)
        return cls(base_url, participant_id, token, otp_session=otp_session, pin=pin)

    async def get_case_definition(self) -> api.GetCaseDefinitionResult:
        """Reads what the participant may see."""
        return await asyncio.to_thread(self._client.get_case_definition)

    async def get_branding(self) -> api.GetBrandingResult:
        """Reads the sender's name, colours and logo, also after the end of the case."""
        return await asyncio.to_thread(self._client.get_branding)

    async def send_code(self) -> api.SendCodeResult:
        """Sends a one-time code."""
        return await asyncio.to_thread(self._client.send_code)

    async def verify_code(self, code: str) -> api.VerifyCodeResult:
        """Checks a one-time code."""
        return await asyncio.to_thread(self._client.verify_code, code)

    async def sign(self, signature: api.SignInput) -> None:
        """Signs."""
        await asyncio.to_thread(self._client.sign, signature)

    async def decline(self, reason: str | None = None) -> None:
        """States that the participant does not want to sign; the sender gets a mail."""
        await asyncio.to_thread(self._client.decline, reason)

    async def download_signed(self) -> bytes:
        """Downloads the signed PDF."""
        return await asyncio.to_thread(self._client.download_signed)


async def listen_kiosk(
    base_url: str,
    device_id: str,
    token: str,
    *,
    last_event_id: str = "",
    on_connection: Callable[[bool], None] | None = None,
    give_up_after: float = GIVE_UP_AFTER_SECONDS,
) -> AsyncIterator[KioskEvent]:
    """Yields the events of a kiosk; see `KioskListener`. `on_connection` is called in a thread."""
    listener = KioskListener(
        base_url,
        device_id,
        token,
        last_event_id=last_event_id,
        on_connection=on_connection,
        give_up_after=give_up_after,
    )
    try:
        async for event in _walk(iter(listener)):
            yield event
    finally:
        listener.close()
