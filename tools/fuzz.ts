/**
 * `npm run fuzz [-- count]`: that many (100,000) mutated PDFs through the reader and the validator,
 * none of which may break it, take longer than three seconds or more memory than the sandbox has.
 * `npm run fuzz -- mutations [count]`: that many (10,000) changes to a signed PDF, none of which
 * may pass in silence. `npm run fuzz -- signing [count]`: that many (2,000) spoiled PDFs through
 * the rehearsal of intake and through finalising, which must not fail on what intake accepts.
 * `npm run fuzz -- viewers`: mutated documents that the service approves, drawn with five viewers.
 * Ends with 1 when one fails.
 */
import process from 'node:process'
import { signSample } from '../test/pades/validate/sample.ts'
import { silentChanges } from '../test/pades/validate/silent.ts'
import { fuzz } from './fuzz/run.ts'
import { fuzzSigning } from './fuzz/signing.ts'
import { fuzzViewersCommand, VIEWERS_USAGE } from './fuzz/viewers/command.ts'
import { runTool, UsageError } from './usage.ts'

const USAGE =
  'usage: npm run fuzz [-- [mutations | signing] count]\n' +
  `       npm run fuzz -- ${VIEWERS_USAGE}`
const DOCUMENTS = 100_000
const CHANGES = 10_000
const SIGNINGS = 2_000

function countOf(text: string | undefined, otherwise: number): number {
  const count = text === undefined ? otherwise : Number(text)
  if (!Number.isSafeInteger(count) || count < 1) throw new UsageError(`${text} is no count`)
  return count
}

/** What can be tried: how often unless it is said, and what tries it. */
const KINDS = {
  documents: { count: DOCUMENTS, run: fuzz },
  mutations: {
    count: CHANGES,
    run: async (count: number, seed: number) => silentChanges(await signSample(), count, seed),
  },
  signing: {
    count: SIGNINGS,
    run: async (count: number, seed: number) => (await fuzzSigning(count, seed)).faults,
  },
}

async function main(): Promise<number> {
  const [first, second, ...rest] = process.argv.slice(2)
  if (first === 'viewers') {
    return fuzzViewersCommand(second === undefined ? [] : [second, ...rest])
  }
  // Another seed each time: what was found before is a test of its own.
  const seed = 1 + (process.hrtime()[1] % 2_000_000_000)
  const isNamed = first === 'mutations' || first === 'signing'
  const kind = KINDS[isNamed ? first : 'documents']
  const count = countOf(isNamed ? second : first, kind.count)
  console.log(`seed ${seed}`)
  const faults = await kind.run(count, seed)
  for (const fault of faults) console.log(fault)
  console.log(`${count} tried, ${faults.length} faults`)
  return faults.length === 0 ? 0 : 1
}

await runTool(main, USAGE)
