/** Builds small documents of several shapes, with a price on every page, as bases of attacks. */
import { Buffer } from 'node:buffer'
import type { Area } from './raster.ts'
import { emptyPlan, type Plan, streamOf, writeRevision } from './revision.ts'
import type { CipherOwner, DocumentCipher } from '../../../pades/pdf/encryption/cipher.ts'
import { BLACK, BLACK_FORM } from './attacker.ts'
import { ObjectCipher } from './object-cipher.ts'

/** Place of an empty signature field. */
export const EMPTY_FIELD_AREA: Area = { page: 0, x: 0.73, y: 0.4, width: 0.24, height: 0.1 }

/** How a shape is encrypted. */
export interface ShapeEncryption {
  readonly cipher: DocumentCipher
  /** Source of the encryption dictionary. */
  readonly dictionary: string
  /** Source of the first part of the file identifier. */
  readonly identifier: string
}

/** The features of a shape. */
export interface ShapeOptions {
  form: Plan['form']
  /** Other objects than streams are in an object stream; requires a cross-reference stream. */
  isPacked?: boolean
  pages?: number
  /** `Contents` is an array of two streams. */
  hasContentsArray?: boolean
  /** `Resources` and `MediaBox` are on the page tree node. */
  isInherited?: boolean
  /** A form with a text field, and an annotation with an appearance. */
  hasForm?: boolean
  /** The lengths of content streams are objects of their own. */
  hasIndirectLength?: boolean
  /** The file has objects that its cross-reference does not list and that show something else. */
  hasDecoys?: boolean
  /** The arrays of annotations and pages are objects of their own. */
  hasIndirectArrays?: boolean
  encryption?: ShapeEncryption
}

const PAGE_WIDTH = 300
const PAGE_HEIGHT = 200
const MEDIA_BOX = `/MediaBox [0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}]`

const CATALOG = 1
const PAGES = 2
const RESOURCES = 3
const FONT = 4
const X_OBJECT = 5
const INFORMATION = 6
const KIDS = 7
const ENCRYPTION = 8
const FORM = 30
const FIELD = 31
const FIELD_LOOK = 32
const NOTE = 33
const NOTE_LOOK = 34
const ANNOTATIONS = 35
const EMPTY_FIELD = 36
const FIRST_PAGE = 10

const FORM_X_OBJECT = '/Type /XObject /Subtype /Form'
const PRICE = 'BT /F1 24 Tf 20 150 Td (PRICE 100) Tj ET'
const DRAWING = 'q /X1 Do Q'

const FIELD_SOURCE =
  `<< /Type /Annot /Subtype /Widget /FT /Tx /T (Amount) /V (100) /F 4 /Rect [20 60 120 80]` +
  ` /DA (/F1 12 Tf 0 g) /AP << /N ${FIELD_LOOK} 0 R >> >>`
const FIELD_APPEARANCE = streamOf(
  '/Tx BMC BT /F1 12 Tf 2 5 Td (100) Tj ET EMC',
  `${FORM_X_OBJECT} /BBox [0 0 100 20] /Resources << /Font << /F1 ${FONT} 0 R >> >>`,
)
const NOTE_SOURCE =
  `<< /Type /Annot /Subtype /Square /F 4 /Rect [220 160 280 190]` +
  ` /AP << /N ${NOTE_LOOK} 0 R >> >>`
const EMPTY_FIELD_SOURCE =
  '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Empty) /F 4 /Rect [220 100 290 120] >>'
const NOTE_APPEARANCE = streamOf(
  '2 w 5 5 50 20 re S',
  `${FORM_X_OBJECT} /BBox [0 0 60 30] /Resources << >>`,
)

function pageObjects(index: number, options: ShapeOptions): [number, string][] {
  const number = FIRST_PAGE + 4 * index
  const lengthNumber = number + 3
  const text = `${PRICE}\nBT /F1 12 Tf 20 120 Td (Page ${index + 1}) Tj ET`
  const content = options.hasIndirectLength
    ? `<< /Length ${lengthNumber} 0 R >>\nstream\n${text}\nendstream`
    : streamOf(text)
  const contents = options.hasContentsArray
    ? `[${number + 1} 0 R ${number + 2} 0 R]`
    : `${number + 1} 0 R`
  const list = options.hasIndirectArrays
    ? `${ANNOTATIONS} 0 R`
    : `[${NOTE} 0 R ${FIELD} 0 R ${EMPTY_FIELD} 0 R]`
  const annotations = options.hasForm && index === 0 ? `/Annots ${list}` : ''
  const own = options.isInherited ? '' : `${MEDIA_BOX} /Resources ${RESOURCES} 0 R`
  const page = `<< /Type /Page /Parent ${PAGES} 0 R /Contents ${contents} ${own} ${annotations} >>`
  return [
    [number, page],
    [number + 1, content],
    [number + 2, streamOf(DRAWING)],
    ...(options.hasIndirectLength
      ? [[lengthNumber, String(lengthOf(text, number + 1, options))] as [number, string]]
      : []),
  ]
}

