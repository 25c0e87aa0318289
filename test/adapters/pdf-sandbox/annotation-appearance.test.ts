/**
 * Issue 12: annotations without an appearance look in the signed PDF, in every viewer, as the
 * signers saw them.
 */
import { Buffer } from 'node:buffer'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import { DenoPdfSandbox } from '../../../adapters/pdf-sandbox/pdf-sandbox.ts'
import { FORESEEN, SIGNATURE_AREAS, signAsPeople } from '../../../dev/fuzz/viewers/documents.ts'
import { DrawingTable } from '../../../dev/fuzz/viewers/judge.ts'
import { documentDiffers, roughlyDiffers } from '../../../dev/fuzz/viewers/raster.ts'
import { missingPrograms, Viewers } from '../../../dev/fuzz/viewers/renderers.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { sharedReader } from '../../fixtures/shared-reader.ts'

t.setTimeout(600_000)
const sandbox = new DenoPdfSandbox({ reader: sharedReader() })
const viewers = new Viewers()
t.teardown(() => viewers.close())
const table = new DrawingTable(viewers, mkdtempSync(join(tmpdir(), 'sigcase-test-look-')))

const missing = missingPrograms()
const skip =
  missing.length > 0 && process.env.CI !== 'true' ? `not installed: ${missing.join(', ')}` : false

const ANNOTATION = FIRST_EXTRA
const LOOK = FIRST_EXTRA + 1
const BLANK = FIRST_EXTRA + 3
const BLACK = '0 g 0 0 500 500 re f'
const STREAM =
  `<< /Type /XObject /Subtype /Form /BBox [0 0 500 500] /Length ${BLACK.length} >>` +
  `\nstream\n${BLACK}\nendstream`
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const AREA = '/Rect [100 300 400 500] /F 4'
const TEXT = '/Subtype /Widget /FT /Tx /T (Amount) /DA (/F1 60 Tf 0 g)'

/** A page with one annotation. */
function documentWith(annotation: string, form = ''): Buffer {
  const fonts = `/DR << /Font << /F1 ${FONT} >> >>`
  return Buffer.from(
    buildPdf({
      catalog: `/AcroForm << /Fields [${ANNOTATION} 0 R] ${fonts} ${form} >>`,
      pages: [{ extra: `/Annots [${ANNOTATION} 0 R]` }],
      objects: [
        `<< /Type /Annot ${annotation} >>`,
        STREAM,
        STREAM.replace(/\/BBox [^\]]*\]/, ''),
        '<< /Type /XObject /Subtype /Form /BBox [0 0 0 0] /Length 0 >>\nstream\n\nendstream',
      ],
    }),
  )
}

