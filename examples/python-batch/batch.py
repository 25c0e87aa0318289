"""Sends a folder of PDFs to the people of a CSV file and writes what became of each; see README.md."""

import argparse
import asyncio
import collections
import csv
import datetime
import hashlib
import os
import pathlib

from sigcase import AsyncSigcaseClient, SigcaseError

#: Cases that are created, awaited and downloaded at the same time.
PARALLEL_CASES = 8
COLUMNS = ["file", "email", "caseId", "status", "reason", "signed"]


def case_of(row, valid_until):
    person = {"firstName": row["first_name"], "lastName": row["last_name"], "email": row["email"]}
    title = pathlib.Path(row["file"]).stem
    return {"title": title, "validUntil": valid_until, "participants": [person]}


def key_of(row, valid_until):
    """The key by which a second run of the batch finds the case of the first one.

    A digest, because file names can have characters that a header cannot.
    """
    text = "\n".join([valid_until, row["file"], row["email"]])
    return f"batch-{hashlib.sha256(text.encode()).hexdigest()}"


async def process(client, folder, row, valid_until, seconds, is_shared):
    """Takes one row from its PDF to its result; errors become part of the result."""
    result = {"file": row["file"], "email": row["email"]}
    try:
        pdf = folder / row["file"]
        key = key_of(row, valid_until)
        created = await client.create_case(case_of(row, valid_until), idempotency_key=key)
        case_id = result["caseId"] = created["case"]["id"]
        await client.upload_document(created, pdf)
        case = await client.wait_until_done(case_id, timeout=seconds)
        part = f"-{case_id}" if is_shared else ""
        signed = pdf.with_name(f"{pdf.stem}{part}-signed.pdf")
        signed.write_bytes(await client.download(case_id, "signed"))
        return {**result, "status": case["status"], "signed": signed.name}
    except SigcaseError as error:
        status = error.data.get("status", error.code)
        return {**result, "status": status, "reason": error.data.get("reason") or str(error)}
    except OSError as error:
        return {**result, "status": "NOT_SENT", "reason": str(error)}


async def run(client, folder, valid_until, seconds):
    # Spreadsheets begin the file with a byte order mark.
    with open(folder / "people.csv", newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    uses = collections.Counter(row["file"] for row in rows)
    limit = asyncio.Semaphore(PARALLEL_CASES)

    async def limited(row):
        async with limit:
            is_shared = uses[row["file"]] > 1
            return await process(client, folder, row, valid_until, seconds, is_shared)

    results = await asyncio.gather(*(limited(row) for row in rows))
    with open(folder / "results.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(results)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="folder with the PDFs and people.csv")
    week = datetime.date.today() + datetime.timedelta(days=7)
    parser.add_argument("--valid-until", type=datetime.date.fromisoformat, default=week)
    parser.add_argument("--wait-seconds", type=float, default=3600)
    given = parser.parse_args()
    url = os.environ.get("SIGCASE_URL", "http://127.0.0.1:8080")
    client = AsyncSigcaseClient(url, os.environ["SIGCASE_TOKEN"])
    valid_until = f"{given.valid_until}T23:59:59Z"
    for result in asyncio.run(run(client, given.folder, valid_until, given.wait_seconds)):
        print(result["status"], result["file"], result["email"])


if __name__ == "__main__":
    main()
