/** A whole case without people, as in a test: the script signs with the link of the participant. */
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { ParticipantClient, SigcaseClient } from '@sigcase/client'

const [file = 'contract.pdf'] = process.argv.slice(2)
const { SIGCASE_URL: baseUrl = 'http://127.0.0.1:8080', SIGCASE_TOKEN: token = '' } = process.env
const client = new SigcaseClient({ baseUrl, token })
const created = await client.createCase({
  title: 'Contract',
  validUntil: new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString(),
  participants: [{ firstName: 'Jana', lastName: 'Nová', email: 'jana@example.com', notify: false }],
})
const { id } = created.case
await client.uploadDocument(created, await readFile(file))
const { participants } = await client.waitUntilInProgress(id)
for (const { signerUrl } of participants) {
  const participant = ParticipantClient.fromLink(signerUrl)
  const { consentText } = await participant.getCaseDefinition()
  await participant.sign({
    encodedSignature: 'M0 20 C20 0 40 40 60 20 S100 0 120 20',
    signatures: [{ page: 1, x: 0.1, y: 0.7, width: 0.3, height: 0.08, unit: 'fraction' }],
    consent: { textVersion: consentText.version, acceptedAt: new Date().toISOString() },
  })
}
await client.waitUntilDone(id)
const signed = await client.download(id, 'signed')
await writeFile('contract-signed.pdf', signed)
console.log((await client.verify(signed)).summary.indication)
