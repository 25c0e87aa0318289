/** Row `signjob`: the whole job `finalise` with remote keys, time-stamp authority and storage. */
import { createHash, randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { testTrail } from '../../test/fixtures/alarms.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import { evidenceKey, outcomeKey, resultKey } from '../../domain/cases/keys.ts'
import { dueAuditEvents } from '../../domain/cases/due-audit-events.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { StoredObject } from '../../domain/ports/object-store.ts'
import { MemoryObjectStore } from '../../test/fixtures/memory-objects.ts'
import { CASE_KEY } from '../../test/fixtures/signature-case.ts'
import { signedByAll } from '../../test/fixtures/signed-by-all.ts'
import { WORK_START, type TestWorkerDeps } from '../../test/fixtures/worker.ts'
import { makeRevocationList } from '../../workers/crl.ts'
import { finalise } from '../../workers/finalise/finalise.ts'
import { LARGE, makePdf } from '../inputs.ts'
import { alternate } from '../measure.ts'
import type { RowReport } from '../report.ts'
import { findInvalidity, findLowerLevel } from '../validity.ts'

const PARTICIPANTS = 4
const KEY_MS = 30
const TIME_STAMP_MS = 50
const STORE_MS = 10
const SALT_OCTETS = 16

/**
 * The longest chain of dependent remote calls, which is a lower bound for every implementation.
 */
const UNAVOIDABLE: readonly { of: string; times: number; eachMs: number }[] = [
  { of: 'case', times: 1, eachMs: STORE_MS },
  { of: 'document and drawings at once', times: 1, eachMs: STORE_MS },
  { of: 'certificates at once', times: 1, eachMs: KEY_MS },
  { of: 'time-stamps of the participants', times: PARTICIPANTS, eachMs: TIME_STAMP_MS },
  { of: 'seal', times: 1, eachMs: KEY_MS + TIME_STAMP_MS },
  { of: 'document time-stamp', times: 1, eachMs: TIME_STAMP_MS },
  { of: 'signed document', times: 1, eachMs: STORE_MS },
  // A case that was cancelled in the meantime must not be reported as finalised.
  { of: 'case, once the signed document is there', times: 1, eachMs: STORE_MS },
  { of: 'trail so far, entries and openings', times: 2, eachMs: STORE_MS },
  { of: 'new entries, each after the one before', times: 2 * PARTICIPANTS + 1, eachMs: STORE_MS },
  { of: 'seal of the evidence', times: 1, eachMs: KEY_MS + TIME_STAMP_MS },
  { of: 'document time-stamp of the evidence', times: 1, eachMs: TIME_STAMP_MS },
  { of: 'evidence and result', times: 2, eachMs: STORE_MS },
]

/** Delays every method call of a port; passes other members through. */
function faraway<Port extends object>(port: Port, delayMs: number, near: readonly string[] = []) {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function' || near.includes(String(name))) return member
      return async (...args: unknown[]) => {
        await setTimeout(delayMs)
        return member.apply(target, args) as unknown
      }
    },
  })
}

/** Returns the stored bytes without copying them, because a copy is not work of the job. */
class SharingObjectStore extends MemoryObjectStore {
  constructor({ objects }: MemoryObjectStore, now: () => Date) {
    super(now)
    for (const [key, object] of objects) this.objects.set(key, object)
  }

  override async get(key: string): Promise<StoredObject | undefined> {
    return this.objects.get(key)
  }

  override async putIfAbsent(
    key: string,
    bytes: Uint8Array,
    type: string,
  ): Promise<string | undefined> {
    if (this.objects.has(key)) return undefined
    this.upload(key, bytes, type)
    return this.objects.get(key)?.generation
  }
}

async function world(file: Uint8Array): Promise<TestWorkerDeps> {
  const { deps } = await signedByAll(PARTICIPANTS, file)
  const signatureCase = (await deps.cases.get(CASE_KEY)) as SignatureCase
  const accepted = acceptedSignatures(deps.keyring, signatureCase)
  await deps.trail.append(CASE_KEY, dueAuditEvents(signatureCase, accepted))
  // The service does this every few minutes, independent of cases.
  await makeRevocationList(deps)
  const objects = faraway(new SharingObjectStore(deps.objects, deps.now), STORE_MS)
  return {
    ...deps,
    cases: faraway(deps.cases, STORE_MS),
    objects,
    trail: testTrail(objects, () => randomBytes(SALT_OCTETS).toString('hex')),
    // Public keys are read once and cached.
    signingDevice: faraway(deps.signingDevice, KEY_MS, ['describe']),
    timeStamps: faraway(deps.timeStamps, TIME_STAMP_MS, ['trustAnchors']),
  }
}

async function job(file: Uint8Array): Promise<{ deps: TestWorkerDeps; elapsedMs: number }> {
  const deps = await world(file)
  const startedMs = performance.now()
  await finalise(CASE_KEY, deps)
  return { deps, elapsedMs: performance.now() - startedMs }
}

async function floor(file: Uint8Array): Promise<void> {
  createHash('sha256').update(file).digest()
  for (const { times, eachMs } of UNAVOIDABLE) {
    for (let count = 0; count < times; count++) await setTimeout(eachMs)
  }
}

async function jobFault(file: Uint8Array): Promise<string | undefined> {
  const { objects } = (await job(file)).deps
  const outcome = await objects.get(outcomeKey(CASE_KEY))
  const evidence = await objects.get(evidenceKey(CASE_KEY))
  if (!outcome || !evidence || !(await objects.get(resultKey(CASE_KEY)))) {
    return 'the job left no result'
  }
  const at = new Date(WORK_START)
  return (
    (await findInvalidity(outcome.bytes, PARTICIPANTS + 1, at)) ??
    (await findInvalidity(evidence.bytes, 1, at)) ??
    (await findLowerLevel(outcome.bytes, at)) ??
    (await findLowerLevel(evidence.bytes, at))
  )
}

export async function signjob(): Promise<RowReport> {
  const file = makePdf(LARGE)
  const fault = await jobFault(file)
  const times = await alternate({
    floor: () => floor(file),
    job: async () => (await job(file)).elapsedMs,
  })
  const remoteMs = UNAVOIDABLE.reduce((sum, { times: count, eachMs }) => sum + count * eachMs, 0)
  return {
    measured: `${times.job.toFixed(0)} ms, of which ${remoteMs} ms are unavoidable waiting`,
    figures: [
      {
        of: '× waiting and one SHA-256 pass',
        value: times.job / times.floor,
        better: 'less',
        must: 1.15,
        aim: 1.05,
      },
    ],
    ...(fault === undefined ? {} : { void: fault }),
  }
}
