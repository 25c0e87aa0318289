import t, { type Test } from 'tap'
import { RecordingAlarm, testTrail } from '../fixtures/alarms.ts'
import {
  CANARY_KEY,
  caseFolder,
  drawingKey,
  receiptFolder,
  eventsOfReceipt,
  receiptKey,
  resultKey,
  uploadKey,
} from '../../domain/cases/keys.ts'
import { trailSealReceiptId } from '../../domain/cases/due-audit-events.ts'
import type { FinaliseResult } from '../../domain/cases/results.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { CASE_CHANGED } from '../../domain/ports/pub-sub.ts'
import { RESYNC_INTERVAL_MS } from '../../controllers/case-runs.ts'
import { buildController } from '../../controllers/controller.ts'
import { buildWorker } from '../../workers/worker.ts'
import { KeyedWitness } from '../../application/audit/witness.ts'
import { settle } from '../fixtures/frozen-timers.ts'
import { Life, mortal } from '../fixtures/life.ts'
import { MemoryEphemeral } from '../fixtures/memory-ephemeral.ts'
import { RunningJobQueue } from '../fixtures/memory-jobs.ts'
import { seededHex } from '../fixtures/seeded-hex.ts'
import {
  CASE_KEY,
  keyring,
  participant,
  signature,
  signatureCase,
} from '../fixtures/signature-case.ts'
import { DRAWING, DRAWING_REFERENCE, smallDocument } from '../fixtures/signed-by-all.ts'
import { wholeTrail } from '../fixtures/whole-trail.ts'
import { workerDeps, type TestWorkerDeps } from '../fixtures/worker.ts'

const STORE_WRITES = ['putIfAbsent', 'compareAndSwap', 'replaceStatus']
const PAGES = [{ width: 595.28, height: 841.89 }]
/** Polls that a test waits for at most; each gives the service 30 seconds of its own clock. */
const MAXIMUM_TURNS = 40
const TURN_MS = 30_000

/** Remembers the heads of trails beyond the life of a process; only these writes use it up. */
interface Memory {
  heads: MemoryEphemeral
  alarm: RecordingAlarm
}

/** Which writes use up the lives; absent: those of the stores and mails. */
interface Counted {
  /** Only writes of the heads of trails that the service remembers. */
  memory?: Memory
  /** Only writes of objects of this kind; see {@link kindOf}. */
  only?: string | undefined
}

/** The first part of a key within its case, or within the bucket. */
const kindOf = (key: string): string => key.replace(caseFolder(CASE_KEY), '').split('/')[0] ?? ''

/**
 * A service that lives as long as `life` lets it; everything in memory but the stores dies with it.
 */
async function startService(shared: TestWorkerDeps, life: Life, seed: string, counted: Counted) {
  const { memory, only } = counted
  const storeWrites = memory ? [] : STORE_WRITES
  // A worker writes it at its start: a life of one write would never come to the case.
  const isFree = (key: unknown) =>
    key === CANARY_KEY || (only !== undefined && kindOf(String(key)) !== only)
  const objects = mortal(shared.objects, life, storeWrites, isFree)
  const otherWrites = only === undefined ? storeWrites : []
  const cases = mortal(shared.cases, life, otherWrites)
  const witness = memory && new KeyedWitness(mortal(memory.heads, life, ['set']), keyring)
  const deps = {
    ...shared,
    objects,
    cases,
    mailer: mortal(shared.mailer, life, otherWrites.length > 0 ? ['send'] : []),
    trail: testTrail(objects, seededHex(seed), memory?.alarm, witness),
    ephemeral: mortal(new MemoryEphemeral(), life, []),
    jobs: new RunningJobQueue(shared.timers),
  }
  const worker = buildWorker(deps)
  worker.start()
  const log = { info: () => {}, warn: () => {} }
  const controller = buildController({ ...deps, keepsRecentCases: true, log })
  await controller.start()
  return { controller, worker, deps }
}

async function world() {
  const shared = await workerDeps('2026-11-02T08:00:00.000Z')
  const accepted = { outcome: 'accepted' as const, pages: PAGES, carriesSignatures: false }
  shared.sandbox.inspect = async () => accepted
  const document = await smallDocument()
  return { shared, document }
}

