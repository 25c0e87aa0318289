"""The client of a tenant: cases, documents, devices and verification."""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from collections.abc import Callable, Collection, Iterator
from typing import Any, Literal, cast
from urllib.parse import quote

from . import types as api
from ._transport import MAXIMUM_ATTEMPTS, REQUEST_TIMEOUT_SECONDS, Token, Transport
from ._upload import TRANSFER_TIMEOUT_SECONDS, Pdf, Progress, put_document, read_pdf
from .errors import SigcaseError

WAIT_TIMEOUT_SECONDS = 3600.0
FIRST_POLL_SECONDS = 0.25
MAXIMUM_POLL_SECONDS = 10.0
POLL_GROWTH = 1.5
#: A listing of 100 entries a page has ten million entries at this bound.
_MAXIMUM_PAGES = 100_000

#: Forms of a validation report as a file: XML (ETSI TS 119 102-2), or PDF to print.
ReportForm = Literal["xml", "pdf"]
_REPORT_TYPES: dict[ReportForm, str] = {"xml": "application/xml", "pdf": "application/pdf"}
DocumentKind = Literal["original", "signed", "evidence"]
Status = Literal["NEW", "IN_PROGRESS", "DONE", "UPLOAD_REJECTED", "EXPIRED", "CANCELLED", "FAILED"]

#: Statuses that `wait_until_done` and `wait_until_in_progress` wait for.
DONE: tuple[Status, ...] = ("DONE",)
ACCEPTED: tuple[Status, ...] = ("IN_PROGRESS", "DONE")


def _segment(text: str) -> str:
    return quote(text, safe="")


def has_reached(case: api.Case, awaited: Collection[Status]) -> bool:
    """Returns whether a case has one of the statuses that a wait is for.

    Raises `SigcaseError` CASE_ENDED when it ended otherwise.
    """
    status = case["status"]
    if status in awaited:
        return True
    if status in ("NEW", "IN_PROGRESS"):
        return False
    reason = case.get("rejectReason") or case.get("failureReason") or case.get("cancelReason")
    data = {"status": status, "reason": reason, "case": case}
    raise SigcaseError("CASE_ENDED", f"The case is {status} {reason or ''}".strip(), data=data)


def wait_timeout(case: api.Case) -> SigcaseError:
    """Returns the error of a wait that took too long."""
    data = {"status": case["status"], "case": case}
    return SigcaseError("WAIT_TIMEOUT", f"The case is still {case['status']}", data=data)


