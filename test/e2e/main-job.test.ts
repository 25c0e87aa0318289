import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { AuditEvent } from '../../domain/audit/entry.ts'
import { mailFolder } from '../../runtime/embedded/paths.ts'
import { startEmbedded } from '../../runtime/embedded/service.ts'
import { auditFault } from '../fixtures/audit-fault.ts'
import { callTool } from '../fixtures/call-tool.ts'
import { runTool } from '../fixtures/run-tool.ts'
import { sharedReader } from '../fixtures/shared-reader.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import type { Client } from './client.ts'
import {
  clientFor,
  complaintOfQpdf,
  configFor,
  dataDirectory,
  has,
  judgedByPdfsig,
} from './harness.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

t.setTimeout(600_000)

const RECORDED_EVENTS = [
  'case.created',
  'participant.created',
  'participant.created',
  'document.uploaded',
  'participant.invited',
  'participant.invited',
  'participant.consented',
  'participant.signed',
  'participant.consented',
  'participant.signed',
  'participant.certificate_issued',
  'participant.certificate_issued',
  'participant.signature_applied',
  'participant.signature_applied',
  'case.finalised',
  'case.completed',
]

/** Reached only when something never comes. */
const LIMIT_MS = 120_000

/** Waits for the invitations: who signs before is not invited any more. */
async function untilInvited(client: Client, caseId: string, people: number): Promise<void> {
  const deadline = Date.now() + LIMIT_MS
  for (;;) {
    const invited = (await client.events(caseId)).filter(({ type }) => /invited/.test(type))
    if (invited.length === people || Date.now() > deadline) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

t.test('a case goes from its creation to a signed PDF and its evidence', async (t) => {
  const folder = await dataDirectory(t)
  const service = await startEmbedded(configFor(folder))
  t.teardown(() => service.close())
  const client = await clientFor(folder, () => service.url)
  const pdf = await smallDocument()

  const created = await client.create('Zmluva o dielo', [{ language: 'sk' }, { language: 'en' }])
  t.equal(created.case.status, 'NEW')
  await client.upload(created.upload.url, pdf)
  const ready = await client.untilNot('NEW', created.case.id)
  t.equal(ready.status, 'IN_PROGRESS')
  await untilInvited(client, ready.id, 2)
  for (const { signerUrl } of ready.participants) {
    t.equal((await client.sign(signerUrl)).status, 200)
  }
  const done = await client.untilNot('IN_PROGRESS', created.case.id)
  t.equal(done.status, 'DONE')

  const signed = await client.download(done.signedDocument?.url as string)
  t.equal(sha256(signed), done.signedDocument?.sha256)
  t.equal(done.signedDocument?.level, 'PAdES-BASELINE-LTA')
  t.ok(Buffer.from(signed.subarray(0, pdf.length)).equals(pdf), 'the original is a prefix')
  const evidence = await client.download(done.evidenceDocument?.url as string)
  t.equal(sha256(evidence), done.evidenceDocument?.sha256)

  const events = await client.events(done.id)
  for (const event of events) t.equal(auditFault(event as AuditEvent), undefined, event.type)
  const types = events.map(({ type }) => type)
  t.same([...types].sort(), [...RECORDED_EVENTS].sort())
  t.equal(types.at(-1), 'case.completed')

  await t.test('the mails are there, the completion with the document', async (t) => {
    const deadline = Date.now() + LIMIT_MS
    let names: string[] = []
    while (names.length < 4 && Date.now() < deadline) {
      // A file that is being written has another name until it is whole.
      names = (await readdir(mailFolder(folder))).filter((name) => name.endsWith('.eml'))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const mails = await Promise.all(
      names.map((name) => readFile(join(mailFolder(folder), name), 'latin1')),
    )
    t.equal(mails.length, 4)
    t.equal(mails.filter((mail) => /Content-Type: application\/pdf/.test(mail)).length, 2)
  })

  await t.test('the evidence holds, also for a file that was stamped again', async (t) => {
    const cwd = t.testdir({})
    await writeFile(join(cwd, 'signed.pdf'), signed)
    await writeFile(join(cwd, 'evidence.pdf'), evidence)
    const options = { cwd, env: { DATA_DIR: folder } }
    const script = 'cli/verify-evidence.ts'
    const first = await runTool(script, ['evidence.pdf', 'signed.pdf'], options)
    t.equal(first.code, 0, first.stdout)
    const augmented = await runTool('cli/augment.ts', ['signed.pdf', 'later.pdf'], options)
    t.equal(augmented.code, 0, augmented.stderr)
    t.match(augmented.stdout, /^sigcase-seal: TOTAL_PASSED, PAdES-BASELINE-LTA$/m)
    const later = await readFile(join(cwd, 'later.pdf'))
    t.ok(later.subarray(0, signed.length).equals(signed), 'a prefix')
    const second = await callTool(script, ['evidence.pdf', 'later.pdf'], options)
    t.equal(second.code, 0, second.stdout)
    const wrong = await callTool('cli/augment.ts', ['signed.pdf'], options)
    t.equal(wrong.code, 2)
    t.match(wrong.stderr, 'usage: npm run --silent augment')
  })

  await t.test('authorities and lists are published', async (t) => {
    const answer = await fetch(`${service.url}/pki`)
    const { authorities } = (await answer.json()) as { authorities: { revocationList: string }[] }
    t.equal(authorities.length, 2)
    for (const { revocationList } of authorities) {
      t.equal((await fetch(revocationList)).headers.get('content-type'), 'application/pkix-crl')
    }
  })

  const programs = (await has('pdfsig')) && (await has('certutil')) && (await has('qpdf'))
  await t.test('outside programs find it valid', { skip: !programs }, async (t) => {
    for (const [document, signatures] of [
      [signed, 3],
      [evidence, 1],
    ] as const) {
      const verdicts = await judgedByPdfsig(document, folder)
      t.equal(verdicts.length, signatures)
      for (const verdict of verdicts) {
        t.same(verdict, {
          signature: 'Signature is Valid.',
          certificate: 'Certificate is Trusted.',
        })
      }
      t.equal(await complaintOfQpdf(document), undefined)
    }
  })
})

t.test('a file that is not a PDF is rejected with a reason', async (t) => {
  const folder = await dataDirectory(t)
  const service = await startEmbedded(configFor(folder), undefined, sharedReader())
  t.teardown(() => service.close())
  const client = await clientFor(folder, () => service.url)
  const created = await client.create('Nothing', [{}])
  await client.upload(created.upload.url, Buffer.from('hello '.repeat(400)))
  const rejected = await client.untilNot('NEW', created.case.id)
  t.match(rejected, { status: 'UPLOAD_REJECTED', rejectReason: /not a PDF/ })
})

t.test('a service that was closed in the middle goes on where it was', async (t) => {
  const folder = await dataDirectory(t)
  let service = await startEmbedded(configFor(folder), undefined, sharedReader())
  const client = await clientFor(folder, () => service.url)
  const restart = async () => {
    await service.close()
    service = await startEmbedded(configFor(folder), undefined, sharedReader())
  }
  t.teardown(() => service.close())
  const created = await client.create('Prerušená', [{}, {}])
  const { pathname, search } = new URL(created.upload.url)
  await restart()
  await client.upload(`${pathname}${search}`, await smallDocument())
  await restart()
  const ready = await client.untilNot('NEW', created.case.id)
  t.equal(ready.status, 'IN_PROGRESS')
  await untilInvited(client, ready.id, 2)
  t.equal((await client.sign(ready.participants[0]?.signerUrl as string)).status, 200)
  await restart()
  t.equal((await client.sign(ready.participants[0]?.signerUrl as string)).status, 409)
  t.equal((await client.sign(ready.participants[1]?.signerUrl as string)).status, 200)
  await restart()
  const done = await client.untilNot('IN_PROGRESS', created.case.id)
  t.equal(done.status, 'DONE')
  const types = (await client.events(done.id)).map(({ type }) => type)
  // A run that was closed between issuing and signing leaves certificates, which are revoked.
  const others = types.filter((type) => type !== 'participant.certificate_revoked')
  t.same(others.sort(), [...RECORDED_EVENTS].sort())
})

t.test('the last two signatures at the same instant both count', async (t) => {
  const folder = await dataDirectory(t)
  const service = await startEmbedded(configFor(folder), undefined, sharedReader())
  t.teardown(() => service.close())
  const client = await clientFor(folder, () => service.url)
  const created = await client.create('Naraz', [{}, {}, {}, {}])
  await client.upload(created.upload.url, await smallDocument())
  const ready = await client.untilNot('NEW', created.case.id)
  const answers = await Promise.all(
    ready.participants.flatMap(({ signerUrl }) => [client.sign(signerUrl), client.sign(signerUrl)]),
  )
  const statuses = answers.map(({ status }) => status).sort()
  t.same(statuses, [200, 200, 200, 200, 409, 409, 409, 409])
  const done = await client.untilNot('IN_PROGRESS', created.case.id)
  t.equal(done.status, 'DONE')
  const types = (await client.events(done.id)).map(({ type }) => type)
  t.equal(types.filter((type) => type === 'participant.signed').length, 4)
  t.equal(types.filter((type) => type === 'case.finalised').length, 1)
})

/** What the trail says of the end, once it says so. */
async function waitForEndEvents(client: Client, caseId: string): Promise<string[]> {
  const deadline = Date.now() + LIMIT_MS
  for (;;) {
    const types = (await client.events(caseId)).map(({ type }) => type)
    const endEvents = types.filter((type) => type === 'case.cancelled' || type === 'case.completed')
    if (endEvents.length > 0 || Date.now() > deadline) return endEvents
  }
}

t.test('a cancellation beside the last signature ends in one legal history', async (t) => {
  const folder = await dataDirectory(t)
  const service = await startEmbedded(configFor(folder), undefined, sharedReader())
  t.teardown(() => service.close())
  const client = await clientFor(folder, () => service.url)
  const pdf = await smallDocument()
  const ends = new Map<string, number>()
  for (let round = 0; round < 12; round++) {
    const created = await client.create(`Preteky ${round}`, [{}])
    await client.upload(created.upload.url, pdf)
    const ready = await client.untilNot('NEW', created.case.id)
    const signing = client.sign(ready.participants[0]?.signerUrl as string)
    await new Promise((resolve) => setTimeout(resolve, round * 20))
    const cancelled = await client.request('DELETE', `/cases/${ready.id}`)
    const signed = await signing
    const end = await client.untilNot('IN_PROGRESS', ready.id)
    const endEvents = await waitForEndEvents(client, ready.id)
    t.equal(end.status, cancelled.status === 200 ? 'CANCELLED' : 'DONE')
    t.ok(signed.status === 200 || signed.status === 410, `signing answered ${signed.status}`)
    t.same(endEvents, [end.status === 'CANCELLED' ? 'case.cancelled' : 'case.completed'])
    ends.set(end.status, (ends.get(end.status) ?? 0) + 1)
  }
  t.comment(JSON.stringify(Object.fromEntries(ends)))
})
