/** Where a signed document has fields, and that exactly a field over one breaks signatures. */
import t from 'tap'
import { coversField } from '../../../domain/cases/placement.ts'
import { displayedSize } from '../../../pades/appearance/geometry.ts'
import { inspect } from '../../../pades/pdf/inspect.ts'
import { readOccupiedPlaces } from '../../../pades/sign/occupied-places.ts'
import type { Placement } from '../../../pades/sign/request.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { janka } from '../../fixtures/pki.ts'
import { OPTIONS, signerRequest, signSample } from '../validate/sample.ts'

const OWN = { page: 1, x: 72, y: 500, width: 200, height: 60, unit: 'pt' as const }
const INVISIBLE = { page: 1, x: 0, y: 842, width: 0, height: 0 }

const signedAt = (...places: Placement[]) => ({
  signers: [{ ...signerRequest(janka, 'Janka', 0), places }] as const,
})

/** What the signatures of the first round are worth after a second one at `place`. */
async function earlierLevels(first: Uint8Array, place: Placement): Promise<string[]> {
  const again = await signSample(first, signedAt(place))
  const report = await validateSignatures(again, OPTIONS)
  const count = inspect(first).signatures
  return report.signatures.slice(0, count).map(({ modifications }) => modifications.level)
}

t.test('every field of a signed document is found, invisible ones too', async (t) => {
  const signed = await signSample(buildPdf({ pages: [{}, {}] }))
  t.same(readOccupiedPlaces(signed), [
    { page: 1, x: 72, y: 500, width: 200, height: 60 },
    { page: 1, x: 72, y: 600, width: 200, height: 60 },
    INVISIBLE,
  ])
  t.same(readOccupiedPlaces(buildPdf()), [])
})

t.test('a field that names no page counts on every page', async (t) => {
  const catalog = `/AcroForm << /Fields [${FIRST_EXTRA} 0 R] >>`
  const field = '<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [10 20 30 50] >>'
  const pdf = buildPdf({ pages: [{}, {}], catalog, objects: [field] })
  t.same(readOccupiedPlaces(pdf), [
    { page: 1, x: 10, y: 792, width: 20, height: 30 },
    { page: 2, x: 10, y: 792, width: 20, height: 30 },
  ])
})

t.test('ten thousand places are read, and one more is too many', async (t) => {
  /** Fields that name no page, and so count on every page. */
  const fieldsOn = (pages: number, count: number) => {
    const names = Array.from({ length: count }, (_, index) => `${FIRST_EXTRA + index} 0 R`)
    const widget = '<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [10 20 30 50] >>'
    return buildPdf({
      pages: Array.from({ length: pages }, () => ({})),
      catalog: `/AcroForm << /Fields [${names.join(' ')}] >>`,
      objects: Array.from({ length: count }, () => widget),
    })
  }
  t.equal(readOccupiedPlaces(fieldsOn(100, 100)).length, 10_000)
  t.throws(() => readOccupiedPlaces(fieldsOn(73, 137)), { code: 'LIMIT_EXCEEDED' })
})

t.test('a place is refused exactly when a signature there breaks an earlier one', async (t) => {
  const geometries = [
    {},
    ...([90, 180, 270] as const).map((rotate) => ({ rotate })),
    { cropBox: [-50, -20, 500, 700] as const, userUnit: 1.5 },
  ]
  for (const page of geometries) {
    const first = await signSample(buildPdf({ pages: [page, {}] }), signedAt(OWN))
    const occupied = readOccupiedPlaces(first)
    const sizes = inspect(first).pages.map(displayedSize)
    const places: Placement[] = [
      { ...OWN, x: 200, y: 480 },
      { ...OWN, x: 100, y: 510, width: 20, height: 20 },
      { ...OWN, x: 272.5 },
      { ...OWN, y: 400 },
      { ...OWN, page: 2 },
      { page: 1, x: 0.2, y: 0.6, width: 0.3, height: 0.1, unit: 'fraction' },
    ]
    for (const place of places) {
      const name = `${JSON.stringify(place)} on ${JSON.stringify(page)}`
      const isBroken = (await earlierLevels(first, place)).includes('OTHER')
      t.equal(coversField(place, sizes[place.page - 1]!, occupied), isBroken, name)
    }
  }
})

t.test('a field that touches another, within the rounding error, counts as covering', async (t) => {
  const first = await signSample(buildPdf(), signedAt(OWN))
  const occupied = readOccupiedPlaces(first)
  const size = { width: 595, height: 842 }
  t.ok(coversField({ ...OWN, x: 272 }, size, occupied))
  t.notOk(coversField({ ...OWN, x: 272.1 }, size, occupied))
  t.notOk(coversField({ ...OWN, x: 0, y: 782 }, size, occupied), 'the invisible seal at the corner')
})
