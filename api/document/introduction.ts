/** The introduction of the OpenAPI document: what a client must know before the first request. */
import { VERSION } from '../../domain/version.ts'
import { describeGettingStarted } from './samples/getting-started.ts'

const PURPOSE = `
sigcase collects electronic signatures on one PDF and returns a PAdES-signed PDF with a sealed
summary of the evidence.
`.trim()

const RULES = `
## The way of a case

1. \`POST /cases\` creates a case and returns a presigned upload URL.
2. PUT the PDF to \`upload.url\` with \`Content-Type: application/pdf\` and without a token.
3. The service invites the participants, who sign through their signing links.
4. When everyone has signed, the case becomes DONE. Wait for the webhook \`case-completed\`, or read
   \`GET /cases/{caseId}\` every few seconds.
5. Download \`signedDocument.url\` and \`evidenceDocument.url\`.

The statuses DONE, UPLOAD_REJECTED, EXPIRED, CANCELLED and FAILED are final.

## Tokens

- Operations of a tenant need the identity token of the tenant in \`Authorization: Bearer …\`.
- Operations of a participant need the token of the signing link: the part after \`#\`.
- The channel of a kiosk needs the token of the kiosk, or the cookie from \`POST /kiosk/pair\`.
- Verification and probes need no token.

## Errors

Act on the HTTP status and on \`code\`; \`message\` is for people and may change. Most operations
share these errors:

| Status | When | What to do |
|---|---|---|
| 400 with \`validationErrors\` | the request violates rules, all listed | correct the request |
| 401 | missing or invalid token; \`WWW-Authenticate\` says more | get a new token |
| 403 | the token names no tenant | use a token of a tenant |
| 404, plain text | no such case, participant, device or event | check the ids |
| 405 \`METHOD_NOT_ALLOWED\` | the method is not in \`Allow\` | use one of them |
| 413 \`BODY_TOO_LARGE\` | the body is too large | send a smaller body |
| 415 \`UNSUPPORTED_MEDIA_TYPE\` | the body is compressed or not JSON | correct it |
| 429 | too many requests | wait \`Retry-After\` seconds |
| 500 | an unexpected failure, which the service logged | retry later |
| 503 \`TIMEOUT\` | the request ran out of time | retry, see below |

## Retries

Reading and cancelling are safe to repeat. Send an \`Idempotency-Key\` with \`POST /cases\`, so that
a retry returns the same case. Wait longer after each retry, and obey \`Retry-After\`.

## Compatibility

Responses can get new members, and enumerations can get new values: ignore members that you do not
know, and treat an unknown \`code\` by its HTTP status.
`.trim()

/** Returns `info` of the document. @param baseUrl URL of the service */
export const documentInfo = (baseUrl: string) => ({
  title: 'sigcase',
  version: VERSION,
  summary: 'Electronic-signature cases: a PDF and people in, a signed PDF and evidence out',
  description: [PURPOSE, describeGettingStarted(baseUrl), RULES].join('\n\n'),
  contact: { name: 'Operator of this service', url: baseUrl },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
})
