/** What the smaller ports promise: queue, keys, identities, links, sessions. */
import { Buffer } from 'node:buffer'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import type { CodeSessions, SigningLinks, TenantIdentity } from '../../domain/ports/identity.ts'
import type { JobQueue } from '../../domain/ports/jobs.ts'
import {
  KEY_PURPOSES,
  type FactSigner,
  type FactVerifier,
  type Keyring,
} from '../../domain/ports/keyring.ts'
import { CASE_KEY, participant } from '../fixtures/signature-case.ts'
import { until } from '../fixtures/until.ts'

const SHORT_MS = 60

export function jobQueueContract(name: string, open: () => Promise<JobQueue>): void {
  t.test(`${name}: a job runs with its payload, also one added before anybody works`, async (t) => {
    const queue = await open()
    const ran: unknown[] = []
    await queue.add('intake', 'one', CASE_KEY)
    queue.work('intake', 1, async (payload) => void ran.push(payload))
    await queue.add('intake', 'two', CASE_KEY)
    await until(() => ran.length === 2)
    t.same(ran, [CASE_KEY, CASE_KEY])
    await queue.close()
  })

  t.test(`${name}: a job keeps the trace of the work that added it`, async (t) => {
    const queue = await open()
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const ran: unknown[] = []
    await queue.add('intake', 'one', { ...CASE_KEY, traceparent })
    await queue.add('intake', 'two', { ...CASE_KEY, traceparent }, { delayMs: SHORT_MS })
    queue.work('intake', 1, async (payload) => void ran.push(payload))
    await until(() => ran.length === 2)
    t.same(ran, [
      { ...CASE_KEY, traceparent },
      { ...CASE_KEY, traceparent },
    ])
    await queue.close()
  })

  t.test(`${name}: a job that waits, is delayed or runs is not added again`, async (t) => {
    const queue = await open()
    let runs = 0
    const held = Promise.withResolvers<void>()
    queue.work('intake', 1, async () => {
      runs++
      await held.promise
    })
    await queue.add('intake', 'one', CASE_KEY)
    await until(() => runs === 1)
    await queue.add('intake', 'one', CASE_KEY)
    await queue.add('intake', 'later', CASE_KEY, { delayMs: SHORT_MS })
    await queue.add('intake', 'later', CASE_KEY)
    held.resolve()
    await until(() => runs === 2)
    await setTimeout(SHORT_MS * 4)
    t.equal(runs, 2)
    await queue.close()
  })

  t.test(`${name}: a job that ended or failed can be added again`, async (t) => {
    const queue = await open()
    let runs = 0
    queue.work('intake', 1, async () => {
      runs++
      throw new Error('fails')
    })
    for (let run = 1; run <= 3; run++) {
      await until(async () => runs === run - 1 && (await queue.count('intake')).running === 0)
      await queue.add('intake', 'one', CASE_KEY)
    }
    await until(() => runs === 3)
    t.equal(runs, 3)
    await queue.close()
  })

  t.test(`${name}: a delayed job waits, and no more run at once than asked for`, async (t) => {
    const queue = await open()
    let running = 0
    let most = 0
    let done = 0
    queue.work('intake', 2, async () => {
      running++
      most = Math.max(most, running)
      // The first job waits for the second, however long that takes on a busy machine.
      await until(() => most === 2)
      await setTimeout(5)
      running--
      done++
    })
    const startedMs = Date.now()
    await queue.add('intake', 'late', CASE_KEY, { delayMs: SHORT_MS })
    for (let index = 0; index < 10; index++) await queue.add('intake', `job-${index}`, CASE_KEY)
    await until(() => done === 11)
    t.equal(most, 2)
    t.ok(Date.now() - startedMs >= SHORT_MS - 1)
    await queue.close()
  })

  t.test(`${name}: closing waits for what runs`, async (t) => {
    const queue = await open()
    let ended = false
    let started = false
    queue.work('intake', 1, async () => {
      started = true
      await setTimeout(SHORT_MS)
      ended = true
    })
    await queue.add('intake', 'one', CASE_KEY)
    await until(() => started)
    await queue.close()
    t.ok(ended)
  })

  t.test(`${name}: jobs are counted by what they do`, async (t) => {
    const queue = await open()
    let running = 0
    const held = Promise.withResolvers<void>()
    await queue.add('intake', 'late', CASE_KEY, { delayMs: 60_000 })
    await queue.add('intake', '2', CASE_KEY)
    await queue.add('intake', '3', CASE_KEY)
    await queue.add('finalise', 'other', CASE_KEY)
    t.same(await queue.count('intake'), { waiting: 2, delayed: 1, running: 0 })
    const sinceMs = (await queue.oldestWaitingMs('intake')) ?? 0
    t.ok(Math.abs(Date.now() - sinceMs) < 10_000, 'the oldest job became ready just now')
    t.equal(await queue.oldestWaitingMs('notify'), undefined)
    queue.work('intake', 1, async () => {
      running++
      await held.promise
    })
    await until(() => running === 1)
    t.same(await queue.count('intake'), { waiting: 1, delayed: 1, running: 1 })
    held.resolve()
    await until(() => running === 2)
    await queue.close()
  })

  t.test(`${name}: a kind that is paused is not taken until it is resumed`, async (t) => {
    const queue = await open()
    const ran: string[] = []
    const held = Promise.withResolvers<void>()
    queue.work('intake', 2, async ({ caseId }) => {
      ran.push(caseId)
      if (caseId === 'running') await held.promise
    })
    queue.work('retention', 1, async () => void ran.push('another kind'))
    const add = (caseId: string) => queue.add('intake', caseId, { ...CASE_KEY, caseId })
    await add('running')
    await until(() => ran.length === 1)
    queue.pause('intake')
    queue.pause('intake')
    await add('waits')
    await queue.add('retention', 'one', CASE_KEY)
    await until(() => ran.includes('another kind'))
    await setTimeout(SHORT_MS * 2)
    t.same(ran, ['running', 'another kind'])
    t.equal((await queue.count('intake')).waiting, 1)
    queue.resume('intake')
    await until(() => ran.includes('waits'))
    t.ok(ran.includes('waits'), 'while the other one still runs')
    held.resolve()
    queue.pause('intake')
    await setTimeout(SHORT_MS)
    queue.resume('intake')
    await add('last')
    await until(() => ran.includes('last'))
    t.ok(ran.includes('last'), 'after a pause without a job')
    await queue.close()
  })

  t.test(`${name}: a kind may be paused before anybody works`, async (t) => {
    const queue = await open()
    let runs = 0
    queue.pause('intake')
    queue.work('intake', 1, async () => void runs++)
    await queue.add('intake', 'one', CASE_KEY)
    await setTimeout(SHORT_MS * 2)
    t.equal(runs, 0)
    queue.resume('intake')
    await until(() => runs === 1)
    t.equal(runs, 1)
    await queue.close()
  })

  t.test(`${name}: an id that the other adapters could not hold is refused`, async (t) => {
    const queue = await open()
    await t.rejects(queue.add('intake', 'a:b', CASE_KEY))
    await queue.close()
  })
}