/** Length of the data of a stream as the file has them. */
function lengthOf(text: string, number: number, { encryption }: ShapeOptions): number {
  const owner: CipherOwner = { number, generation: 0 }
  return encryption
    ? encryption.cipher.encrypt('streams', owner, Buffer.from(text)).length
    : text.length
}

function objectsOfShape(options: ShapeOptions): Map<number, string> {
  const count = options.pages ?? 1
  const kids = Array.from({ length: count }, (_, index) => `${FIRST_PAGE + 4 * index} 0 R`)
  const inherited = options.isInherited ? `${MEDIA_BOX} /Resources ${RESOURCES} 0 R` : ''
  const kidsSource = options.hasIndirectArrays ? `${KIDS} 0 R` : `[${kids.join(' ')}]`
  const form = options.hasForm ? `/AcroForm ${FORM} 0 R` : ''
  const objects = new Map<number, string>([
    [CATALOG, `<< /Type /Catalog /Pages ${PAGES} 0 R ${form} >>`],
    [PAGES, `<< /Type /Pages /Count ${count} /Kids ${kidsSource} ${inherited} >>`],
    [RESOURCES, `<< /Font << /F1 ${FONT} 0 R >> /XObject << /X1 ${X_OBJECT} 0 R >> >>`],
    [FONT, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
    [X_OBJECT, streamOf('20 95 80 10 re f', `${FORM_X_OBJECT} /BBox [0 0 300 200]`)],
    [INFORMATION, '<< /Title (Contract) >>'],
    ...Array.from({ length: count }, (_, index) => pageObjects(index, options)).flat(),
  ])
  if (options.hasIndirectArrays) objects.set(KIDS, `[${kids.join(' ')}]`)
  if (options.encryption) objects.set(ENCRYPTION, options.encryption.dictionary)
  if (!options.hasForm) return objects
  objects.set(
    FORM,
    `<< /Fields [${FIELD} 0 R ${EMPTY_FIELD} 0 R] /DR << /Font << /F1 ${FONT} 0 R >> >> >>`,
  )
  objects.set(FIELD, FIELD_SOURCE)
  objects.set(FIELD_LOOK, FIELD_APPEARANCE)
  objects.set(NOTE, NOTE_SOURCE)
  objects.set(EMPTY_FIELD, EMPTY_FIELD_SOURCE)
  objects.set(NOTE_LOOK, NOTE_APPEARANCE)
  if (options.hasIndirectArrays)
    objects.set(ANNOTATIONS, `[${NOTE} 0 R ${FIELD} 0 R ${EMPTY_FIELD} 0 R]`)
  return objects
}

const IDENTIFIER = '<00112233445566778899aabbccddeeff>'

/**
 * Builds a document.
 *
 * @returns the file, unsigned
 */
export function buildShape(options: ShapeOptions): Buffer {
  const plan = emptyPlan(options.form)
  const objects = objectsOfShape(options)
  for (const [number, body] of objects) {
    const isPacked =
      options.isPacked === true && !body.includes('endstream') && number !== ENCRYPTION
    plan.objects.push({ number, generation: 0, body, isPacked })
  }
  if (options.hasDecoys) {
    const unlisted = { generation: 0, isUnlisted: true }
    plan.objects.push({ number: FIRST_PAGE + 1, body: streamOf(BLACK), ...unlisted })
    plan.objects.push({ number: X_OBJECT, body: streamOf(BLACK, BLACK_FORM), ...unlisted })
  }
  const free = { number: 0, type: 0, second: 0, third: 65_535 }
  plan.editRows.push((rows) => [free, ...rows])
  const { encryption } = options
  const identifier = encryption?.identifier ?? IDENTIFIER
  const trailer =
    `/Root ${CATALOG} 0 R /Info ${INFORMATION} 0 R /ID [${identifier} ${IDENTIFIER}]` +
    (encryption ? ` /Encrypt ${ENCRYPTION} 0 R` : '')
  const before = {
    bytes: Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1'),
    ...(encryption && { cipher: new ObjectCipher(encryption.cipher, ENCRYPTION) }),
  }
  return writeRevision({ ...before, size: Math.max(...objects.keys()) + 1, trailer }, plan)
}

/** The shapes that are signed and attacked, keyed by name. */
export const SHAPES: Readonly<Record<string, ShapeOptions>> = {
  table: { form: 'table', hasForm: true },
  'table-three-pages': { form: 'table', pages: 3, isInherited: true, hasContentsArray: true },
  'table-indirect': { form: 'table', hasForm: true, hasIndirectLength: true, isInherited: true },
  'table-arrays': { form: 'table', hasForm: true, hasIndirectArrays: true, hasContentsArray: true },
  stream: { form: 'stream', hasForm: true, hasContentsArray: true },
  'object-stream': { form: 'stream', isPacked: true, hasForm: true, pages: 2 },
  'table-decoys': { form: 'table', hasDecoys: true, pages: 2 },
  'object-stream-inherited': { form: 'stream', isPacked: true, isInherited: true },
}
