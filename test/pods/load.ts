/** Keeps cases in flight while a test disturbs the cluster, and checks that each ended whole. */
import { Buffer } from 'node:buffer'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { BASE_URL } from '../../dev/pods/layout.ts'
import { mintToken } from '../../dev/pods/release.ts'
import { Client, type CaseAnswer } from '../e2e/client.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { cluster, TENANT, until, untilWhole } from './cases.ts'
import { deliveries, mails, RECEIVER_URL } from './receiver.ts'

/** Cases that are in flight at each moment. */
export const IN_FLIGHT = Number(process.env.CASES ?? 100)
/** 100 cases at a time take minutes on two cores; a busy machine takes several times as long. */
const PATIENCE_MS = 20 * 60 * 1000
/** Limit of a test that keeps cases in flight. */
export const LOAD_LIMIT_MS = 45 * 60 * 1000
const POLL_MS = 5_000
const CASES_BETWEEN = 5
const WEBHOOK_LIMIT_MS = 120_000
/** Events that a case of one participant has once. */
const ONCE = [
  'case.created',
  'document.uploaded',
  'participant.signed',
  'participant.certificate_issued',
  'participant.signature_applied',
  'case.finalised',
  'case.completed',
]
/** One of the participant, and the seal of the service. */
const SIGNATURES = 2
const WEBHOOKS = ['participant-signed', 'case-completed']

/** A tenant's client that repeats requests until they succeed. */
export async function patientClient(): Promise<Client> {
  const token = await mintToken(cluster.folder, TENANT)
  return new Client({ baseUrl: () => BASE_URL, token, patienceMs: PATIENCE_MS })
}

export interface Load {
  /** Cases that have ended so far. */
  ended: readonly CaseAnswer[]
  /** Lets the cases in flight end, and starts no others. @throws when one does not end in time */
  finish(): Promise<readonly CaseAnswer[]>
}

const addressOf = (run: string, number: number) => `${run}-${number}@example.com`

/**
 * Starts cases: when one ends, the next one starts, at most until the test ends.
 *
 * @param inFlight number of cases at a time
 */
export async function startLoad(t: Test, inFlight: number): Promise<Load> {
  const client = await patientClient()
  const pdf = await smallDocument()
  const run = `p${Date.now()}`
  const ended: CaseAnswer[] = []
  const over = new AbortController()
  t.teardown(() => over.abort())
  let number = 0
  const lane = async () => {
    do {
      const callback = { url: RECEIVER_URL, authType: 'NONE' }
      const people = [{ email: addressOf(run, number++) }]
      const created = await client.create('Contract', people, { callback })
      ended.push(await client.complete(created, pdf, PATIENCE_MS, POLL_MS))
    } while (!over.signal.aborted)
  }
  const running = Promise.all(Array.from({ length: inFlight }, lane))
  running.catch(() => undefined)
  return {
    ended,
    finish: async () => {
      over.abort()
      await running
      return ended
    },
  }
}

/** Waits until some cases more have ended, so that an event finds cases in every state. */
async function untilMoreEnd({ ended }: Load): Promise<void> {
  const before = ended.length
  const isEnough = async () => (ended.length >= before + CASES_BETWEEN ? true : undefined)
  await until('cases end', isEnough, PATIENCE_MS)
}

/**
 * Lets events happen one after the other while cases are in flight. Each begins when cases have
 * ended since the one before, and ends when all pods are ready again.
 */
export async function disturb(
  t: Test,
  load: Load,
  events: Readonly<Record<string, (t: Test) => Promise<void>>>,
): Promise<void> {
  for (const [name, event] of Object.entries(events)) {
    await untilMoreEnd(load)
    const startedMs = performance.now()
    const before = load.ended.length
    await event(t)
    await untilWhole()
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    t.comment(`${name}: ${seconds} s, ${load.ended.length - before} cases ended meanwhile`)
  }
}

/** Counts equal values. */
function tally(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

const countOf = (counts: ReadonlyMap<string, number>, values: readonly string[]) =>
  Object.fromEntries(values.map((value) => [value, counts.get(value) ?? 0]))

const allOnce = (values: readonly string[]) => Object.fromEntries(values.map((value) => [value, 1]))

const signaturesIn = (pdf: ArrayBuffer) =>
  Buffer.from(pdf).toString('latin1').split('/Type /Sig').length - 1

/** Waits for the webhooks of the cases; the last of a case is sent after its end. */
async function waitForWebhooks(ended: readonly CaseAnswer[]) {
  const ids = new Set(ended.map(({ id }) => id))
  const deadlineMs = performance.now() + WEBHOOK_LIMIT_MS
  for (;;) {
    const found = (await deliveries()).filter(({ caseId }) => ids.has(caseId))
    const events = new Set(found.map(({ id }) => id))
    const isComplete = events.size >= ended.length * WEBHOOKS.length
    if (isComplete || performance.now() > deadlineMs) return found
    await sleep(POLL_MS)
  }
}

/**
 * Asserts that each case is DONE and lost nothing, and that nothing was done twice: each event of
 * the trail, each webhook (by its id) and each mail (by its Message-ID) exists once.
 */
export async function assertWhole(t: Test, ended: readonly CaseAnswer[]): Promise<void> {
  const client = await patientClient()
  const notDone = ended.filter(({ status }) => status !== 'DONE')
  t.same(
    notDone.map(({ id, status }) => ({ id, status })),
    [],
    `all ${ended.length} cases are DONE`,
  )
  const sent = await waitForWebhooks(ended)
  const received = await mails()
  const repeated = sent.length - new Set(sent.map(({ id }) => id)).size
  t.comment(`${sent.length} deliveries of webhooks, of which ${repeated} repeat an event`)
  for (const { id, participants, signedDocument } of ended) {
    const events = await client.events(id)
    t.equal(new Set(events.map(({ eventId }) => eventId)).size, events.length, `${id}: events`)
    const types = tally(events.map(({ type }) => type))
    t.same(countOf(types, ONCE), allOnce(ONCE), `${id}: trail`)
    // The test signs with the link from the API: it may be faster than the invitation.
    t.ok((types.get('participant.invited') ?? 0) <= 1, `${id}: one invitation`)
    const own = new Map(sent.filter((one) => one.caseId === id).map((one) => [one.id, one.type]))
    t.same(countOf(tally([...own.values()]), WEBHOOKS), allOnce(WEBHOOKS), `${id}: webhooks`)
    t.equal(own.size, WEBHOOKS.length, `${id}: no other webhook`)
    const address = participants[0]?.email ?? ''
    const subjects = received.filter(({ to }) => to?.includes(address)).map((one) => one.subject)
    t.ok(subjects.length > 0, `${id}: mails`)
    t.equal(new Set(subjects).size, subjects.length, `${id}: no mail twice`)
    const pdf = await fetch(signedDocument?.url ?? '')
    t.equal(signaturesIn(await pdf.arrayBuffer()), SIGNATURES, `${id}: signatures`)
  }
}