/** What tenant and participants do, as far as the case is ready for it. */
async function peopleGoOn(shared: TestWorkerDeps, document: Uint8Array): Promise<void> {
  const value = (await shared.cases.get(CASE_KEY)) as SignatureCase
  const sha256 = value.status?.document?.sha256
  if (!shared.objects.objects.has(uploadKey(CASE_KEY))) {
    shared.objects.upload(uploadKey(CASE_KEY), document)
  }
  if (sha256 === undefined || value.spec.signatures.length > 0) return
  const place = drawingKey(CASE_KEY, DRAWING_REFERENCE.sha256)
  shared.objects.upload(place, DRAWING, 'image/svg+xml')
  value.spec.signatures = [participant(1), participant(2)].map((one) =>
    signature(one, {
      signedAt: shared.now().toISOString(),
      documentSha256: sha256,
      drawing: DRAWING_REFERENCE,
      fieldIds: one.signatureFields.map(({ id }) => id),
    }),
  )
  await shared.cases.replaceSpec(value)
}

const isSettled = async ({ cases }: TestWorkerDeps) =>
  (await cases.get(CASE_KEY))?.status?.conditions.some(
    ({ type, status }) => type === 'Settled' && status === 'True',
  ) ?? false

async function untilSettled(
  shared: TestWorkerDeps,
  life: Life,
  document: Uint8Array,
  ephemeral: MemoryEphemeral,
): Promise<void> {
  for (let turn = 0; turn < MAXIMUM_TURNS && !life.isOver; turn++) {
    await peopleGoOn(shared, document)
    await ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
    await settle()
    if (await isSettled(shared)) return
    await shared.timers.moveTo(shared.timers.nowMs() + TURN_MS)
  }
}

const REVOKED = 'participant.certificate_revoked'

/** Everything that was promised of a finished case, whatever happened on the way. */
async function assertWhole(t: Test, shared: TestWorkerDeps, what: string) {
  const entries = await wholeTrail(t, shared.objects, CASE_KEY, `${what}: `)
  const value = await shared.cases.get(CASE_KEY)
  t.equal(value?.status?.phase, 'DONE', `${what}: DONE`)
  const counts = new Map<string, number>()
  for (const { type } of entries) counts.set(type, (counts.get(type) ?? 0) + 1)
  // Certificates of runs that were killed: as many as there were, each once.
  const revoked = shared.objects.under('pki/revocations/').length
  t.equal(counts.get(REVOKED) ?? 0, revoked, `${what}: every revocation, none twice`)
  counts.delete(REVOKED)
  t.same(Object.fromEntries(counts), RECORDED_EVENTS, `${what}: every event, none twice`)
  const issued = shared.objects.under('issued/')
  const result = shared.objects.json<FinaliseResult>(resultKey(CASE_KEY))
  const made = [result?.signedDocument, result?.evidenceDocument]
  const places = made.map((document) => `issued/${document?.sha256}`)
  t.same(new Set(issued), new Set(places), `${what}: one signed document and its evidence`)
  const sealed = receiptKey(CASE_KEY, trailSealReceiptId(CASE_KEY.caseId))
  const stored = shared.objects.under(receiptFolder(CASE_KEY))
  const ofMails = stored.filter((place) => place !== sealed)
  const receipts = ofMails.flatMap((place) => eventsOfReceipt(CASE_KEY, place)).length
  const mails = new Set(shared.mails.map(({ id }) => id)).size
  t.ok(mails >= 2 && receipts === mails, `${what}: ${mails} mails, ${receipts} receipts`)
}

const RECORDED_EVENTS = {
  'case.created': 1,
  'participant.created': 2,
  'document.uploaded': 1,
  'participant.consented': 2,
  'participant.signed': 2,
  'participant.certificate_issued': 2,
  'participant.signature_applied': 2,
  'case.finalised': 1,
  'case.completed': 1,
}

/** A status that may reach the disk later than what is written next. */
const SETTLED_STATUS = 'status that settles'

/** Objects that may reach the disk later than what is written next. */
const LATE = ['document.pdf', 'certificates', 'outcome', 'evidence.pdf', 'issued', 'audit-heads']

