/**
 * How long people wait for one machine: from an upload to its acceptance and from the last
 * signature to DONE, with 1, 8 and 32 cases in flight, and how many cases it ends in a second. All
 * need an idle machine, so they are not judged.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CaseAnswer, Client } from '../../test/e2e/client.ts'
import { flood } from '../flood.ts'
import { Samples } from '../load/samples.ts'
import type { Figure } from '../report.ts'

/** Cases at a time, and the goals for their latencies in seconds. */
const LOADS = [
  { inFlight: 1, cases: 24, accepted: 0.05, done: 0.05 },
  { inFlight: 8, cases: 64, accepted: 0.15, done: 0.2 },
  { inFlight: 32, cases: 160, accepted: 0.6, done: 0.8 },
] as const
const CASES_PER_SECOND = 12
/** Cases of all loads together. */
export const LATENCY_CASES = LOADS.reduce((sum, { cases }) => sum + cases, 0)
/** The first pause between two requests that wait for a case. */
const LEAST_POLL_MS = 5
/** Longer waits poll less often, because requests cost the service time too. */
const POLL_SHARE = 0.2
const MS_PER_SECOND = 1_000

/** @param sinceMs when the wait began, by the clock of `performance` */
async function untilNot(
  status: string,
  { id }: Pick<CaseAnswer, 'id'>,
  { client, sinceMs }: { client: Client; sinceMs: number },
): Promise<CaseAnswer> {
  for (;;) {
    const answer = await client.get(id)
    if (answer.status !== status) return answer
    await sleep(Math.max(LEAST_POLL_MS, (performance.now() - sinceMs) * POLL_SHARE))
  }
}

/** Runs a case with two signers. @throws Error when it is not DONE at the end */
async function timeCase(client: Client, pdf: Uint8Array, samples: Samples): Promise<void> {
  const created = await client.create('Contract', [{}, {}])
  const uploadedMs = performance.now()
  await client.upload(created.upload.url, pdf)
  const running = await untilNot('NEW', created.case, { client, sinceMs: uploadedMs })
  samples.add('accepted', uploadedMs, performance.now() - uploadedMs)
  for (const { signerUrl } of running.participants) {
    const { status } = await client.sign(signerUrl)
    if (status !== 200) throw new Error(`signing answered ${status}`)
  }
  const signedMs = performance.now()
  const end = await untilNot('IN_PROGRESS', created.case, { client, sinceMs: signedMs })
  samples.add('done', signedMs, performance.now() - signedMs)
  if (end.status !== 'DONE') throw new Error(`a case ended as ${end.status}`)
}

/** Measures one machine; its engine has compiled what it uses often. */
export async function measureLatencies(client: Client, pdf: Uint8Array): Promise<Figure[]> {
  const figures: Figure[] = []
  let perSecond = 0
  for (const { inFlight, cases, ...goals } of LOADS) {
    const samples = new Samples()
    const eachMs = await flood(cases, inFlight, () => timeCase(client, pdf, samples))
    perSecond = MS_PER_SECOND / eachMs
    for (const stage of ['accepted', 'done'] as const) {
      const of = `s until ${stage}, p50 with ${inFlight} in flight`
      const value = samples.quantiles(stage).p50 / MS_PER_SECOND
      figures.push({ of, value, better: 'less', must: goals[stage], informative: true })
    }
  }
  const of = 'cases/s with 32 in flight'
  const rate = { of, value: perSecond, better: 'more', must: CASES_PER_SECOND } as const
  return [...figures, { ...rate, informative: true }]
}
