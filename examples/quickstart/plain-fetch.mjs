/** Does what sdk.ts does, without a client: written from the API description at /docs alone. */
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'

const [file = 'contract.pdf', email = 'jana@example.com'] = process.argv.slice(2)
const { SIGCASE_URL = 'http://127.0.0.1:8080', SIGCASE_TOKEN = '' } = process.env
const ATTEMPTS = 5
const POLLS = 600

/** Sends a request, again after 429, 503 or a lost response. */
async function ask(method, path, { body, headers = {} } = {}) {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(new URL(path, SIGCASE_URL), { method, headers, body }).catch(
      (error) => ({ status: 503, ok: false, text: () => String(error) }),
    )
    if (answer.ok) return answer
    const isTemporary = [429, 503].includes(answer.status) && attempt < ATTEMPTS
    if (!isTemporary) throw new Error(`${method} ${answer.status} ${await answer.text()}`)
    await setTimeout(1000 * Number(answer.headers?.get('retry-after') ?? attempt))
  }
}

const tenant = { authorization: `Bearer ${SIGCASE_TOKEN}` }
const json = { 'content-type': 'application/json' }
const pdfType = { 'content-type': 'application/pdf' }

const input = {
  title: 'Contract',
  validUntil: new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString(),
  participants: [{ firstName: 'Jana', lastName: 'Nováková', email }],
}
const headers = { ...tenant, ...json, 'idempotency-key': randomUUID() }
const created = await ask('POST', '/cases', { headers, body: JSON.stringify(input) })
const { case: made, upload } = await created.json()
await ask('PUT', upload.url, { headers: pdfType, body: await readFile(file) })
console.log(`case ${made.id} waits for ${email}`)

let seen = made
for (let poll = 0; poll < POLLS && ['NEW', 'IN_PROGRESS'].includes(seen.status); poll++) {
  await setTimeout(1000)
  seen = await (await ask('GET', `/cases/${made.id}`, { headers: tenant })).json()
}
if (seen.status !== 'DONE') throw new Error(`the case is ${seen.status}`)
const signed = await (await ask('GET', seen.signedDocument.url)).arrayBuffer()
await writeFile('contract-signed.pdf', new Uint8Array(signed))

const size = JSON.stringify({ size: signed.byteLength })
const place = await (await ask('POST', '/verify/uploads', { headers: json, body: size })).json()
await ask('PUT', place.upload.url, { headers: place.upload.headers, body: signed })
const body = JSON.stringify({ key: place.key })
const report = await (await ask('POST', '/verify', { headers: json, body })).json()
console.log(report.summary.indication)
