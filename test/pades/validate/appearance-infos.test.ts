/** Validation says where a signature lies over text or over another signature. */
import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'
import t from 'tap'

import { readDrawing, signDocument, validateSignatures } from '../../../pades/index.ts'
import * as pki from '../../fixtures/pki.ts'
import { plainPdf } from '../../fixtures/plain-pdf.ts'

const drawing = readDrawing('M0 0L90 4')
const { certificates, algorithm, sign } = await pki.published.signer('Jana Nová')

/** PDF source of objects 4 and up, of a page of 300 × 200 points with the font /F1. */
function buildPage(content: string, more: readonly string[] = [], filter = ''): Buffer {
  const data = filter ? deflateSync(Buffer.from(content)).toString('latin1') : content
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 ' +
      '/Resources << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >> >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents [4 0 R] >>',
    `<< /Length ${data.length} ${filter} >>\nstream\n${data}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...more,
  ]
  return plainPdf(objects)
}

type Place = readonly [x: number, y: number, width: number, height: number]

/** The infos of each signature, whose places are measured from the top left corner. */
async function readInfos(pdf: Uint8Array, ...signers: readonly (readonly Place[])[]) {
  const { bytes } = await signDocument(pdf, {
    signers: signers.map((places, index) => ({
      fieldName: `signer-${index + 1}`,
      name: 'Jana Nová',
      places: places.map(([x, y, width, height]) => {
        return { page: 1, x, y, width, height, unit: 'pt' as const }
      }),
      appearance: { drawing, lines: [] },
      credential: () => ({ certificates, algorithm, sign }),
    })),
    sealedAt: pki.NOW,
  })
  const options = { trustAnchors: certificates.slice(-1), validationTime: pki.NOW }
  const { signatures } = await validateSignatures(bytes, options)
  return signatures.map(({ infos }) => infos.map(({ key }) => key))
}

const COVERS = 'APPEARANCE_COVERS_CONTENT'
const OVERLAPS = 'APPEARANCE_OVERLAPS_SIGNATURE'
/** On the line at 100 points from the bottom. */
const OVER: Place = [40, 90, 80, 14]
const BESIDE: Place = [40, 140, 80, 40]

t.test('a signature over text is distinguished from one beside it', async (t) => {
  const form = (content: string) =>
    `<< /Type /XObject /Subtype /Form /BBox [0 0 300 200] /Matrix [1 0 0 1 20 0] ` +
    `/Length ${content.length} >>\nstream\n${content}\nendstream`
  const texts: Record<string, Buffer> = {
    'at a place': buildPage('BT /F1 14 Tf 40 100 Td (Price: EUR 100) Tj ET'),
    'in an array': buildPage('BT /F1 14 Tf 1 0 0 1 40 100 Tm [(Pr) -20 (ice)] TJ ET'),
    scaled: buildPage('q 2 0 0 2 0 0 cm BT /F1 7 Tf 20 50 Td <50726963653A> Tj ET Q'),
    'on the second line': buildPage("BT /F1 14 Tf 20 TL 40 120 Td (\\)) Tj (Price: EUR 100) ' ET"),
    'in a form': buildPage('q /X Do Q', [form('BT /F1 14 Tf 20 100 Td (Price: EUR 100) Tj ET')]),
    compressed: buildPage('BT /F1 14 Tf 40 100 Td (Price) Tj ET', [], '/Filter /FlateDecode'),
    'after an inline image': buildPage(
      'q BI /W 1 /H 1 /BPC 8 /CS /G ID (\n EI BT /F1 14 Tf 40 100 Td (Price) Tj ET',
    ),
    'behind a name with a no-break space': buildPage(
      'q 1 0 0 1 0 60 cm /a\u00a0Q gs BT /F1 14 Tf 40 40 Td (Price) Tj ET Q',
    ),
    'behind NUL': buildPage('BT\0/F1\u000014\0Tf\u000040\u0000100\0Td\0(Price)\0Tj\0ET'),
  }
  for (const [name, pdf] of Object.entries(texts)) {
    t.same(await readInfos(pdf, [OVER]), [[COVERS]], name)
    t.same(await readInfos(pdf, [BESIDE]), [[]], `${name}: beside it`)
  }
  t.same(await readInfos(buildPage('0 0 300 200 re f'), [OVER]), [[]], 'no text')
  t.same(await readInfos(texts['at a place']!, [BESIDE, OVER]), [[COVERS]], 'its second place is')
})

t.test('signatures that overlap are reported, those that touch are not', async (t) => {
  const empty = buildPage('')
  const under: Place = [100, 20, 80, 40]
  t.same(await readInfos(empty, [under], [[150, 40, 80, 40]]), [[OVERLAPS], [OVERLAPS]])
  t.same(await readInfos(empty, [under], [[180, 20, 80, 40]]), [[], []])
  t.same(await readInfos(empty, [under, [110, 30, 80, 40]]), [[]], 'not with itself')
})

t.test('content that cannot be read is not a fault', async (t) => {
  for (const content of ['BT (', 'q '.repeat(100_000), '/X Do '.repeat(9), '1 0 0 cm BT Tj TJ']) {
    t.same(await readInfos(buildPage(content, ['<< /Subtype /Form >>']), [OVER]), [[]])
  }
  const form = '<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 12 >>'
  const loop = `${form}\nstream\n/X Do /X Do \nendstream`
  t.same(await readInfos(buildPage('/X Do', [loop]), [OVER]), [[]], 'a form within itself')
})