interface Lives extends Counted {
  /** Whether each life ends with a power failure. */
  losesPower?: boolean
}

/** One case from its creation to its end, by services of which each lives for some writes. */
async function live(lives: readonly Life[], { losesPower = false, ...counted }: Lives = {}) {
  const { shared, document } = await world()
  const lost: string[] = []
  await shared.cases.create(signatureCase({ definition: { quickSign: true } }))
  for (const [index, life] of [...lives, new Life()].entries()) {
    const { deps, controller, worker } = await startService(shared, life, String(index), counted)
    await untilSettled(shared, life, document, deps.ephemeral)
    // Timers end with their process.
    worker.stop()
    if (!life.isOver) {
      await controller.stop()
      return { shared, lost }
    }
    if (!losesPower) continue
    lost.push(...shared.objects.losePower())
    lost.push(...shared.cases.losePower().map(() => SETTLED_STATUS))
  }
  throw new Error('a life without end ended')
}

/** More than one undisturbed case takes. */
const MAXIMUM_WRITES = 60

t.test('a case without disturbances is whole', async (t) => {
  const life = new Life(MAXIMUM_WRITES)
  const { shared } = await live([life])
  t.notOk(life.isOver)
  t.comment(`${MAXIMUM_WRITES - life.writesLeft} writes`)
  await assertWhole(t, shared, 'undisturbed')
  t.ok(shared.timers.nowMs() - Date.parse('2026-11-02T08:00:00.000Z') < RESYNC_INTERVAL_MS)
})

t.test('a service killed during any write, landed or not, leaves the case whole', async (t) => {
  const lost = new Set<string>()
  /** @returns what a power failure took; undefined when the case ended before */
  const killAt = async (writes: number, landed: boolean, losesPower = false) => {
    const life = new Life(writes, landed)
    const lived = await live([life], { losesPower })
    const how = losesPower ? `power took ${lived.lost.join()}` : landed ? 'landed' : 'lost'
    await assertWhole(t, lived.shared, `killed at write ${writes}, ${how}`)
    return life.isOver ? lived.lost : undefined
  }
  let writes = 0
  for (;;) {
    // A power failure that takes nothing is like the end of the process.
    const taken = await killAt(++writes, true, true)
    if (!taken) break
    for (const key of taken) lost.add(kindOf(key))
    if (taken.length > 0) await killAt(writes, true)
    await killAt(writes, false)
  }
  t.ok(writes > 15 && writes <= MAXIMUM_WRITES, `${writes - 1} writes`)
  t.same(
    [...lost].filter((kind) => !LATE.includes(kind)),
    [SETTLED_STATUS],
    'nothing else is lost',
  )
})

t.test('a power failure behind an object that may be lost leaves the case whole', async (t) => {
  for (const only of LATE) {
    const { shared, lost } = await live([new Life(1)], { losesPower: true, only })
    t.ok(lost.map(kindOf).includes(only), `${only} is lost`)
    await assertWhole(t, shared, `power took ${lost.join()}`)
  }
})

t.test('a service killed again and again gets there all the same', async (t) => {
  for (const rhythm of [1, 3, 5, 7]) {
    const lives = Array.from({ length: 120 }, (_, index) => new Life(rhythm, index % 2 === 0))
    const { shared } = await live(lives)
    await assertWhole(t, shared, `killed every ${rhythm} writes`)
  }
})

t.test('a service killed before or after it remembers a head finds no forgery', async (t) => {
  const isKilledAt = async (writes: number, landed: boolean): Promise<boolean> => {
    const memory = { heads: new MemoryEphemeral(), alarm: new RecordingAlarm() }
    const life = new Life(writes, landed)
    const { shared } = await live([life], { memory })
    const what = `killed at head ${writes}, ${landed ? 'remembered' : 'lost'}`
    await assertWhole(t, shared, what)
    t.same(memory.alarm.names(), [], what)
    return life.isOver
  }
  let heads = 1
  while ((await isKilledAt(heads, true)) && (await isKilledAt(heads, false))) heads++
  t.ok(heads > 3, `${heads - 1} heads`)
})
