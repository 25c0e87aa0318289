"""Two people sign one PDF on a kiosk, each after a one-time code; see README.md beside it."""

import argparse
import contextlib
import datetime
import email
import email.policy
import hashlib
import http.server
import json
import pathlib
import queue
import re
import secrets
import sys
import threading
import time

import sigcase

PEOPLE = [
    {"firstName": "Jana", "lastName": "Nováková", "email": "jana@example.com"},
    {"firstName": "Ľuboš", "lastName": "Šťastný", "email": "lubos@example.com"},
]
#: The drawing, as SVG path data.
DRAWING = "M0 20 C20 0 40 40 60 20 S100 0 120 20"
LIMIT_SECONDS = 60


@contextlib.contextmanager
def webhook_receiver(secret):
    """Receives webhooks on a free local port: yields its URL and a queue of events."""
    events = queue.Queue()
    seen = set()

    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            # Verify the raw bytes before parsing them.
            genuine = sigcase.is_signed(self.headers["Service-Signature"], body, secret)
            self.send_response(204 if genuine else 401)
            self.end_headers()
            if not genuine:
                return
            event = json.loads(body)
            # A repeated attempt has the same id.
            if event["id"] not in seen:
                seen.add(event["id"])
                events.put(event)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/", events
        server.shutdown()


def mailed_code(folder, address, known):
    """Returns the six digits of a new mail to the address."""
    deadline = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < deadline:
        for path in set(folder.glob("*.eml")) - known:
            mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            text = mail.get_body(("plain",)).get_content()
            code = re.search(r"^\s*(\d{3}) ?(\d{3})\s*$", text, re.MULTILINE)
            if address in mail["To"] and code:
                return code[1] + code[2]
        time.sleep(sigcase.POLL_SECONDS)
    raise TimeoutError(f"no code came to {address}")


def sign_on_kiosk(tenant, kiosk, device, case, position, mails):
    """Opens the case on the kiosk for one participant, who signs there."""
    person = case["participants"][position]
    tenant.open_on_device(case["id"], person["id"], device["deviceId"])
    shown = kiosk.next("device.open_case")
    print(f"kiosk    shows “{shown['title']}” to {person['firstName']}")
    participant = sigcase.Participant(tenant.base_url, shown["url"])
    known = set(mails.glob("*.eml"))
    print(f"code     sent to {participant.ask_for_code()['destination']}")
    participant.enter_code(mailed_code(mails, person["email"], known))
    x = 0.1 + 0.4 * position
    rectangle = {"page": 1, "x": x, "y": 0.8, "width": 0.3, "height": 0.1, "unit": "fraction"}
    participant.sign(DRAWING, rectangle)
    print(f"signed   by {person['firstName']} {person['lastName']}")
    return participant


def save(document, folder):
    octets = sigcase.send("GET", document["url"])
    if hashlib.sha256(octets).hexdigest() != document["sha256"]:
        raise ValueError(f"{document['name']} is not what the case says")
    path = folder / pathlib.PurePath(document["name"]).name
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(octets)
    print(f"saved    {path} {document.get('level', '')}")


def run(tenant, pdf, mails, out):
    secret = secrets.token_urlsafe(48)
    with webhook_receiver(secret) as (address, events):
        device = tenant.register_device("Reception")
        kiosk = sigcase.Kiosk(tenant.base_url, device)
        created = tenant.create_case(
            {
                "title": pdf.stem,
                "validUntil": sigcase.utc(datetime.timedelta(days=7)),
                "quickSign": True,
                "multiFactorType": "EMAIL",
                "callback": {
                    "url": address,
                    "authType": "NONE",
                    "signingSecret": secret,
                    "data": {"reference": "2026/118"},
                },
                "participants": PEOPLE,
            },
            idempotency_key=secrets.token_hex(16),
        )
        case_id = created["case"]["id"]
        tenant.upload(created["upload"], pdf.read_bytes())
        case = tenant.wait_for(case_id, "IN_PROGRESS")
        people = [
            sign_on_kiosk(tenant, kiosk, device, case, position, mails)
            for position in range(len(PEOPLE))
        ]
        case = tenant.wait_for(case_id, "DONE")
        for _ in range(len(PEOPLE) + 1):
            try:
                event = events.get(timeout=LIMIT_SECONDS)
            except queue.Empty:
                sys.exit("no webhook came: was the service started with EGRESS_ALLOW=127.0.0.1?")
            print(f"webhook  {event['type']} for {event['data']['reference']}")
        save(case["signedDocument"], out)
        save(case["evidenceDocument"], out)
        size = len(people[0].signed_document())
        print(f"download {size} octets by {PEOPLE[0]['firstName']}")
        kiosk.close()
        tenant.remove_device(device["deviceId"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pdf", type=pathlib.Path)
    parser.add_argument("--url", default="http://127.0.0.1:8080")
    parser.add_argument("--token", required=True, help="of npm run --silent token")
    parser.add_argument("--mails", type=pathlib.Path, default=pathlib.Path(".data/mail"))
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."))
    given = parser.parse_args()
    run(sigcase.Tenant(given.url, given.token), given.pdf, given.mails, given.out)


if __name__ == "__main__":
    main()
