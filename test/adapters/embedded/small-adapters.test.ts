/** The smaller embedded adapters keep their ports' contracts. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { InProcessEphemeral } from '../../../adapters/embedded/ephemeral.ts'
import { InProcessJobQueue } from '../../../adapters/embedded/job-queue.ts'
import { openWholeKeyring } from '../../../adapters/embedded/keyring.ts'
import { FileMailer } from '../../../adapters/embedded/mailer.ts'
import { JwsCodeSessions } from '../../../adapters/jose/code-sessions.ts'
import { JwsSigningLinks } from '../../../adapters/jose/signing-links.ts'
import { LocalTenantIdentity, mintTenantToken } from '../../../adapters/jose/local-identity.ts'
import { MailRefusedError, type Mail } from '../../../domain/ports/mailer.ts'
import { systemTimers } from '../../../adapters/system-timers.ts'
import { MemoryEphemeral } from '../../fixtures/memory-ephemeral.ts'
import { CASE_KEY, participant } from '../../fixtures/signature-case.ts'
import { ephemeralContract } from '../../contract/ephemeral.ts'
import {
  codeSessionsContract,
  jobQueueContract,
  keyringContract,
  signingLinksContract,
  tenantIdentityContract,
} from '../../contract/small-ports.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const now = () => new Date()
const folder = t.testdir()
let opened = 0
const newKeyring = () => openWholeKeyring(join(folder, `keyring-${opened++}`))

jobQueueContract('InProcessJobQueue', async () => new InProcessJobQueue(systemTimers, () => {}))
ephemeralContract('InProcessEphemeral', async () => new InProcessEphemeral(now))
ephemeralContract('MemoryEphemeral', async () => new MemoryEphemeral(now))
keyringContract('FileKeyring', newKeyring)
signingLinksContract('JwsSigningLinks', () => ({
  links: new JwsSigningLinks(newKeyring()),
  others: new JwsSigningLinks(newKeyring()),
}))
codeSessionsContract('JwsCodeSessions', () => {
  const keyring = newKeyring()
  return {
    sessions: new JwsCodeSessions(keyring),
    others: new JwsCodeSessions(newKeyring()),
    foreign: [
      new JwsSigningLinks(keyring).mint({ ...CASE_KEY, participantId: participant(1).id }),
      mintTenantToken(keyring, 'acme', now()),
    ],
  }
})
tenantIdentityContract('LocalTenantIdentity', () => {
  const keyring = newKeyring()
  return {
    identity: new LocalTenantIdentity(keyring, now),
    good: mintTenantToken(keyring, 'acme', now()),
    bad: [
      mintTenantToken(newKeyring(), 'acme', now()),
      mintTenantToken(keyring, 'acme', new Date(Date.now() - 31 * DAY_MS)),
      new JwsSigningLinks(keyring).mint({ tenant: 'acme', caseId: 'c', participantId: 'p' }),
    ],
  }
})

t.test('a tenant must be a name that a namespace can have', async (t) => {
  const keyring = newKeyring()
  for (const name of ['', 'A', '-a', 'a-', 'a_b', 'a/b', 'á', 'a'.repeat(64)]) {
    await t.rejects(mintTenantToken(keyring, name, now()), { name: 'RangeError' }, name)
  }
})

const mail: Mail = {
  id: '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  fromName: 'Firma, s.r.o.',
  replyTo: { name: 'Sekretariát', address: 'office@example.com' },
  to: { name: 'Ľuboš Šťastný', address: 'lubos@example.com' },
  subject: 'Podpíšte: Zmluva',
  text: 'Dobrý deň',
  html: '<p>Dobrý deň</p>',
  language: 'sk',
  attachments: [{ name: 'Zmluva.pdf', mediaType: 'application/pdf', bytes: new Uint8Array(10) }],
}

t.test('a mail that is sent twice is one file with both parts and the attachment', async (t) => {
  const place = join(t.testdir(), 'mail')
  const mailer = new FileMailer(place)
  await mailer.send(mail)
  await mailer.send(mail)
  t.same(readdirSync(place), [`${mail.id}.eml`])
  const text = readFileSync(join(place, `${mail.id}.eml`), 'utf8')
  for (const part of [
    /^Message-ID: <2ed6657d-e927-568b-95e1-2665a8aea6a2@/m,
    /^Reply-To: /m,
    /^Content-Type: text\/plain/m,
    /^Content-Type: text\/html/m,
    /^Content-Type: application\/pdf/m,
  ]) {
    t.match(text, part)
  }
})

t.test('the text of a name cannot add a header', async (t) => {
  const place = join(t.testdir(), 'mail')
  await new FileMailer(place).send({
    ...mail,
    fromName: 'x\r\nBcc: victim@example.com',
    subject: 'x\r\nBcc: victim@example.com',
  })
  t.notMatch(readFileSync(join(place, `${mail.id}.eml`), 'utf8'), /^Bcc:/im)
})

t.test('a mail that has nowhere to go is refused for good', async (t) => {
  const mailer = new FileMailer(join(t.testdir(), 'mail'))
  const to = { name: 'Nobody', address: '' }
  await t.rejects(mailer.send({ ...mail, to }), MailRefusedError)
})