export function keyringContract(
  name: string,
  open: () => Keyring & FactSigner & FactVerifier,
): void {
  t.test(`${name}: a fact's signature holds for its octets and under its key`, async (t) => {
    const [keyring, other] = [open(), open()]
    const message = Buffer.from('fact')
    const signature = keyring.signFact(message)
    t.match(signature, { kid: /^\S+$/, value: /^[0-9a-f]{128}$/ })
    t.ok(keyring.isFactSignature(message, signature))
    t.ok(keyring.isFactSignature(message, signature), 'the second time, too')
    t.notOk(keyring.isFactSignature(Buffer.from('another'), signature))
    t.notOk(other.isFactSignature(message, signature))
    const { kid } = other.signFact(message)
    t.notOk(keyring.isFactSignature(message, { ...signature, kid }))
  })

  t.test(`${name}: each purpose has a key of its own that is found again`, async (t) => {
    const keyring = open()
    const secrets = KEY_PURPOSES.map((purpose) => {
      const { kid, secret } = keyring.current(purpose)
      t.ok((secret.symmetricKeySize ?? 0) >= 32)
      t.ok(keyring.find(purpose, kid)?.secret.equals(secret))
      return secret.export().toString('hex')
    })
    t.equal(new Set(secrets).size, KEY_PURPOSES.length)
    t.equal(keyring.find('signing-link', 'unknown'), undefined)
    t.equal(keyring.find('signing-link', keyring.current('object-url').kid), undefined)
  })
}

