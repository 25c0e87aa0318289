/** Validation takes time in proportion to the file: eight times the file, not sixty-four times. */

import type { Buffer } from 'node:buffer'
import process from 'node:process'
import t from 'tap'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { appended, referenceIn, sourceOf } from '../../fixtures/revisions.ts'
import { OPTIONS, signSample } from './sample.ts'

const SMALL = 2_000
const GROWTH = 8
/** Quadratic work would take {@link GROWTH} times as long as linear work does. */
const MAXIMUM_RATIO = GROWTH * 2
const ROUNDS = 3

const numbers = (count: number) => Array.from({ length: count }, (_, at) => FIRST_EXTRA + at)

const REFERENCES = 20

/** Objects that change; twenty references lead to each from objects that stay as they are. */
async function changedObjects(count: number): Promise<Buffer> {
  const half = count / 2
  const references = (at: number) =>
    Array.from({ length: REFERENCES }, (_, step) => {
      const number = FIRST_EXTRA + half + ((at * 7 + step * 13) % half)
      return `${number} 0 R`
    }).join(' ')
  const before = numbers(count).map((_, at) => (at < half ? `[${references(at)}]` : '[7]'))
  const list = numbers(half).map((number) => `${number} 0 R`)
  const catalog = `/Foo [${list.join(' ')}]`
  const signed = await signSample(buildPdf({ catalog, objects: before }))
  const later = numbers(count).slice(half)
  return appended(signed, Object.fromEntries(later.map((number) => [number, '[8]'] as const)))
}

/** New fields that show nothing, all on one page. */
async function newFields(count: number): Promise<Buffer> {
  const signed = await signSample()
  const catalog = sourceOf(signed, 1)
  const form = referenceIn(catalog, 'AcroForm')
  const list = numbers(count).map((number) => `${number} 0 R`)
  const field = '/FT /Sig /Type /Annot /Subtype /Widget /Rect [0 0 0 0] /P 10 0 R'
  return appended(signed, {
    [form]: sourceOf(signed, form).replace(/(\/Fields \[[^\]]*)\]/, `$1 ${list.join(' ')}]`),
    10: sourceOf(signed, 10).replace(/(\/Annots \[[^\]]*)\]/, `$1 ${list.join(' ')}]`),
    ...Object.fromEntries(
      numbers(count).map((number) => [number, `<< ${field} /T (f${number}) >>`] as const),
    ),
  })
}

/** Streams that are new and that nothing refers to. */
async function newObjects(count: number): Promise<Buffer> {
  const added = numbers(count).map((number) => [number, '<< /Nothing 7 >>'] as const)
  return appended(await signSample(), Object.fromEntries(added))
}

async function measureMs(file: Buffer): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage()
    const { signatures } = await validateSignatures(file, OPTIONS)
    if (signatures.length === 0) throw new Error('the file has no signature')
    rounds.push(process.cpuUsage(before).user / 1_000)
  }
  return Math.min(...rounds)
}

const SHAPES = { changedObjects, newFields, newObjects }

for (const [name, make] of Object.entries(SHAPES)) {
  t.test(
    `${name}: eight times as many take less than ${MAXIMUM_RATIO} times as long`,
    async (t) => {
      const small = await measureMs(await make(SMALL))
      const large = await measureMs(await make(SMALL * GROWTH))
      t.comment(`${small.toFixed(1)} ms and ${large.toFixed(1)} ms`)
      t.ok(large < small * MAXIMUM_RATIO)
    },
  )
}