const LAYER = '<< /Type /OCMD >>'
const NEEDED = '/NeedAppearances true'
const QUADS = '/QuadPoints [100 500 400 500 100 300 400 300]'
/** Each is drawn by viewers in their own ways, or with an appearance that some of them ignore. */
const DRAWN: Readonly<Record<string, readonly [annotation: string, form?: string]>> = {
  'a field whose appearance is stale': [
    `${TEXT} ${AREA} /V (new) /AP << /N ${LOOK} 0 R >>`,
    NEEDED,
  ],
  'a field to be drawn anew': [`${TEXT} ${AREA} /V (1234) /MK << /BG [0.5] >>`, NEEDED],
  'a turned field': [`${TEXT} ${AREA} /V (1234) /MK << /R 90 /BG [0.5] >>`, NEEDED],
  'a value that is not drawn': [`${TEXT} ${AREA} /V (1234)`],
  'a background that is not drawn': [`${TEXT} ${AREA} /MK << /BG [0] >>`],
  'a signature field with a background': [
    `/Subtype /Widget /FT /Sig /T (S) /Rect [100 300 400 500] /F 132 /MK << /BG [0] >>`,
  ],
  'a checked box': [`/Subtype /Widget /FT /Btn /T (B) ${AREA} /V /On /AS /On /MK << /BG [0] >>`],
  'a highlighter': [`/Subtype /Highlight ${AREA} ${QUADS} /C [0 0 0]`],
  'a filled square': [`/Subtype /Square ${AREA} /IC [0 0 0] /C [0 0 0]`],
  'a thick line': [`/Subtype /Line ${AREA} /L [100 300 400 500] /C [0 0 0] /BS << /W 40 >>`],
  'a link with a thick frame': [`/Subtype /Link ${AREA} /Border [0 0 50] /C [0 0 0]`],
  'an annotation without an area': [
    `/Subtype /Stamp /Rect [100 300 100 300] /F 4 /AP << /N ${LOOK} 0 R >>`,
  ],
  'a field without its normal appearance': [
    `/Subtype /Widget /FT /Sig /T (S) /Rect [0 0 0 0] /F 132 /AP << /D ${LOOK} 0 R >>`,
  ],
  'an appearance for the screen alone': [
    `/Subtype /Stamp /Rect [100 300 400 500] /AP << /N ${LOOK} 0 R >>`,
  ],
  'an appearance for the printer alone': [
    `/Subtype /Stamp /Rect [100 300 400 500] /F 36 /AP << /N ${LOOK} 0 R >>`,
  ],
  'a field that some viewers take for invisible': [
    `${TEXT} /Rect [100 300 400 500] /F 5 /AP << /N ${LOOK} 0 R >>`,
  ],
  'a widget without a field': [`/Subtype /Widget /T (a) ${AREA} /AP << /N ${LOOK} 0 R >>`],
  'a highlighter whose appearance is elsewhere': [
    `/Subtype /Highlight /Rect [100 300 400 500] /F 4 /C [0 0 0]` +
      ` /QuadPoints [100 250 400 250 100 50 400 50] /AP << /N ${LOOK} 0 R >>`,
  ],
  'a highlighter that marks nothing': [`/Subtype /Highlight ${AREA} /AP << /N ${LOOK} 0 R >>`],
  'a square that is off': [`/Subtype /Square ${AREA} /IC [0 0 0] /AS /Off /AP << /N << >> >>`],
  'a text field that is off': [`${TEXT} ${AREA} /V (1234) /AS /Off`],
  'a state without an appearance': [
    `/Subtype /Widget /FT /Btn /T (B) ${AREA} /AS /Yes /AP << /N << /On ${LOOK} 0 R >> >>`,
  ],
}

for (const [name, [annotation, form]] of Object.entries(DRAWN)) {
  t.test(`${name} is signed as pdf.js shows it`, { skip }, async (t) => {
    const original = documentWith(annotation, form)
    const verdict = await sandbox.inspect(original, FORESEEN)
    if (verdict.outcome !== 'accepted') return t.fail(verdict.reason)
    t.equal(verdict.drawn?.length, 1)
    await looksAlike(t, original, await signAsPeople(original, false, verdict.drawn))
  })
}

async function looksAlike(t: Test, original: Buffer, signed: Buffer): Promise<void> {
  const shown = (await table.draw(original, ['pdf.js'])).get('pdf.js') ?? []
  const after = await table.draw(signed)
  t.notOk(documentDiffers(shown, after.get('pdf.js') ?? [], SIGNATURE_AREAS), 'pdf.js')
  for (const [viewer, pages] of after) t.notOk(roughlyDiffers(shown, pages ?? []), viewer)
}

t.test('what has its appearance keeps it', async (t) => {
  const kept = [
    `${TEXT} ${AREA} /V (1234) /AP << /N ${LOOK} 0 R >>`,
    `${TEXT} ${AREA}`,
    `/Subtype /Link ${AREA} /Border [0 0 1] /C [1 0 0]`,
    `/Subtype /Square /Rect [1 1 9 9] /F 2`,
    `/Subtype /Popup ${AREA}`,
    `/Subtype /Widget /FT /Sig /T (S) /Rect [0 0 0 0] /F 132 /AP << /N ${BLANK} 0 R >>`,
    `/Subtype /Link ${AREA} /OC ${LAYER}`,
    `/Subtype /Widget /FT /Btn /T (B) ${AREA} /AS /Off /AP << /N << /On ${LOOK} 0 R >> >>`,
  ]
  for (const annotation of kept) {
    const verdict = await sandbox.inspect(documentWith(annotation), FORESEEN)
    t.match(verdict, { outcome: 'accepted', drawn: undefined }, annotation)
  }
})