export function signingLinksContract(
  name: string,
  open: () => { links: SigningLinks; others: SigningLinks },
): void {
  const link = { ...CASE_KEY, participantId: participant(1).id }

  t.test(`${name}: a link contains what it was made for`, async (t) => {
    const { links } = open()
    t.same(await links.read(await links.mint(link)), link)
  })

  t.test(`${name}: a token that we did not make, or that was altered, is refused`, async (t) => {
    const { links, others } = open()
    const token = await links.mint(link)
    const [header, , signature] = token.split('.')
    const payload = Buffer.from(JSON.stringify({ tenant: 'x', case: 'y', sub: 'z' }))
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'sigcase-link+jwt' }))
    const forged = [
      '',
      'x',
      'a.b.c',
      await others.mint(link),
      `${header}.${payload.toString('base64url')}.${signature}`,
      `${none.toString('base64url')}.${token.split('.')[1]}.`,
      token.slice(0, -2),
    ]
    for (const one of forged) t.equal(await links.read(one), undefined, one)
  })
}

export function codeSessionsContract(
  name: string,
  open: () => { sessions: CodeSessions; others: CodeSessions; foreign: Promise<string>[] },
): void {
  const holder = { ...CASE_KEY, participantId: participant(1).id }
  const end = new Date('2026-11-02T09:00:00.250Z')
  const before = new Date(end.getTime() - 1)

  t.test(`${name}: a session opens for whom it was made, until it ends`, async (t) => {
    const { sessions } = open()
    const session = await sessions.mint(holder, end)
    t.match(session, /^[\w.-]+$/, 'fit for a header')
    t.equal(await sessions.opens(session, holder, before), true)
    t.equal(await sessions.opens(session, holder, end), false)
    const strangers = [{ tenant: 'x' }, { caseId: 'x' }, { participantId: 'x' }]
    for (const stranger of strangers) {
      t.equal(await sessions.opens(session, { ...holder, ...stranger }, before), false)
    }
  })

  t.test(`${name}: what we did not make, or made for something else, opens nothing`, async (t) => {
    const { sessions, others, foreign } = open()
    const session = await sessions.mint(holder, end)
    const [header, , mac] = session.split('.')
    const claims = { tenant: holder.tenant, case: holder.caseId, sub: holder.participantId }
    const forge = (more: object) =>
      Buffer.from(JSON.stringify({ ...claims, ...more })).toString('base64url')
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'sigcase-session+jwt' }))
    const bad = [
      ...['', 'x', 'a.b.c', `${session}x`, session.slice(0, -2)],
      `${header}.${forge({ exp: 9e9 })}.${mac}`,
      `${none.toString('base64url')}.${forge({ exp: 9e9 })}.`,
      await others.mint(holder, end),
      ...(await Promise.all(foreign)),
    ]
    for (const one of bad) t.equal(await sessions.opens(one, holder, before), false, one)
  })
}

export function tenantIdentityContract(
  name: string,
  open: () => { identity: TenantIdentity; good: Promise<string>; bad: Promise<string>[] },
): void {
  t.test(`${name}: a good token names its tenant, another none`, async (t) => {
    const { identity, good, bad } = open()
    t.same(await identity.authenticate(await good), { outcome: 'tenant', tenant: 'acme' })
    for (const token of ['', 'x', 'a.b.c', ...(await Promise.all(bad))]) {
      t.same(await identity.authenticate(token), { outcome: 'invalid' }, token)
    }
  })
}
