"""A client of sigcase with only the standard library: tenant, participant, kiosk, webhooks."""

import datetime
import hashlib
import hmac
import http.client
import json
import re
import time
import urllib.parse

TIMEOUT_SECONDS = 30
POLL_SECONDS = 0.25
#: Older webhooks are refused, because an attacker could replay them.
SIGNATURE_TOLERANCE_SECONDS = 300


class Refused(Exception):
    """A response other than 2xx. Act on `code`; the message is for users."""

    def __init__(self, status, body):
        self.status = status
        try:
            self.details = json.loads(body)
        except ValueError:
            self.details = {"message": body.decode("utf-8", "replace")}
        self.code = self.details.get("code")
        problems = self.details.get("validationErrors", [])
        places = "".join(f"; {p['instancePath'] or '/'} {p['message']}" for p in problems)
        super().__init__(f"{status} {self.code or ''} {self.details.get('message')}{places}")


def utc(from_now=datetime.timedelta()):
    """Formats a time for the service (RFC 3339)."""
    instant = datetime.datetime.now(datetime.timezone.utc) + from_now
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ")


def connect(url):
    parts = urllib.parse.urlsplit(url)
    kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
    connection = kinds[parts.scheme](parts.netloc, timeout=TIMEOUT_SECONDS)
    return connection, parts.path + (f"?{parts.query}" if parts.query else "")


def send(method, url, body=None, headers=None):
    """Sends one request. Returns the bytes of the response, or raises Refused."""
    connection, target = connect(url)
    try:
        connection.request(method, target, body, headers or {})
        answer = connection.getresponse()
        octets = answer.read()
    finally:
        connection.close()
    if not 200 <= answer.status < 300:
        raise Refused(answer.status, octets)
    return octets


class Caller:
    """Sends JSON requests with one bearer token."""

    def __init__(self, base_url, token):
        self.base_url = base_url
        self.token = token

    def ask(self, method, path, body=None, headers=None):
        sent = {"Authorization": f"Bearer {self.token}", **(headers or {})}
        payload = None
        if body is not None:
            payload = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        octets = send(method, self.base_url + path, payload, sent)
        return json.loads(octets) if octets else None


class Tenant(Caller):
    def create_case(self, case, idempotency_key):
        """Creates a case. The key makes it safe to repeat a request whose response was lost."""
        return self.ask("POST", "/cases", case, {"Idempotency-Key": idempotency_key})

    def upload(self, upload, pdf):
        send("PUT", upload["url"], pdf, {"Content-Type": "application/pdf"})

    def case(self, case_id):
        return self.ask("GET", f"/cases/{case_id}")

    def wait_for(self, case_id, status, seconds=60):
        """Polls until the case has the status. Raises ValueError if it ends otherwise."""
        deadline = time.monotonic() + seconds
        while True:
            case = self.case(case_id)
            if case["status"] == status:
                return case
            if case["status"] not in ("NEW", "IN_PROGRESS"):
                reason = case.get("rejectReason") or case.get("failureReason") or ""
                raise ValueError(f"the case is {case['status']} {reason}")
            if time.monotonic() > deadline:
                raise TimeoutError(f"the case is still {case['status']}")
            time.sleep(POLL_SECONDS)

    def register_device(self, name):
        return self.ask("POST", "/tenant/devices", {"name": name})

    def remove_device(self, device_id):
        self.ask("DELETE", f"/tenant/devices/{device_id}")

    def open_on_device(self, case_id, participant_id, device_id):
        path = f"/cases/{case_id}/participants/{participant_id}/open"
        return self.ask("POST", path, {"deviceId": device_id})


class Participant(Caller):
    """A signing link: its path has the participant id, its fragment the token."""

    def __init__(self, base_url, signer_url):
        link = urllib.parse.urlsplit(signer_url)
        super().__init__(base_url, link.fragment)
        self.path = "/participant/" + link.path.rsplit("/", 1)[1]
        self.session = {}

    def definition(self):
        return self.ask("GET", f"{self.path}/caseDefinition", headers=self.session)

    def ask_for_code(self):
        return self.ask("POST", f"{self.path}/otp")

    def enter_code(self, code):
        answer = self.ask("POST", f"{self.path}/otp/verify", {"code": code})
        self.session = {"Service-Otp-Session": answer["otpSession"]}

    def sign(self, drawing, rectangle):
        """Signs in a chosen rectangle, with consent to the text of the case definition."""
        consent = {
            "textVersion": self.definition()["consentText"]["version"],
            "acceptedAt": utc(),
        }
        body = {"encodedSignature": drawing, "signatures": [rectangle], "consent": consent}
        self.ask("POST", f"{self.path}/signature", body, self.session)

    def signed_document(self):
        headers = {**self.session, "Accept": "application/json"}
        return send("GET", self.ask("GET", f"{self.path}/signedDocument", headers=headers)["url"])


class Kiosk:
    """The channel of a device: reads server-sent events as they arrive."""

    def __init__(self, base_url, device):
        self.connection, target = connect(base_url + device["channel"])
        headers = {"Authorization": f"Bearer {device['token']}", "Accept": "text/event-stream"}
        self.connection.request("GET", target, headers=headers)
        self.stream = self.connection.getresponse()
        if self.stream.status != 200:
            raise Refused(self.stream.status, self.stream.read())

    def next(self, expected):
        """Waits for an event of this type and returns its data."""
        event, data = None, ""
        while line := self.stream.readline():
            name, _, value = line.decode().rstrip("\n").partition(":")
            if name == "event":
                event = value.strip()
            elif name == "data":
                data += value.strip()
            elif line == b"\n":
                if event == expected:
                    return json.loads(data)
                event, data = None, ""
        raise ConnectionError("the channel ended")

    def close(self):
        self.connection.close()


def is_signed(header, body, secret, now=None):
    """Whether a webhook is genuine and recent: HMAC-SHA256 over time, a dot and the raw body."""
    fields = dict(part.partition("=")[::2] for part in (header or "").split(","))
    if not re.fullmatch(r"[0-9]{1,12}", fields.get("t", "")):
        return False
    age = (time.time() if now is None else now) - int(fields["t"])
    message = fields["t"].encode() + b"." + body
    expected = hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
    is_genuine = hmac.compare_digest(expected.encode(), fields.get("v1", "").encode())
    return is_genuine and abs(age) <= SIGNATURE_TOLERANCE_SECONDS
