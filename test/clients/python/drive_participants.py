"""Runs what participants do, and what needs no case; called by participants.test.ts.

Prints one JSON object. Arguments: `sign`, signing link, code; or `pin`, signing link, PIN; or
`service`, URL, tenant token, signed PDF, case id, kiosk token.
"""

import asyncio
import datetime
import inspect
import json
import pathlib
import sys

from sigcase import (
    AsyncParticipantClient,
    AsyncSigcaseClient,
    ParticipantClient,
    SigcaseClient,
    SigcaseError,
    pair_kiosk,
)

DRAWING = "M0 20 C20 0 40 40 60 20 S100 0 120 20"


def sign(link, code):
    now = datetime.datetime.now(datetime.timezone.utc).isoformat()
    participant = ParticipantClient.from_link(link)
    before = participant.get_case_definition()["otpRequired"]
    participant.verify_code(code)
    after = participant.get_case_definition()["otpRequired"]
    try:
        early = str(len(participant.download_signed()))
    except SigcaseError as error:
        early = error.code
    consent = {"textVersion": "2026-11", "acceptedAt": now}
    participant.sign({"encodedSignature": DRAWING, "consent": consent})
    return {"signed": {"before": before, "after": after, "early": early}}


async def open_with_pin(link, pin):
    participant = AsyncParticipantClient.from_link(link, pin=pin)
    definition = await participant.get_case_definition()
    try:
        no_link = str(ParticipantClient.from_link("http://127.0.0.1/cases"))
    except ValueError as error:
        no_link = type(error).__name__
    return {"opened": {"pinRequired": definition["pinRequired"], "noLink": no_link}}


def missing_methods():
    """Lists the methods that the clients for asyncio lack or that take other arguments."""
    pairs = [(SigcaseClient, AsyncSigcaseClient), (ParticipantClient, AsyncParticipantClient)]
    return [
        name
        for sync, aio in pairs
        for name, method in inspect.getmembers(sync, inspect.isfunction)
        if not name.startswith("_")
        and list(inspect.signature(method).parameters)
        != list(inspect.signature(getattr(aio, name, missing_methods)).parameters)
    ]


async def ask_service(url, token, pdf, case_id, kiosk_token):
    client = AsyncSigcaseClient(url, token)
    file = pathlib.Path(pdf)
    query = "query ($id: ID!) { case(id: $id) { title } }"
    answer = await client.graphql({"query": query, "variables": {"id": case_id}})
    paired = pair_kiosk(url, kiosk_token)
    return {
        "xml": b"ValidationReport" in await client.download_report(file, "xml"),
        "pdf": (await client.download_report(file, "pdf"))[:5].decode(),
        "health": (await client.health())["status"],
        "readiness": (await client.readiness())["status"],
        "authorities": len((await client.authorities())["authorities"]),
        "title": answer["data"]["case"]["title"],
        "paired": [paired["device"]["deviceId"], paired["cookie"].partition("=")[0]],
        "missing": missing_methods(),
    }


KIND, *ARGUMENTS = sys.argv[1:]
if KIND == "sign":
    RESULT = sign(*ARGUMENTS)
else:
    RESULT = asyncio.run({"pin": open_with_pin, "service": ask_service}[KIND](*ARGUMENTS))
print(json.dumps(RESULT))
