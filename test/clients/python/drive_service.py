"""Runs a case with the sync and the async client; called by service.test.ts.

Prints one JSON object with what happened; arguments: URL, tenant token, PDF, webhook URL, secret.
"""

import asyncio
import datetime
import json
import pathlib
import sys
import urllib.parse
import urllib.request

from sigcase import API_VERSION, AsyncSigcaseClient, SigcaseClient, SigcaseError

URL, TOKEN, PDF, HOOK, SECRET = sys.argv[1:6]
UNKNOWN_ID = "00000000-0000-4000-8000-000000000000"
DRAWING = "M0 20 C20 0 40 40 60 20 S100 0 120 20"


def utc(hours=0):
    instant = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ")


def case_input(**more):
    field = {"page": 1, "x": 72, "y": 500, "width": 200, "height": 60, "unit": "pt"}
    person = {
        "firstName": "Jana",
        "lastName": "Nováková",
        "email": "jana@example.com",
        "signatureFields": [field],
    }
    return {"title": "Zmluva č. 2", "validUntil": utc(24), "participants": [person], **more}


def sign(participant):
    """Signs by the signing link, as the signing page does."""
    link = urllib.parse.urlsplit(participant["signerUrl"])
    consent = {"textVersion": "2026-11", "acceptedAt": utc()}
    request = urllib.request.Request(
        f"{URL}/participant/{participant['id']}/signature",
        json.dumps({"encodedSignature": DRAWING, "consent": consent}).encode(),
        {"Authorization": f"Bearer {link.fragment}", "Content-Type": "application/json"},
    )
    urllib.request.urlopen(request).close()


def failure(call):
    try:
        call()
    except SigcaseError as error:
        return [error.code, error.status]
    return None


def run_sync():
    client = SigcaseClient(URL + "/", lambda: TOKEN)
    callback = {"url": HOOK, "authType": "NONE", "signingSecret": SECRET, "data": {"n": 8}}
    made = case_input(callback=callback)
    created = client.create_case(made, idempotency_key="contract-2")
    case_id = created["case"]["id"]
    again = client.create_case(made, idempotency_key="contract-2")
    progress = []
    client.upload_document(created, pathlib.Path(PDF), on_progress=lambda *of: progress.append(of))
    case = client.wait_until_in_progress(case_id)
    client.upload_document(client.create_case(made, idempotency_key="contract-2"), b"")
    participant = case["participants"][0]
    reminded = client.remind(case_id, participant["id"])
    sign(participant)
    looks = []
    done = client.wait_until_done(case_id, on_poll=lambda seen: looks.append(seen["status"]))
    report = client.verify(client.download(case_id, "signed"))
    events = [event["type"] for event in client.events(case_id, limit=3)]
    device = client.register_device("Desk")
    names = [one["name"] for one in client.devices()]
    client.remove_device(device["deviceId"])
    return {
        "caseId": case_id,
        "sameCase": again["case"]["id"] == case_id,
        "progress": progress[-1],
        "reminded": reminded,
        "participantId": participant["id"],
        "status": done["status"],
        "lastLook": looks[-1],
        "indications": [one["indication"] for one in report["signatures"]],
        "issuedByService": report["issuedByService"],
        "original": client.download(case_id, "original") == pathlib.Path(PDF).read_bytes(),
        "evidence": client.download(case_id, "evidence")[:5].decode(),
        "firstEvent": events[-1],
        "eventCount": len(events),
        "deliveries": len(client.list_deliveries(case_id)["deliveries"]),
        "listed": case_id in [one["id"] for one in client.cases(limit=1)],
        "page": len(client.list_cases(limit=1, status="DONE")["cases"]),
        "devices": names,
        "failed": len(list(client.failed_webhooks(status="dead"))),
        "errors": [
            failure(lambda: client.get_case(UNKNOWN_ID)),
            failure(lambda: client.create_case({**made, "title": 7})),
            failure(lambda: client.list_cases(cursor="x")),
            failure(lambda: client.verify(bytes(2000))),
            failure(lambda: SigcaseClient(URL, "x").get_case(UNKNOWN_ID)),
            failure(lambda: client.redeliver(case_id, UNKNOWN_ID)),
            failure(lambda: client.cancel_case(case_id)),
        ],
    }


async def run_async():
    client = AsyncSigcaseClient(URL, TOKEN)
    created = await client.create_case(case_input())
    case_id = created["case"]["id"]
    progress = []
    pdf = pathlib.Path(PDF).read_bytes()
    await client.upload_document(created, pdf, on_progress=lambda *of: progress.append(of))
    timed_out = None
    try:
        await client.wait_until_done(case_id, timeout=0.1)
    except SigcaseError as error:
        timed_out = error.code
    case = await client.wait_until_in_progress(case_id)
    waiting = asyncio.create_task(client.wait_until_done(case_id))
    await asyncio.to_thread(sign, case["participants"][0])
    done = await waiting
    signed = await client.download(case_id, "signed")
    report = await client.verify(signed)
    other = (await client.create_case(case_input()))["case"]["id"]
    cancelled = await client.cancel_case(other, reason="Other price")
    again = await client.cancel_case(other)
    ended = None
    try:
        await client.wait_until_done(other)
    except SigcaseError as error:
        ended = [error.code, error.data["status"], error.data["reason"]]
    return {
        "timedOut": timed_out,
        "status": done["status"],
        "progress": progress[-1],
        "indications": [one["indication"] for one in report["signatures"]],
        "events": [event["type"] async for event in client.events(case_id)][-1],
        "listed": [one["id"] async for one in client.cases(status="CANCELLED")] == [other],
        "cancelled": [cancelled["status"], again["cancelReason"]],
        "ended": ended,
    }


print(json.dumps({"version": API_VERSION, "sync": run_sync(), "aio": asyncio.run(run_async())}))
