"""Asks the Python client questions that need no service; called by requests.test.ts.

Reads one JSON object with `urls` of scripted servers and `questions` about webhooks, and prints the
answers.
"""

import json
import sys
import time

from sigcase import SigcaseClient, SigcaseError, read_webhook, verify_webhook

ASKED = json.load(sys.stdin)


def attempt(call):
    started = time.monotonic()
    try:
        call()
        answer = {"code": None}
    except SigcaseError as error:
        answer = {
            "code": error.code,
            "status": error.status,
            "data": dict(error.data),
            "message": str(error),
        }
    return {**answer, "seconds": time.monotonic() - started}


def client(name):
    return SigcaseClient(ASKED["urls"][name], "secret", maximum_attempts=4)


def upload(name):
    url = f"{ASKED['urls'][name]}/objects/a.pdf?signature=geheim"
    created = {"case": {"id": "c1"}, "upload": {"type": "PUT", "url": url}}
    return lambda: client("created").upload_document(created, b"%PDF")


def create(key):
    return lambda: client("unsent").create_case({"title": "č"}, idempotency_key=key)


def verdict(question):
    return verify_webhook(
        question["secret"],
        question["header"],
        question["body"].encode(),
        now=question["nowSeconds"],
    )


first = ASKED["questions"][0]
print(
    json.dumps(
        {
            "created": attempt(lambda: client("created").create_case({"title": "č"})),
            "lost": attempt(lambda: client("lost").get_case("c1")),
            "throttled": attempt(lambda: client("throttled").get_case("c1")),
            "reminded": attempt(lambda: client("lostReminder").remind("c1", "p1")),
            "redirected": attempt(lambda: client("redirected").get_case("c1")),
            "gone": attempt(upload("gone")),
            "keys": [attempt(create(key)) for key in ("zmluva č. 5", "two\nlines")],
            "token": attempt(lambda: SigcaseClient(ASKED["urls"]["lost"], "a\n").get_case("c1")),
            "verdicts": [verdict(question) for question in ASKED["questions"]],
            "tooOld": attempt(
                lambda: read_webhook(first["secret"], first["header"], first["body"].encode())
            ),
        }
    )
)
