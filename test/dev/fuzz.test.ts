/**
 * A part of `npm run fuzz`: mutated PDFs neither break the reader nor make it hang, and none that
 * intake accepts fails when everybody has signed.
 */
import t from 'tap'
import { fuzz } from '../../dev/fuzz/run.ts'
import { fuzzSigning } from '../../dev/fuzz/signing.ts'
import { PART } from '../fixtures/part-of-day.ts'
import { runTool } from '../fixtures/run-tool.ts'

/** In three days 1,500 documents and 198 signings. */
const DOCUMENTS = 500
const SIGNINGS = 66
const SEED = 20_261_102

t.test(`${DOCUMENTS} mutated PDFs are read or refused, each within its limits`, async (t) => {
  t.same(await fuzz(DOCUMENTS, SEED, PART * DOCUMENTS), [])
})

t.test(`of ${SIGNINGS} spoiled PDFs each that intake accepts can be finalised`, async (t) => {
  const { faults, accepted, rejected, strict } = await fuzzSigning(SIGNINGS, SEED, {
    first: PART * SIGNINGS,
    withOthers: false,
  })
  t.same(faults, [])
  // Keys and nonces are random, so a run may accept one more or less than the run before it: of 66
  // between 23 and 25.
  t.ok(accepted > SIGNINGS / 5, `${accepted} were accepted`)
  t.ok(rejected - strict > 0, 'and some would have failed after everybody had signed')
  // References into the numbers that signing takes are put there on purpose, and so are places
  // that are not numbers, which viewers draw differently.
  t.ok(strict < SIGNINGS / 5, `${strict} were rejected that could have been signed`)
})

t.test('the command says what it tried', async (t) => {
  const { code, stdout } = await runTool('dev/fuzz.ts', ['mutations', '40'])
  t.equal(code, 0)
  t.match(stdout, '40 tried, 0 faults')
  t.equal((await runTool('dev/fuzz.ts', ['many'])).code, 2)
})
