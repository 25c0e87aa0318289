/** Does what unattended.ts does, with `fetch` alone: written from the API description at /docs. */
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'

const [file = 'contract.pdf'] = process.argv.slice(2)
const { SIGCASE_URL = 'http://127.0.0.1:8080', SIGCASE_TOKEN = '' } = process.env
const POLLS = 600

async function send(method: string, path: string, headers: HeadersInit = {}, body?: BodyInit) {
  const answer = await fetch(new URL(path, SIGCASE_URL), { method, headers, body: body ?? null })
  if (!answer.ok) throw new Error(`${method} ${answer.status} ${await answer.text()}`)
  return answer
}

async function ask(method: string, path: string, headers: object = {}, body?: object) {
  const type = body ? { 'Content-Type': 'application/json' } : {}
  const answer = await send(method, path, { ...headers, ...type }, body && JSON.stringify(body))
  const text = await answer.text()
  return text === '' ? undefined : JSON.parse(text)
}

const tenant = { Authorization: `Bearer ${SIGCASE_TOKEN}` }

async function waitFor(id: string, status: string) {
  let seen = await ask('GET', `/cases/${id}`, tenant)
  for (let polls = 0; polls < POLLS && seen.status !== status; polls++) {
    if (!['NEW', 'IN_PROGRESS'].includes(seen.status)) throw new Error(`the case is ${seen.status}`)
    await setTimeout(1000)
    seen = await ask('GET', `/cases/${id}`, tenant)
  }
  return seen
}

const jana = { firstName: 'Jana', lastName: 'Nováková', email: 'jana@example.com', notify: false }
const validUntil = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString()
const input = { title: 'Contract', validUntil, participants: [jana] }
const { case: made, upload } = await ask('POST', '/cases', tenant, input)
await send('PUT', upload.url, { 'Content-Type': 'application/pdf' }, await readFile(file))
for (const { id, signerUrl } of (await waitFor(made.id, 'IN_PROGRESS')).participants) {
  const link = { Authorization: `Bearer ${new URL(signerUrl).hash.slice(1)}` }
  const { consentText } = await ask('GET', `/participant/${id}/caseDefinition`, link)
  const place = { page: 1, x: 0.1, y: 0.8, width: 0.3, height: 0.1, unit: 'fraction' }
  const consent = { textVersion: consentText.version, acceptedAt: new Date().toISOString() }
  const signature = { encodedSignature: 'M0 20 C20 0 40 40 60 20', signatures: [place], consent }
  await ask('POST', `/participant/${id}/signature`, link, signature)
}
const done = await waitFor(made.id, 'DONE')
const signed = await (await send('GET', done.signedDocument.url)).arrayBuffer()
await writeFile('contract-signed.pdf', new Uint8Array(signed))
const size = signed.byteLength
const { key, upload: place } = await ask('POST', '/verify/uploads', {}, { size })
await send('PUT', place.url, place.headers, signed)
const report = await ask('POST', '/verify', {}, { key })
console.log(report.summary.indication)
