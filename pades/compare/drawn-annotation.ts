/**
 * Asks the reader that shows documents to signers what it draws for annotations without an
 * appearance, so that revision 1 can give them this appearance (ISO 32000-2, 12.5.5).
 */
import { PadesError, PRINT_ANEW } from '../errors.ts'
import { readPermissions } from '../pdf/permissions.ts'
import { acroFormOf, readFields } from '../pdf/acro-form.ts'
import { readDocument } from '../pdf/open.ts'
import { readPages } from '../pdf/page-tree.ts'
import { nameSource, serialise } from '../pdf/serialise.ts'
import { undrawnAnnotations } from '../pdf/undrawn.ts'
import type { DrawnAnnotation } from '../sign/request.ts'
import type { SecondAppearance, SecondViewer } from './second-reading.ts'

/** Together; more than some thousand filled fields take. */
const MAX_DRAWN_BYTES = 1_048_576
/** What an annotation takes in the verdict beside its appearance. */
const BYTES_BESIDE = 128

/**
 * Draws every annotation of an unsigned document that has no appearance of its own. Signed
 * documents stay as they are: a change of their annotations would be a change after the signature.
 *
 * @param original neither copied nor changed
 * @throws PadesError `UNDRAWN` - the reader draws something that cannot be written down, or viewers
 *   show something of a signed document differently
 * @throws PadesError `READ_DIFFERENTLY` - the reader cannot read a page or an annotation
 * @throws PadesError `LIMIT_EXCEEDED` - the appearances together are too long
 * @throws PadesError as reading
 */
export async function drawAnnotations(
  original: Uint8Array,
  open: (bytes: Uint8Array) => Promise<SecondViewer>,
): Promise<DrawnAnnotation[]> {
  const { undrawn, isSigned } = readDocument(original, (document) => {
    const { signatures } = readPermissions(document, readFields(document))
    const isRedrawn = document.resolve(acroFormOf(document)?.get('NeedAppearances')) === true
    const annotations = undrawnAnnotations(document, readPages(document), isRedrawn)
    return { undrawn: annotations, isSigned: signatures > 0 }
  })
  if (isSigned) {
    const different = undrawn.find(({ isShownDifferently }) => isShownDifferently)
    if (different) throw undrawable(different.pageIndex, BEFORE_SIGNING)
    return []
  }
  if (undrawn.length === 0) return []
  const second = await open(original)
  const drawn: DrawnAnnotation[] = []
  let size = 0
  for (const one of undrawn) {
    const { reference, pageIndex, isShown, isContested, state } = one
    if (!reference || (isShown && isContested)) throw undrawable(pageIndex)
    const object = reference.number
    const read = isShown ? await readAppearance(second, pageIndex, object) : NOTHING
    if (read === 'unknown') throw undrawable(pageIndex)
    size += BYTES_BESIDE
    if (size > MAX_DRAWN_BYTES) throw new PadesError('LIMIT_EXCEEDED')
    if (read === 'hidden') {
      drawn.push({ object, entries: { F: String(one.hiddenFlags) } })
      continue
    }
    const entries = { ...one.entries, F: String(one.shownFlags) }
    if ('fromDocument' in read) {
      // Viewers choose other states where the one that is named has no appearance.
      const shown = one.looks.get(read.fromDocument)
      const named = shown !== undefined && { AS: nameSource(shown) }
      drawn.push({ object, entries: { ...entries, ...named } })
      continue
    }
    const appearance = {
      ...(state !== undefined && { state: nameSource(state) }),
      ...streamOf(read),
    }
    size += appearance.entries.length + appearance.content.length
    // A rectangle without area stays.
    const rect: DrawnAnnotation['entries'] = isShown ? { Rect: serialise([...read.rect]) } : {}
    drawn.push({ object, entries: { ...rect, ...entries }, appearance })
  }
  if (size > MAX_DRAWN_BYTES) throw new PadesError('LIMIT_EXCEEDED')
  return drawn
}

async function readAppearance(second: SecondViewer, pageIndex: number, object: number) {
  try {
    return await second.readAppearance(pageIndex, object)
  } catch (cause) {
    // The reader shows nothing of a page that it cannot read.
    throw new PadesError('READ_DIFFERENTLY', undefined, { cause })
  }
}

/** What is shown of an annotation without an area. */
const NOTHING: SecondAppearance = {
  rect: [],
  bbox: [0, 0, 1, 1],
  matrix: [1, 0, 0, 1, 0, 0],
  resources: new Map(),
  content: '',
}

function streamOf({ bbox, matrix, resources, content }: SecondAppearance) {
  const shape = `/BBox ${serialise([...bbox])} /Matrix ${serialise([...matrix])}`
  const entries = `/Type /XObject /Subtype /Form ${shape} /Resources ${serialise(resources)}`
  return { entries, content }
}

const AS_PRINTED = `; ${PRINT_ANEW}`
const BEFORE_SIGNING =
  ', and the PDF carries signatures, which a new appearance would break;' +
  ' print the document to a new PDF before anybody signs, and upload that'

const undrawable = (pageIndex: number, advice = AS_PRINTED): PadesError =>
  new PadesError(
    'UNDRAWN',
    `PDF programs show a comment or form field on page ${pageIndex + 1} differently${advice}`,
  )
