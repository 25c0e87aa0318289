/** Documents that paint an image, for tests of what intake says about it. */
import type { Buffer } from 'node:buffer'
import { PadesError } from '../../../../pades/errors.ts'
import { readDocument } from '../../../../pades/pdf/open.ts'
import { assertReadAlike } from '../../../../pades/sign/unambiguous.ts'
import { PROFILES } from '../../../fixtures/icc-profiles.ts'
import { buildPdf, FIRST_EXTRA } from '../../../fixtures/pdf.ts'

/** References to the objects behind the image. */
export const PARTS = [1, 2, 3].map((offset) => `${FIRST_EXTRA + offset} 0 R`)

/** The source of a stream. */
export const streamOf = (entries: string, data: Buffer | string = ''): string =>
  `<< ${entries} /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`

const PROFILE_SPACES: Readonly<Record<number, string>> = { 1: 'GRAY', 3: 'RGB ', 4: 'CMYK' }

/** The source of an ordinary ICC profile. */
export function profileOf(
  components: number,
  space = PROFILE_SPACES[components] ?? 'RGB ',
  entries = '',
): string {
  return streamOf(`/N ${components} ${entries}`, PROFILES[space])
}

/** The source of an image of 4 × 2 pixels, unless the entries say otherwise. */
export const imageOf = (entries: string, data: Buffer | string): string => {
  const size = entries.includes('/Width') ? '' : '/Width 4 /Height 2'
  return streamOf(`/Type /XObject /Subtype /Image ${size} ${entries}`, data)
}

/** A document whose page has the image among its resources. */
export const painting = (image: string, parts: readonly string[] = []): Buffer =>
  buildPdf({
    pages: [{ extra: `/Resources << /XObject << /X ${FIRST_EXTRA} 0 R >> >>` }],
    objects: [image, ...parts],
  })

/** What intake says about a document. */
export function verdictOn(file: Uint8Array): string {
  try {
    readDocument(file, assertReadAlike)
    return 'accepted'
  } catch (error) {
    if (error instanceof PadesError) return error.message
    throw error
  }
}