t.test('what cannot be drawn for every viewer is refused, with its page', async (t) => {
  const refused = [
    [`/Subtype /FreeText ${AREA} /DA (/F1 40 Tf 0 g) /Contents (PAY 9999)`],
    [`/Subtype /Popup ${AREA} /Open true /AP << /N ${LOOK} 0 R >>`],
    [`/Subtype /Widget /FT /Sig /T (S) ${AREA} /AP << /N ${LOOK} 0 R >>`],
    [`/Subtype /Stamp ${AREA} /AP << /N ${LOOK + 1} 0 R >>`],
    ...['Link', 'Movie', 'Sound', 'FileAttachment', 'Polygon', 'PolyLine'].map(
      (subtype) => [`/Subtype /${subtype} ${AREA} /AP << /N ${LOOK} 0 R >>`] as const,
    ),
    [`${AREA} /AP << /N ${LOOK} 0 R >>`],
    [`/Subtype /Widget /FT /Btn /T (B) ${AREA} /AS /On /AP << /N ${LOOK} 0 R >>`],
    [`/Subtype /Square ${AREA} /IC [0 0 0] /OC ${LAYER} /AP << /N ${LOOK} 0 R >>`],
    [`/Subtype /Square ${AREA} /IC [0 0 0] /OC ${LAYER}`],
    // Helvetica has no such letter, and a browser would take a font of its own.
    [`${TEXT} ${AREA} /V <FEFF4E2D>`, NEEDED],
  ] as const
  for (const [annotation, form] of refused as readonly (readonly [string, string?])[]) {
    const verdict = await sandbox.inspect(documentWith(annotation, form), FORESEEN)
    t.match(verdict, { outcome: 'rejected', reason: /form field on page 1 differently/ })
  }
})

t.test('an annotation that is written into its page is refused', async (t) => {
  const pages = [{ extra: `/Annots [<< /Type /Annot /Subtype /Square ${AREA} /C [0 0 0] >>]` }]
  const verdict = await sandbox.inspect(buildPdf({ pages }), FORESEEN)
  t.match(verdict, { outcome: 'rejected', reason: /form field on page 1 differently/ })
})

t.test('a document that somebody signed stays as it is', async (t) => {
  const kept = [
    `${TEXT} ${AREA} /V (1234) /AP << /N ${LOOK} 0 R >>`,
    `/Subtype /Stamp /Rect [100 300 400 500] /AP << /N ${LOOK} 0 R >>`,
    `/Subtype /Widget /FT /Sig /T (S) /Rect [0 0 0 0] /F 132 /AP << /N ${BLANK} 0 R >>`,
  ]
  for (const annotation of kept) {
    const signed = await signAsPeople(documentWith(annotation), false)
    const verdict = await sandbox.inspect(signed, FORESEEN)
    t.match(verdict, { outcome: 'accepted', drawn: undefined }, annotation)
  }
})

t.test('a signed document of which viewers show something else is refused', async (t) => {
  const refused = [
    'a value that is not drawn',
    'a filled square',
    'a highlighter whose appearance is elsewhere',
    'a widget without a field',
    'an annotation without an area',
    'an appearance for the printer alone',
  ]
  for (const name of refused) {
    const [annotation = '', form] = DRAWN[name] ?? []
    const signed = await signAsPeople(documentWith(annotation, form), false)
    const verdict = await sandbox.inspect(signed, FORESEEN)
    t.match(
      verdict,
      { outcome: 'rejected', reason: /page 1 differently, and the PDF carries/ },
      name,
    )
  }
})
