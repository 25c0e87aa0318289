/**
 * `npm run fuzz [-- count]`: that many (100,000) mutated PDFs through the reader and the validator,
 * none of which may break it, take longer than three seconds or more memory than the sandbox has.
 * `npm run fuzz -- mutations [count]`: that many (10,000) changes to a signed PDF, none of which
 * may pass in silence. Ends with 1 when one does.
 */
import process from 'node:process'
import { signSample } from '../test/pades/validate/sample.ts'
import { silentChanges } from '../test/pades/validate/silent.ts'
import { fuzz } from './fuzz/run.ts'
import { runTool, UsageError } from './usage.ts'

const USAGE = 'usage: npm run fuzz [-- [mutations] count]'
const DOCUMENTS = 100_000
const CHANGES = 10_000

function countOf(text: string | undefined, otherwise: number): number {
  const count = text === undefined ? otherwise : Number(text)
  if (!Number.isSafeInteger(count) || count < 1) throw new UsageError(`${text} is no count`)
  return count
}

async function main(): Promise<number> {
  const [first, second] = process.argv.slice(2)
  // Another seed each time: what was found before is a test of its own.
  const seed = 1 + (process.hrtime()[1] % 2_000_000_000)
  const isChanging = first === 'mutations'
  const count = isChanging ? countOf(second, CHANGES) : countOf(first, DOCUMENTS)
  console.log(`seed ${seed}`)
  const faults = isChanging
    ? await silentChanges(await signSample(), count, seed)
    : await fuzz(count, seed)
  for (const fault of faults) console.log(fault)
  console.log(`${count} tried, ${faults.length} faults`)
  return faults.length === 0 ? 0 : 1
}

await runTool(main, USAGE)
