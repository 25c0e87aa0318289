/** A part of `npm run fuzz`: mutated PDFs neither break the reader nor make it hang. */
import t from 'tap'
import { fuzz } from '../../tools/fuzz/run.ts'
import { runTool } from './run-tool.ts'

const DOCUMENTS = 1_500
const SEED = 20_261_102

t.test(`${DOCUMENTS} mutated PDFs are read or refused, each within its limits`, async (t) => {
  t.same(await fuzz(DOCUMENTS, SEED), [])
})

t.test('the command says what it tried', async (t) => {
  const { code, stdout } = await runTool('fuzz.ts', ['mutations', '40'])
  t.equal(code, 0)
  t.match(stdout, '40 tried, 0 faults')
  t.equal((await runTool('fuzz.ts', ['many'])).code, 2)
})