class SigcaseClient:
    """A client of one tenant. Every method can raise `SigcaseError`. Threads may share it.

    `token` is the bearer token of the tenant, or a function that returns a current one.
    `request_timeout` counts seconds without data; uploads and downloads have ten minutes.
    """

    def __init__(
        self,
        base_url: str,
        token: Token = "",
        *,
        maximum_attempts: int = MAXIMUM_ATTEMPTS,
        request_timeout: float = REQUEST_TIMEOUT_SECONDS,
    ) -> None:
        self._transport = Transport(base_url, token, maximum_attempts, request_timeout)

    def create_case(
        self, case: api.CreateCaseInput, *, idempotency_key: str | None = None
    ) -> api.CreateCaseResult:
        """Creates a case.

        Retries with the same `Idempotency-Key` after 429, 503 and a lost response, so that it never
        creates two cases. Use a key of your own, such as the id of the contract, to repeat after a
        crash.
        """
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        answer = self._transport.ask("POST", "/cases", body=case, headers=headers)
        return cast(api.CreateCaseResult, answer)

    def upload_document(
        self,
        created: api.CreateCaseResult,
        pdf: Pdf,
        *,
        on_progress: Progress | None = None,
    ) -> None:
        """Uploads the PDF of a case, from bytes or a path.

        Requests another URL when the one at hand has expired. Does nothing when `create_case` found
        a case that already has its document.
        """
        upload = created.get("upload")
        if upload is None:
            return
        octets = read_pdf(pdf)
        try:
            put_document(self._transport, upload["url"], octets, on_progress=on_progress)
        except SigcaseError as error:
            # 403 of this service, 400 of Cloud Storage.
            if error.status not in (400, 403):
                raise
            url = self.renew_upload(created["case"]["id"])["upload"]["url"]
            put_document(self._transport, url, octets, on_progress=on_progress)

    def renew_upload(self, case_id: str) -> api.RenewUploadResult:
        """Requests another upload URL for a case that waits for its document."""
        answer = self._transport.ask("POST", f"/cases/{_segment(case_id)}/upload")
        return cast(api.RenewUploadResult, answer)

    def get_case(self, case_id: str) -> api.GetCaseResult:
        """Reads a case with fresh links to its documents."""
        return cast(api.GetCaseResult, self._transport.ask("GET", f"/cases/{_segment(case_id)}"))

    def list_cases(
        self,
        *,
        status: Status | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> api.ListCasesResult:
        """Reads one page of cases."""
        query = {"status": status, "limit": limit, "cursor": cursor}
        return cast(api.ListCasesResult, self._transport.ask("GET", "/cases", query=query))

    def cases(self, *, status: Status | None = None, limit: int | None = None) -> Iterator[api.Case]:
        """Yields all cases. `limit` is the size of a page."""
        return self._walk("/cases", "cases", {"status": status, "limit": limit})

    def cancel_case(self, case_id: str, *, reason: str | None = None) -> api.CancelCaseResult:
        """Cancels a case that is NEW or IN_PROGRESS.

        Returns a case that is already CANCELLED as it is, because the response of an earlier attempt
        can be lost.
        """
        body = None if reason is None else {"reason": reason}
        path = f"/cases/{_segment(case_id)}"
        try:
            return cast(api.CancelCaseResult, self._transport.ask("DELETE", path, body=body))
        except SigcaseError as error:
            is_cancelled = error.data.get("status") == "CANCELLED"
            if not is_cancelled or error.code != "CASE_NOT_CANCELLABLE":
                raise
            return self.get_case(case_id)

    def remind(self, case_id: str, participant_id: str) -> api.InviteAgainResult:
        """Sends the invitation to a participant who has not signed once more."""
        path = f"/cases/{_segment(case_id)}/participants/{_segment(participant_id)}/invitation"
        return cast(api.InviteAgainResult, self._transport.ask("POST", path, retry="refused"))

    def list_events(
        self, case_id: str, *, limit: int | None = None, cursor: str | None = None
    ) -> api.ListEventsResult:
        """Reads one page of the audit trail, newest first."""
        path = f"/cases/{_segment(case_id)}/events"
        query = {"limit": limit, "cursor": cursor}
        return cast(api.ListEventsResult, self._transport.ask("GET", path, query=query))

    def events(self, case_id: str, *, limit: int | None = None) -> Iterator[api.AuditEvent]:
        """Yields the audit trail, newest first. `limit` is the size of a page."""
        return self._walk(f"/cases/{_segment(case_id)}/events", "events", {"limit": limit})

    def list_deliveries(self, case_id: str) -> api.ListDeliveriesResult:
        """Lists the webhooks of a case with their attempts."""
        answer = self._transport.ask("GET", f"/cases/{_segment(case_id)}/deliveries")
        return cast(api.ListDeliveriesResult, answer)

    def redeliver(self, case_id: str, event_id: str) -> api.RedeliverResult:
        """Delivers a webhook again."""
        path = f"/cases/{_segment(case_id)}/deliveries/{_segment(event_id)}/redeliver"
        return cast(api.RedeliverResult, self._transport.ask("POST", path, retry="refused"))

    def failed_webhooks(
        self, *, status: Literal["dead", "failed"], limit: int | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yields the webhooks of all cases that were not delivered."""
        return self._walk("/tenant/webhook-events", "events", {"status": status, "limit": limit})

    def register_device(self, name: str) -> api.RegisterDeviceResult:
        """Registers a kiosk. The token is shown once; store it on the device alone."""
        path, body = "/tenant/devices", {"name": name}
        answer = self._transport.ask("POST", path, body=body, retry="refused")
        return cast(api.RegisterDeviceResult, answer)

    def create_pairing_code(self, device_id: str, token: str) -> api.CreatePairingCodeResult:
        """Creates a short code that pairs the kiosk once, within ten minutes."""
        path = f"/tenant/devices/{_segment(device_id)}/pairingCode"
        answer = self._transport.ask("POST", path, body={"token": token}, retry="refused")
        return cast(api.CreatePairingCodeResult, answer)

    def devices(self, *, limit: int | None = None) -> Iterator[dict[str, Any]]:
        """Yields all kiosks."""
        return self._walk("/tenant/devices", "devices", {"limit": limit})

    def remove_device(self, device_id: str) -> None:
        """Removes a kiosk; its channel ends at once."""
        self._transport.ask("DELETE", f"/tenant/devices/{_segment(device_id)}")

    def open_on_device(
        self, case_id: str, participant_id: str, device_id: str
    ) -> api.OpenOnDeviceResult:
        """Hands a case to a kiosk for a participant."""
        path = f"/cases/{_segment(case_id)}/participants/{_segment(participant_id)}/open"
        answer = self._transport.ask("POST", path, body={"deviceId": device_id})
        return cast(api.OpenOnDeviceResult, answer)

    def download(self, case_id: str, kind: DocumentKind) -> bytes:
        """Downloads a document of a case and compares its SHA-256 with the case.

        Raises `SigcaseError` NO_DOCUMENT before the case has it, DIGEST_MISMATCH.
        """
        case = self.get_case(case_id)
        document = cast("dict[str, api.Document]", case).get(f"{kind}Document")
        if document is None or "url" not in document:
            data = {"status": case["status"]}
            raise SigcaseError("NO_DOCUMENT", f"The case has no {kind} PDF", data=data)
        octets = self._transport.send("GET", document["url"], timeout=TRANSFER_TIMEOUT_SECONDS).body
        if document.get("sha256") not in (None, hashlib.sha256(octets).hexdigest()):
            raise SigcaseError("DIGEST_MISMATCH", "The download is not the document of the case")
        return octets

    def wait_until_done(
        self,
        case_id: str,
        *,
        timeout: float = WAIT_TIMEOUT_SECONDS,
        on_poll: Callable[[api.Case], None] | None = None,
    ) -> api.Case:
        """Polls until the case is DONE, first every quarter of a second and later every ten.

        Prefer webhooks for cases that take days. Raises `SigcaseError` CASE_ENDED when the case ends
        otherwise (`data["status"]`, `data["reason"]`), WAIT_TIMEOUT.
        """
        return self._wait_for(case_id, DONE, timeout, on_poll)

    def wait_until_in_progress(
        self,
        case_id: str,
        *,
        timeout: float = WAIT_TIMEOUT_SECONDS,
        on_poll: Callable[[api.Case], None] | None = None,
    ) -> api.Case:
        """Polls until the service has accepted the document. From then on, participants can sign.

        Raises `SigcaseError` CASE_ENDED, such as UPLOAD_REJECTED (`data["status"]`,
        `data["reason"]`), WAIT_TIMEOUT.
        """
        return self._wait_for(case_id, ACCEPTED, timeout, on_poll)

    def _wait_for(
        self,
        case_id: str,
        awaited: Collection[Status],
        timeout: float,
        on_poll: Callable[[api.Case], None] | None,
    ) -> api.Case:
        deadline = time.monotonic() + timeout
        poll = FIRST_POLL_SECONDS
        while True:
            case = self.get_case(case_id)
            if on_poll is not None:
                on_poll(case)
            if has_reached(case, awaited):
                return case
            left = deadline - time.monotonic()
            if left <= 0:
                raise wait_timeout(case)
            time.sleep(min(poll, left))
            poll = min(poll * POLL_GROWTH, MAXIMUM_POLL_SECONDS)

    def _upload_for_verification(self, pdf: Pdf, on_progress: Progress | None) -> str:
        """Uploads a PDF to be verified. Returns the key for `POST /verify`."""
        octets = read_pdf(pdf)
        body: dict[str, Any] = {"size": len(octets)}
        place = self._transport.ask("POST", "/verify/uploads", body=body, is_public=True)
        upload = place["upload"]
        put_document(
            self._transport,
            upload["url"],
            octets,
            headers=upload["headers"],
            on_progress=on_progress,
        )
        return str(place["key"])

    def verify(self, pdf: Pdf, *, on_progress: Progress | None = None) -> api.VerifyResult:
        """Uploads a PDF and verifies its signatures. Needs no token."""
        body = {"key": self._upload_for_verification(pdf, on_progress)}
        answer = self._transport.ask("POST", "/verify", body=body, is_public=True)
        return cast(api.VerifyResult, answer)

    def download_report(
        self, pdf: Pdf, form: ReportForm, *, on_progress: Progress | None = None
    ) -> bytes:
        """Uploads a PDF and returns its validation report as a file. Needs no token.

        `form` is `xml` (ETSI TS 119 102-2) or `pdf`, to print; neither is signed.
        """
        body = json.dumps({"key": self._upload_for_verification(pdf, on_progress)}).encode()
        headers = {"Accept": _REPORT_TYPES[form], "Content-Type": "application/json"}
        url = f"{self._transport.base_url}/verify"
        return self._transport.send("POST", url, headers=headers, body=lambda: body).body

    def authorities(self) -> api.AuthoritiesResult:
        """Lists the certification authorities of the service. Needs no token."""
        return cast(api.AuthoritiesResult, self._transport.ask("GET", "/pki", is_public=True))

    def graphql(self, request: api.GraphqlInput) -> api.GraphqlResult:
        """Reads with one GraphQL query. Check `errors`: the query can fail in parts."""
        return cast(api.GraphqlResult, self._transport.ask("POST", "/graphql", body=request))

    def health(self) -> api.HealthResult:
        """Asks whether the process of the service is alive. Needs no token."""
        return cast(api.HealthResult, self._transport.ask("GET", "/healthz", is_public=True))

    def readiness(self) -> api.ReadinessResult:
        """Asks whether signing is available. Needs no token. Raises SHUTTING_DOWN."""
        answer = self._transport.ask("GET", "/readyz", is_public=True, retry="refused")
        return cast(api.ReadinessResult, answer)

    def _walk(self, path: str, member: str, query: dict[str, Any]) -> Iterator[Any]:
        """Yields every entry of a listing; the next page is requested when it is needed."""
        cursor: str | None = None
        for _ in range(_MAXIMUM_PAGES):
            page = self._transport.ask("GET", path, query={**query, "cursor": cursor})
            yield from page[member]
            cursor = page.get("nextCursor")
            if cursor is None:
                return
