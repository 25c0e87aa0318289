"""The client of a participant: for applications with a signing page of their own."""

from __future__ import annotations

import re
from typing import Any, cast
from urllib.parse import quote, urlsplit

from . import types as api
from ._transport import MAXIMUM_ATTEMPTS, REQUEST_TIMEOUT_SECONDS, Retry, Transport
from ._upload import TRANSFER_TIMEOUT_SECONDS


def read_link(signer_url: str) -> tuple[str, str, str]:
    """Returns the URL of the service, the id of the participant and the token of a signing link.

    Raises `ValueError` for a text that is not a signing link.
    """
    link = urlsplit(signer_url)
    found = re.fullmatch(r"(.*)/sign/([^/]+)", link.path)
    if found is None:
        raise ValueError("the URL is not a signing link")
    return f"{link.scheme}://{link.netloc}{found[1]}", found[2], link.fragment


class ParticipantClient:
    """A client of one participant. Every method can raise `SigcaseError`.

    `participant_id` is the path segment of the signing link, and `token` the part after `#`.
    `otp_session` is the session of an earlier code check; `verify_code` sets it. `pin` is for a case
    with a PIN.
    """

    def __init__(
        self,
        base_url: str,
        participant_id: str,
        token: str,
        *,
        otp_session: str | None = None,
        pin: str | None = None,
        maximum_attempts: int = MAXIMUM_ATTEMPTS,
        request_timeout: float = REQUEST_TIMEOUT_SECONDS,
    ) -> None:
        self._transport = Transport(base_url, token, maximum_attempts, request_timeout)
        self._path = f"/participant/{quote(participant_id, safe='')}"
        self._otp_session = otp_session
        self._pin = pin

    @classmethod
    def from_link(
        cls, signer_url: str, *, otp_session: str | None = None, pin: str | None = None
    ) -> ParticipantClient:
        """Opens a signing link, `signerUrl` of a participant.

        Raises `ValueError` for a text that is not a signing link.
        """
        base_url, participant_id, token = read_link(signer_url)
        return cls(base_url, participant_id, token, otp_session=otp_session, pin=pin)

    def _ask(
        self,
        method: str,
        action: str,
        *,
        body: Any = None,
        accept: str | None = None,
        retry: Retry = "always",
    ) -> Any:
        headers: dict[str, str] = {}
        if accept is not None:
            headers["Accept"] = accept
        if self._otp_session is not None:
            headers["Service-Otp-Session"] = self._otp_session
        if self._pin is not None:
            # Header fields carry octets: UTF-8, written as one character for each octet.
            headers["Service-Pin"] = self._pin.encode().decode("latin-1")
        path = f"{self._path}/{action}"
        return self._transport.ask(method, path, body=body, headers=headers, retry=retry)

    def get_case_definition(self) -> api.GetCaseDefinitionResult:
        """Reads what the participant may see: document, signature fields and consent text."""
        return cast(api.GetCaseDefinitionResult, self._ask("GET", "caseDefinition"))

    def get_branding(self) -> api.GetBrandingResult:
        """Reads the sender's name, colours and logo, also after the end of the case."""
        return cast(api.GetBrandingResult, self._ask("GET", "branding"))

    def send_code(self) -> api.SendCodeResult:
        """Sends a one-time code. Repeated only after 429: each code replaces the one before."""
        return cast(api.SendCodeResult, self._ask("POST", "otp", retry="refused"))

    def verify_code(self, code: str) -> api.VerifyCodeResult:
        """Checks a one-time code. Further calls of this client send its session."""
        answer = self._ask("POST", "otp/verify", body={"code": code}, retry="refused")
        verified = cast(api.VerifyCodeResult, answer)
        self._otp_session = verified["otpSession"]
        return verified

    def sign(self, signature: api.SignInput) -> None:
        """Signs.

        Repeated only after 429: after another failure, read the case definition before you sign
        again.
        """
        self._ask("POST", "signature", body=signature, retry="refused")

    def decline(self, reason: str | None = None) -> None:
        """States that the participant does not want to sign; the sender gets a mail.

        The case stays as it is.
        """
        self._ask("POST", "decline", body={} if reason is None else {"reason": reason})

    def download_signed(self) -> bytes:
        """Downloads the signed PDF.

        `document.sha256` of the case definition is its digest. Raises `SigcaseError` NOT_COMPLETED
        before the case is DONE.
        """
        answer = self._ask("GET", "signedDocument", accept="application/json")
        url = cast(api.GetSignedDocumentResult, answer)["url"]
        return self._transport.send("GET", url, timeout=TRANSFER_TIMEOUT_SECONDS).body
