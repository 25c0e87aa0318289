/**
 * `npm run fuzz [-- count]` parses and validates mutated PDFs (default 100,000). None may crash the
 * parser, take more than three seconds of CPU time, or need more memory than the sandbox has.
 * `npm run fuzz -- mutations [count]` makes changes to a signed PDF (default 10,000). Validation
 * must detect each. `npm run fuzz -- signing [count]` runs intake and finalising with damaged PDFs
 * (default 2,000). Finalising must not fail on a PDF that intake accepts. `npm run fuzz -- viewers`
 * renders mutated documents that pass validation with five viewers. Exit code 1: a run failed.
 */
import process from 'node:process'
import { signSample } from '../test/pades/validate/sample.ts'
import { silentChanges } from '../test/pades/validate/silent.ts'
import { fuzz } from './fuzz/run.ts'
import { fuzzSigning } from './fuzz/signing.ts'
import { fuzzViewersCommand, VIEWERS_USAGE } from './fuzz/viewers/command.ts'
import { runTool, UsageError } from '../cli/usage.ts'

const USAGE =
  'usage: npm run fuzz [-- [mutations | signing] count]\n' +
  `       npm run fuzz -- ${VIEWERS_USAGE}`
const DOCUMENTS = 100_000
const CHANGES = 10_000
const SIGNINGS = 2_000

function countOf(text: string | undefined, otherwise: number): number {
  const count = text === undefined ? otherwise : Number(text)
  if (!Number.isSafeInteger(count) || count < 1) throw new UsageError(`${text} is not a count`)
  return count
}

/** The modes: default count and function of each. */
const KINDS = {
  documents: { count: DOCUMENTS, run: fuzz },
  mutations: {
    count: CHANGES,
    run: async (count: number, seed: number) => silentChanges(await signSample(), count, seed),
  },
  signing: {
    count: SIGNINGS,
    run: async (count: number, seed: number) =>
      (await fuzzSigning(count, seed, { withOthers: true })).faults,
  },
}

async function main(): Promise<number> {
  const [first, second, ...rest] = process.argv.slice(2)
  if (first === 'viewers') {
    return fuzzViewersCommand(second === undefined ? [] : [second, ...rest])
  }
  // A new seed for each run: earlier findings have their own tests.
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
