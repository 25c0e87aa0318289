/** "Getting started" of the OpenAPI document: a whole case in curl, TypeScript and Python. */

const CURL = String.raw`
curl -sS --fail-with-body -o created.json "$SIGCASE_URL/cases" \
  -H "Authorization: Bearer $SIGCASE_TOKEN" -H 'Content-Type: application/json' \
  -H "Idempotency-Key: contract-118" \
  --data '{
    "title": "Contract",
    "validUntil": "2099-12-31T23:00:00Z",
    "participants": [{"firstName": "Jana", "lastName": "Nováková", "email": "jana@example.com"}]
  }'
curl -sS --fail-with-body -T contract.pdf -H 'Content-Type: application/pdf' \
  "$(jq -r .upload.url created.json)"
CASE_ID=$(jq -r .case.id created.json)
STATUS=NEW
while [ "$STATUS" = NEW ] || [ "$STATUS" = IN_PROGRESS ]; do
  sleep 5
  curl -sS --fail-with-body -o case.json "$SIGCASE_URL/cases/$CASE_ID" \
    -H "Authorization: Bearer $SIGCASE_TOKEN"
  STATUS=$(jq -r .status case.json)
done
[ "$STATUS" = DONE ] || { jq '{status, rejectReason, failureReason}' case.json; exit 1; }
curl -sS --fail-with-body -o evidence.pdf "$(jq -r .evidenceDocument.url case.json)"
curl -sS --fail-with-body -o contract-signed.pdf "$(jq -r .signedDocument.url case.json)"
curl -sS --fail-with-body -o place.json "$SIGCASE_URL/verify/uploads" \
  -H 'Content-Type: application/json' --data "{\"size\": $(wc -c <contract-signed.pdf)}"
jq -r '.upload.headers | to_entries[] | .key + ": " + .value' place.json >headers.txt
curl -sS --fail-with-body -T contract-signed.pdf -H @headers.txt "$(jq -r .upload.url place.json)"
curl -sS --fail-with-body "$SIGCASE_URL/verify" -H 'Content-Type: application/json' \
  --data "$(jq '{key}' place.json)" | jq -r .summary.indication
`.trim()

const IMPORTS = [
  `import { readFile, writeFile } from 'node:fs/promises'`,
  `import { SigcaseClient } from '@sigcase/client'`,
].join('\n')

const TYPESCRIPT = `
${IMPORTS}

const { SIGCASE_URL: baseUrl = '', SIGCASE_TOKEN: token = '' } = process.env
const client = new SigcaseClient({ baseUrl, token })
const inThirtyDays = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000)
const created = await client.createCase({
  title: 'Contract',
  validUntil: inThirtyDays.toISOString(),
  participants: [{ firstName: 'Jana', lastName: 'Nováková', email: 'jana@example.com' }],
})
await client.uploadDocument(created, await readFile('contract.pdf'))
await client.waitUntilDone(created.case.id)
const signed = await client.download(created.case.id, 'signed')
await writeFile('contract-signed.pdf', signed)
await writeFile('evidence.pdf', await client.download(created.case.id, 'evidence'))
const report = await client.verify(signed)
console.log(report.summary.indication)
`.trim()

const PYTHON = `
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from sigcase import SigcaseClient

client = SigcaseClient(os.environ["SIGCASE_URL"], os.environ["SIGCASE_TOKEN"])
in_thirty_days = datetime.now(UTC) + timedelta(days=30)
created = client.create_case({
    "title": "Contract",
    "validUntil": in_thirty_days.isoformat(),
    "participants": [{"firstName": "Jana", "lastName": "Nováková", "email": "jana@example.com"}],
})
client.upload_document(created, Path("contract.pdf"))
client.wait_until_done(created["case"]["id"])
signed = client.download(created["case"]["id"], "signed")
Path("contract-signed.pdf").write_bytes(signed)
Path("evidence.pdf").write_bytes(client.download(created["case"]["id"], "evidence"))
report = client.verify(signed)
print(report["summary"]["indication"])
`.trim()

const SIGN_IMPORT = `import { ParticipantClient, SigcaseClient } from '@sigcase/client'`

const SIGN = `
${SIGN_IMPORT}

const { SIGCASE_URL: baseUrl = '', SIGCASE_TOKEN: token = '', CASE_ID = '' } = process.env
const client = new SigcaseClient({ baseUrl, token })
const { participants } = await client.waitUntilInProgress(CASE_ID)
for (const { signerUrl } of participants) {
  const participant = ParticipantClient.fromLink(signerUrl)
  const { consentText } = await participant.getCaseDefinition()
  await participant.sign({
    encodedSignature: 'M0 20 C20 0 40 40 60 20',
    signatures: [{ page: 1, x: 0.1, y: 0.8, width: 0.3, height: 0.1, unit: 'fraction' }],
    consent: { textVersion: consentText.version, acceptedAt: new Date().toISOString() },
  })
}
`.trim()

/** Writes a block of code in Markdown. */
const block = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``

/** Writes the section in Markdown. @param baseUrl URL of the service */
export const describeGettingStarted = (baseUrl: string): string =>
  `
## Getting started

A case needs one PDF and at least one participant. Each script below creates a case, uploads
\`contract.pdf\`, waits until the participant has signed through the link in the invitation mail,
downloads the signed PDF and its evidence, and verifies the signed PDF. It prints \`TOTAL_PASSED\`.

First set the URL of the service and the identity token of your tenant. The operator of the service
gives you the token. A service that you started with \`npm start\` issues one with
\`npm run --silent token -- --tenant acme\`.

${block('shell', `export SIGCASE_URL=${baseUrl}\nexport SIGCASE_TOKEN=…`)}

### With curl

This script needs \`curl\` and \`jq\`. Change the \`Idempotency-Key\` for each new case.

${block('shell', CURL)}

### With TypeScript

The package \`@sigcase/client\` is in the folder \`clients/typescript\` of the source. It runs on
Node 20.3 or newer and on Deno, and needs no other packages. To install it, run \`npm ci\` and
\`npm pack ./clients/typescript\` in the source, and \`npm install\` with the path of the file that
\`npm pack\` wrote in your project.

${block('typescript', TYPESCRIPT)}

### With Python

The package \`sigcase\` is in the folder \`clients/python\` of the source. It needs Python 3.11 or
newer and no other packages. To install it, run \`pip install\` with the path of this folder.

${block('python', PYTHON)}

### Sign in a test

A test can sign instead of the participants. Set \`CASE_ID\` and run this script while one of the
scripts above waits. \`signerUrl\` of a participant ends in \`#\` and the token of the participant,
which \`fromLink\` reads; every request of a participant carries it as a bearer token. For a case
with \`multiFactorType\`, it also needs the code check: \`sendCode\` and \`verifyCode\`.

${block('typescript', SIGN)}

Every operation of this reference has a sample in these three languages. A Postman collection is
in \`clients/collection\`. Cases can take days: for more than a first test, receive webhooks instead
of waiting in a script.
`.trim()
