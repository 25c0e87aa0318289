/** Drives one case from its creation to DONE through the public API, and times each stage. */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CaseAnswer, Client } from '../../test/e2e/client.ts'
import type { Samples } from './samples.ts'

/** The first pause between two requests that wait for a case. */
const LEAST_POLL_MS = 20
const MOST_POLL_MS = 1_000
/** The pause grows with the time waited, so that a latency is at most this share too long. */
const POLL_SHARE = 0.1

/** Four small fields at the edge of the first page, so that they fit on small pages too. */
const FIELDS = 4

function fieldOf(index: number) {
  const y = 20 + 40 * (index % FIELDS)
  return { id: `f${index + 1}`, page: 1, x: 20, y, width: 90, height: 32, unit: 'pt' }
}

/** How many cases wait for what, now. */
export interface InFlight {
  /** From the upload to acceptance. */
  accepting: number
  /** From the last signature to DONE. */
  finishing: number
  /** All cases that have started and have not ended. */
  cases: number
}

export interface DriveDeps {
  client: Client
  samples: Samples
  inFlight: InFlight
  participants: number
  patienceMs: number
  /** Receives the webhooks. */
  callbackUrl: string
  /** Start of the run, by the clock of `performance`. */
  runStartedMs: number
}

/** `refused`: POST /cases did not create the case, so that nothing can be lost. */
export type Outcome =
  { end: 'done'; caseId: string } | { end: 'refused' | 'lost'; caseId?: string; why: string }

/** @throws Error when the case keeps the status for too long, or cannot be read */
async function untilNot(
  status: string,
  caseId: string,
  { client, patienceMs }: DriveDeps,
): Promise<CaseAnswer> {
  const startedMs = performance.now()
  for (;;) {
    const answer = await client.get(caseId)
    if (answer.status !== status) return answer
    const waitedMs = performance.now() - startedMs
    if (waitedMs > patienceMs) throw new Error(`stays ${status}`)
    await sleep(Math.min(MOST_POLL_MS, Math.max(LEAST_POLL_MS, waitedMs * POLL_SHARE)))
  }
}

/** Counts the case in one member of `inFlight` while the work runs. */
async function counted<T>(inFlight: InFlight, name: keyof InFlight, work: () => Promise<T>) {
  inFlight[name] += 1
  try {
    return await work()
  } finally {
    inFlight[name] -= 1
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Uploads, signs and waits. @throws Error when the case does not become DONE */
async function finish(
  { case: { id }, upload }: Awaited<ReturnType<Client['create']>>,
  pdf: Uint8Array,
  deps: DriveDeps,
): Promise<void> {
  const { client, samples, inFlight, runStartedMs } = deps
  // Each step is intended to start when the one before it has ended.
  let fromMs = performance.now()
  const note = (stage: 'accepted' | 'sign' | 'done') => {
    const nowMs = performance.now()
    samples.add(stage, fromMs - runStartedMs, nowMs - fromMs)
    fromMs = nowMs
  }
  const running = await counted(inFlight, 'accepting', async () => {
    await client.upload(upload.url, pdf)
    return untilNot('NEW', id, deps)
  })
  if (running.status !== 'IN_PROGRESS') {
    throw new Error(`is ${running.status} (${running.rejectReason ?? running.failureReason})`)
  }
  note('accepted')
  for (const { signerUrl } of running.participants) {
    const { status } = await client.sign(signerUrl)
    if (status !== 200) throw new Error(`signing answered ${status}`)
    note('sign')
  }
  const end = await counted(inFlight, 'finishing', () => untilNot('IN_PROGRESS', id, deps))
  if (end.status !== 'DONE') throw new Error(`ended as ${end.status} (${end.failureReason})`)
  note('done')
}

/**
 * @param intendedMs when the case should start, by the clock of `performance`; the latency of its
 *   creation counts from then, also if this process was late
 */
export async function driveCase(
  pdf: Uint8Array,
  intendedMs: number,
  deps: DriveDeps,
): Promise<Outcome> {
  const { client, samples, inFlight, callbackUrl, participants, runStartedMs } = deps
  return counted(inFlight, 'cases', async () => {
    const people = Array.from({ length: participants }, (_, index) => ({
      signatureFields: [fieldOf(index)],
    }))
    const callback = { url: callbackUrl, authType: 'NONE' }
    const created = await client.create('Contract', people, { callback }).catch(messageOf)
    if (typeof created === 'string') return { end: 'refused', why: created }
    samples.add('create', intendedMs - runStartedMs, performance.now() - intendedMs)
    const caseId = created.case.id
    return finish(created, pdf, deps).then(
      () => ({ end: 'done', caseId }),
      (error: unknown) => ({ end: 'lost', caseId, why: messageOf(error) }),
    )
  })
}
