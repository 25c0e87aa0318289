/** Documents with given resources and layers, for attacks on what viewers show. */
import type { Buffer } from 'node:buffer'
import { buildPdf, FIRST_EXTRA } from '../../../fixtures/pdf.ts'
import { streamOf } from './painted.ts'

/** A large black square. */
export const SQUARE = '0 g 20 20 300 300 re f'
/** References to further objects. */
export const [FIRST = '', SECOND = '', THIRD = ''] = [1, 2, 3].map(
  (offset) => `${FIRST_EXTRA + offset} 0 R`,
)

/** Parts of a document. */
export interface Drawn {
  /** PDF source of entries of the resources. */
  readonly resources?: string
  readonly content?: string
  readonly catalog?: string
  /** PDF source of annotations. */
  readonly annotations?: string
  /** Objects behind {@link FIRST}, {@link SECOND} and {@link THIRD}. */
  readonly objects?: readonly string[]
}

/** A document with one page. */
export function drawn({
  resources = '',
  content = SQUARE,
  catalog = '',
  annotations = '',
  objects = [],
}: Drawn): Buffer {
  const entries = `/Resources << ${resources} >> /Annots [${annotations}]`
  const page = `${entries} /Contents ${FIRST_EXTRA} 0 R`
  const file = buildPdf({
    pages: [{ extra: page }],
    catalog,
    objects: [streamOf('', content), ...objects],
  })
  // The builder gives each page contents of its own: the key may be there only once.
  const at = file.indexOf('/Contents 11 0 R')
  file.write('/Ignored ', at, 'latin1')
  return file
}
