"""Checks the audit trail of a case without the service; see docs/reference/audit-trail.md."""

import argparse
import decimal
import hashlib
import json
import pathlib
import re
import sys

NO_PREVIOUS = "0" * 64


def number(value):
    """Formats a number (RFC 8785, 3.2.2.3)."""
    if value == int(value) and abs(value) < 1e21:
        return str(int(value))
    sign, digits, exponent = decimal.Decimal(repr(value)).normalize().as_tuple()
    text = "".join(map(str, digits))
    point = len(digits) + exponent
    if -6 < point <= 0:
        text = "0." + "0" * -point + text
    elif 0 < point <= 21:
        text = text[:point] + "." + text[point:]
    else:
        text = text[0] + ("." + text[1:] if text[1:] else "") + f"e{point - 1:+d}"
    return "-" * sign + text


def canonical(value):
    """Canonical JSON (RFC 8785): members sorted by UTF-16 code units, without white space."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(n)}:{canonical(value[n])}" for n in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value)
    return json.dumps(value, ensure_ascii=False)


def digest(*parts):
    return hashlib.sha256(canonical(list(parts)).encode()).hexdigest()


def check_trail(trail):
    """Checks the chain from its first entry. Raises ValueError at the first broken link."""
    previous = NO_PREVIOUS
    place = (trail["tenant"], trail["caseId"])
    seen = set()
    for sequence, entry in enumerate(trail["entries"], 1):
        if entry["sequence"] != sequence:
            raise ValueError(f"entry {sequence} is numbered {entry['sequence']}")
        if entry["previous"] != previous:
            raise ValueError(f"entry {sequence} does not follow from the one before")
        if (entry["tenant"], entry["caseId"]) != place or entry["eventId"] in seen:
            raise ValueError(f"entry {sequence} belongs elsewhere")
        opening = trail["openings"].get(entry["eventId"], {})
        for name, opened in opening.items():
            commitment = digest("sigcase/audit-commitment/v1", name, opened["salt"], opened["value"])
            if entry["commitments"].get(name) != commitment:
                raise ValueError(f"entry {sequence} was committed to another {name}")
        seen.add(entry["eventId"])
        previous = digest("sigcase/audit-entry/v1", entry)
    if trail["head"] != {"sequence": len(trail["entries"]), "hash": previous}:
        raise ValueError("the head is not the last entry")
    if set(trail["openings"]) - seen:
        raise ValueError("there are values of entries that are not there")


def check_document(trail, pdf):
    """Compares the signed PDF with the digests in the trail."""
    events = {entry["type"]: entry for entry in trail["entries"]}
    if hashlib.sha256(pdf).hexdigest() != events["case.finalised"]["documentSha256"]:
        raise ValueError("the PDF differs from the one in the trail")
    original = events["document.uploaded"]
    data = trail["openings"].get(original["eventId"], {}).get("data")
    ends = [mark.end() + extra for mark in re.finditer(rb"%%EOF", pdf) for extra in range(3)]
    sizes = [data["value"]["size"]] if data else ends
    digests = (hashlib.sha256(pdf[:size]).hexdigest() for size in sizes)
    if original["documentSha256"] not in digests:
        raise ValueError("the PDF does not begin with the document that was uploaded")
    for entry in trail["entries"]:
        agreed = entry["type"] in ("participant.consented", "participant.signed")
        if agreed and entry["documentSha256"] != original["documentSha256"]:
            raise ValueError(f"entry {entry['sequence']} is for another document")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trail", type=pathlib.Path, help="audit.json of the evidence PDF")
    parser.add_argument("--signed", type=pathlib.Path, help="the signed PDF")
    given = parser.parse_args()
    trail = json.loads(given.trail.read_bytes())
    try:
        check_trail(trail)
        if given.signed:
            check_document(trail, given.signed.read_bytes())
    except ValueError as fault:
        sys.exit(f"BROKEN: {fault}")
    print(f"{len(trail['entries'])} entries of case {trail['caseId']} hold together")
    print(f"head {trail['head']['hash']}")


if __name__ == "__main__":
    main()
