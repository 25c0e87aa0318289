/** Creates a case, uploads its PDF, waits for the signature, and saves and verifies the result. */
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { SigcaseClient } from '@sigcase/client'

const [file = 'contract.pdf', email = 'jana@example.com'] = process.argv.slice(2)
const { SIGCASE_URL: baseUrl = 'http://127.0.0.1:8080', SIGCASE_TOKEN: token = '' } = process.env
const client = new SigcaseClient({ baseUrl, token })

const created = await client.createCase({
  title: 'Contract',
  validUntil: new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString(),
  participants: [{ firstName: 'Jana', lastName: 'Nováková', email }],
})
const { id } = created.case
await client.uploadDocument(created, await readFile(file))
console.log(`case ${id} waits for ${email}`)

await client.waitUntilDone(id)
const signed = await client.download(id, 'signed')
await writeFile('contract-signed.pdf', signed)
const report = await client.verify(signed)
console.log(report.summary.indication)
