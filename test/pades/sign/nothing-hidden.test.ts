/** No drawing hides what is under it, whatever the drawing and whatever the viewer. */
import { Buffer } from 'node:buffer'
import t from 'tap'

import {
  acceptDrawing,
  type Drawing,
  readDrawing,
  readDrawingBytes,
  signDocument,
} from '../../../pades/index.ts'
import * as pki from '../../fixtures/pki.ts'
import { plainPdf } from '../../fixtures/plain-pdf.ts'
import { type GreyImage, renderFirstPage, SCALE, VIEWERS } from '../../fixtures/rendered.ts'
import { makePlainJpeg, makePng } from '../appearance/make-png.ts'

const PAGE = { width: 300, height: 200 }
const PRICE = 'Price: EUR 12 345.67'
/** Around the price line, from the top left corner of the page, in points. */
const LINE = { x: 40, y: 84, width: 130, height: 22, unit: 'pt' } as const
/** Brightness of what was printed and of what was blank before anybody signed. */
const PRINTED = 60
const BLANK = 240
/** Out of 255: 65 % black leave 89 between white and black; antialiasing costs some of it. */
const LEAST_DIFFERENCE = 70
/** A place whose rows of text are over the price line. */
const OVER_LINE = { page: 1, x: 37, y: 52, width: 140, height: 60, unit: 'pt' } as const
const ROWS = ['Mallory Mallory Mallory Mallory', 'Mallory Mallory Mallory Mallory']
/** Black print under a strip becomes brighter than that, so that the name can be read over it. */
const LEAST_UNDER_STRIP = 90

const size = { width: 60, height: 12, depth: 8 }
const png = (options: Partial<Parameters<typeof makePng>[0]>): Uint8Array =>
  makePng({ ...size, colourType: 2, pixel: () => [0, 0, 0], ...options })
const raw = (bytes: Uint8Array): Drawing => readDrawingBytes('image/png', bytes)
const accepted = (bytes: Uint8Array): Drawing =>
  acceptDrawing(Buffer.from(bytes).toString('base64'))
const scribble = Array.from({ length: 400 }, (_, at) => `L${at % 2 ? 0 : 120} ${at / 20}`).join('')
const dot = (x: number, y: number) => x === 0 && y === 0

/** Drawings that cover all of their box; kept ones as another program might have stored them. */
const COVERING: Readonly<Record<string, () => Drawing>> = {
  'an opaque black PNG': () => accepted(png({})),
  'an opaque white PNG with a dot': () =>
    accepted(png({ pixel: (x, y) => (dot(x, y) ? [0, 0, 0] : [255, 255, 255]) })),
  'a kept black PNG': () => raw(png({})),
  'a kept white PNG': () =>
    raw(png({ pixel: (x, y) => (dot(x, y) ? [0, 0, 0] : [255, 255, 255]) })),
  'a kept black PNG with an opacity': () =>
    raw(png({ colourType: 6, pixel: () => [0, 0, 0, 255] })),
  'a black JPEG': () => accepted(makePlainJpeg('black')),
  'a white JPEG': () => accepted(makePlainJpeg('white')),
  'a black scribble': () => readDrawing(`M0 0${scribble}`),
}

/** A PDF of one page that shows the price line. */
function contract(): Buffer {
  const text = `BT /F1 14 Tf 40 100 Td (${PRICE}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Contents 4 0 R ` +
      '/Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  return plainPdf(objects)
}

const { certificates, algorithm, sign } = await pki.published.signer('Mallory')

/** The name's own lines are left out: they would not be under the drawing. */
async function signedOver(pdf: Uint8Array, drawing: Drawing): Promise<Uint8Array> {
  const signer = {
    fieldName: 'mallory',
    name: 'Mallory',
    // The second place is a stamp on an unsigned document, and a field on others.
    places: [
      { page: 1, ...LINE, x: 250, width: 20 },
      { page: 1, ...LINE },
    ],
    appearance: { drawing, lines: [], isFramed: true },
    credential: () => ({ certificates, algorithm, sign }),
  }
  return (await signDocument(pdf, { signers: [signer], sealedAt: pki.NOW })).bytes
}

/** Mean brightness of those pixels of the price line that were printed, and of the blank ones. */
function readable(before: GreyImage, after: GreyImage): { printed: number; blank: number } {
  const sums = { printed: 0, blank: 0 }
  const counts = { printed: 0, blank: 0 }
  // The frame is along the edge.
  for (let y = (LINE.y + 2) * SCALE; y < (LINE.y + LINE.height - 2) * SCALE; y += 1) {
    for (let x = (LINE.x + 2) * SCALE; x < (LINE.x + LINE.width - 2) * SCALE; x += 1) {
      const at = y * before.width + x
      const brightness = before.pixels[at]
      const kind = brightness < PRINTED ? 'printed' : brightness > BLANK ? 'blank' : undefined
      if (!kind) continue
      sums[kind] += after.pixels[at]
      counts[kind] += 1
    }
  }
  return { printed: sums.printed / counts.printed, blank: sums.blank / counts.blank }
}

for (const viewer of VIEWERS) {
  t.test(`${viewer} shows the price line under every drawing`, async (t) => {
    const pdf = contract()
    const before = await renderFirstPage(pdf, viewer)
    const unsigned = readable(before, before)
    t.ok(unsigned.blank - unsigned.printed > 200, 'the line is there')
    for (const [name, drawingOf] of Object.entries(COVERING)) {
      const after = await renderFirstPage(await signedOver(pdf, drawingOf()), viewer)
      const { printed, blank } = readable(before, after)
      t.ok(blank - printed >= LEAST_DIFFERENCE, `${name}: ${printed} on ${blank}`)
    }
  })

  t.test(`${viewer} shows a name over the price line, and the line under it`, async (t) => {
    const pdf = contract()
    const before = await renderFirstPage(pdf, viewer)
    const signer = {
      fieldName: 'mallory',
      name: 'Mallory',
      // PDFium paints the stamp alone.
      places: [{ page: 1, ...LINE, x: 250, width: 20 }, OVER_LINE],
      appearance: { drawing: readDrawing('M0 0L90 4'), lines: ROWS },
      credential: () => ({ certificates, algorithm, sign }),
    }
    const { bytes } = await signDocument(pdf, { signers: [signer], sealedAt: pki.NOW })
    const { printed, blank } = readable(before, await renderFirstPage(bytes, viewer))
    t.ok(printed >= LEAST_UNDER_STRIP, `the line is paler than the name: ${printed}`)
    t.ok(blank - printed >= LEAST_DIFFERENCE, `and can be read: ${printed} on ${blank}`)
  })

  t.test(`${viewer} shows it when a signed PDF is the document of another case`, async (t) => {
    const first = await signedOver(contract(), readDrawing('M0 0L90 4'))
    const before = await renderFirstPage(first, viewer)
    for (const name of ['an opaque black PNG', 'an opaque white PNG with a dot']) {
      const twice = await signedOver(first, COVERING[name]!())
      const { printed, blank } = readable(before, await renderFirstPage(twice, viewer))
      t.ok(blank - printed >= LEAST_DIFFERENCE, `${name}: ${printed} on ${blank}`)
    }
  })
}

t.test('Poppler is among the viewers', async (t) => {
  t.ok(VIEWERS.includes('pdftoppm') || !process.env.CI, VIEWERS.join(', '))
})
