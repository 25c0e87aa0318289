/**
 * A part of `npm run fuzz`: mutated PDFs neither break the reader nor make it hang, and none that
 * intake accepts fails when everybody has signed.
 */
import t from 'tap'
import { fuzz } from '../../dev/fuzz/run.ts'
import { fuzzSigning } from '../../dev/fuzz/signing.ts'
import { runTool } from '../fixtures/run-tool.ts'

const DOCUMENTS = 1_500
const SIGNINGS = 200
const SEED = 20_261_102

t.test(`${DOCUMENTS} mutated PDFs are read or refused, each within its limits`, async (t) => {
  t.same(await fuzz(DOCUMENTS, SEED), [])
})

t.test(`of ${SIGNINGS} spoiled PDFs each that intake accepts can be finalised`, async (t) => {
  const { faults, accepted, rejected, strict } = await fuzzSigning(SIGNINGS, SEED, false)
  t.same(faults, [])
  t.ok(accepted > SIGNINGS / 3, `${accepted} were accepted`)
  t.ok(rejected - strict > 0, 'and some would have failed after everybody had signed')
  // References into the numbers that signing takes are put there on purpose, and so are places
  // that are not numbers, which viewers draw differently.
  t.ok(strict < SIGNINGS / 10, `${strict} were rejected that could have been signed`)
})

t.test('the command says what it tried', async (t) => {
  const { code, stdout } = await runTool('dev/fuzz.ts', ['mutations', '40'])
  t.equal(code, 0)
  t.match(stdout, '40 tried, 0 faults')
  t.equal((await runTool('dev/fuzz.ts', ['many'])).code, 2)
})
