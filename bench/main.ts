/**
 * `npm run bench [-- row …]`: one line per row; ends with 1 when a "must" is missed or a row is
 * void.
 */
import process from 'node:process'
import { lineOf, passes, type RowReport } from './report.ts'

/** Each row loads what it needs when its turn comes, so that rows do not warm each other up. */
const ROWS: Readonly<Record<string, () => Promise<RowReport>>> = {
  sign1: async () => (await import('./rows/sign.ts')).sign1(),
  sign5: async () => (await import('./rows/sign.ts')).sign5(),
  marginal: async () => (await import('./rows/sign.ts')).marginal(),
  signjob: async () => (await import('./rows/signjob.ts')).signjob(),
  memory: async () => (await import('./rows/memory.ts')).memory(),
  intake: async () => (await import('./rows/intake.ts')).intake(),
  verify: async () => (await import('./rows/verify.ts')).verify(),
  verify25x5: async () => (await import('./rows/verify.ts')).verify25x5(),
  verifyworst: async () => (await import('./rows/verify.ts')).verifyWorst(),
  http: async () => (await import('./rows/http.ts')).http(),
  queue: async () => (await import('./rows/queue.ts')).queue(),
  sse: async () => (await import('./rows/sse.ts')).sse(),
  webhook: async () => (await import('./rows/webhook.ts')).webhook(),
}

async function main(wanted: readonly string[]): Promise<number> {
  const unknown = wanted.filter((name) => !Object.hasOwn(ROWS, name))
  if (unknown.length > 0) {
    console.error(`no such row: ${unknown.join(', ')}; there are ${Object.keys(ROWS).join(', ')}`)
    return 2
  }
  let code = 0
  for (const [name, run] of Object.entries(ROWS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const report = await run().catch((error: unknown): RowReport => {
      return { measured: 'nothing', figures: [], void: String(error) }
    })
    console.log(lineOf(name, report))
    if (!passes(report)) code = 1
  }
  return code
}

process.exitCode = await main(process.argv.slice(2))
