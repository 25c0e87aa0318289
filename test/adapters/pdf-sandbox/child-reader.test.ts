/** A large form that many people signed has many states; validating them takes memory for one. */
import t from 'tap'
import { ChildReader } from '../../../adapters/pdf-sandbox/child-reader.ts'
import { DenoPdfSandbox } from '../../../adapters/pdf-sandbox/pdf-sandbox.ts'
import { trustAnchors, janka } from '../../fixtures/pki.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { withoutDescriptors } from '../../fixtures/without-descriptors.ts'
import { OPTIONS, signerRequest, signSample } from '../../pades/validate/sample.ts'

t.setTimeout(600_000)

const FIELDS = 7_000
const PEOPLE = 40
/** Twelve processes on one core need more than the two minutes that a document has. */
const WALL_MS = 500_000

function largeForm(): Uint8Array {
  const numbers = Array.from({ length: FIELDS }, (_, index) => index)
  const fields = numbers.map((index) => `${FIRST_EXTRA + index} 0 R`).join(' ')
  const kinds = '/FT /Tx /Ff 0 /DA (/F1 9 Tf) /MaxLen 99 /Q 1 /TU (Meno) /F 4 /Rect [0 0 1 1]'
  return buildPdf({
    catalog: `/AcroForm << /Fields [${fields}] >>`,
    objects: numbers.map((index) => `<< /T (field ${index}) ${kinds} >>`),
  })
}

t.test('what forty people signed is validated within the memory of the sandbox', async (t) => {
  const reader = new ChildReader({ cpuSeconds: 60 })
  const sandbox = new DenoPdfSandbox({ reader, wallMs: WALL_MS })
  t.teardown(() => sandbox.close())
  const signers = Array.from({ length: PEOPLE }, (_, index) =>
    signerRequest(janka, `Janka ${index}`, 10 * index),
  )
  const signed = await signSample(largeForm(), { signers })
  const { outcome } = await sandbox.validate(signed, {
    trustAnchors: trustAnchors.map((certificate) => ({ certificate })),
    validationTime: OPTIONS.validationTime,
  })
  t.equal(outcome, 'validated')
})

t.test('without file descriptors a document is not read, and the process goes on', async (t) => {
  const source = new URL('../../../adapters/pdf-sandbox/child-reader.ts', import.meta.url)
  const outcomes = await withoutDescriptors(
    source,
    `const { ChildReader } = module
    const reader = new ChildReader()
    const read = (owner) =>
      tried(() => reader.read({ kind: 'none' }, new Uint8Array(9), { wallMs: 60_000, owner }))
    use()
    outcomes.push(await read(), await read('acme'), await read())
    free()
    outcomes.push(await read(), await read('acme'))`,
  )
  t.same(outcomes, ['EMFILE', 'EMFILE', 'EMFILE', 'done', 'done'])
})
