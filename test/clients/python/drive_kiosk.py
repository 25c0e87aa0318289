"""Listens to a kiosk with both clients; called by kiosk.test.ts.

Prints one JSON line for each change. Arguments: sync or async, URL, device id, token, number of
events, seconds after which the client gives up.
"""

import asyncio
import json
import sys

from sigcase import KioskListener, SigcaseError, listen_kiosk

KIND, URL, DEVICE_ID, TOKEN, COUNT, GIVE_UP = sys.argv[1:7]


def report(**what):
    print(json.dumps(what), flush=True)


def on_connection(is_connected):
    report(connected=is_connected)


def run_sync():
    options = {"on_connection": on_connection, "give_up_after": float(GIVE_UP)}
    count = 0
    with KioskListener(URL, DEVICE_ID, TOKEN, **options) as kiosk:
        for event in kiosk:
            report(event=event)
            count += 1
            if count == int(COUNT):
                break


async def run_async():
    options = {"on_connection": on_connection, "give_up_after": float(GIVE_UP)}
    count = 0
    events = listen_kiosk(URL, DEVICE_ID, TOKEN, **options)
    async for event in events:
        report(event=event)
        count += 1
        if count == int(COUNT):
            break
    await events.aclose()


try:
    if KIND == "sync":
        run_sync()
    else:
        asyncio.run(run_async())
except SigcaseError as error:
    report(error=error.code)
