/** Checks of files that another program changed after a signature. */
import type { Buffer } from 'node:buffer'
import type { Test } from 'tap'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { stream } from '../../fixtures/revisions.ts'
import { OPTIONS } from './sample.ts'

/** Object numbers of the sample: page, its content, and the catalog. */
export const PAGE = 10
export const CONTENT = 11
export const CATALOG = 1
/** The rectangle of a new field. */
export const RECTANGLE = '/Rect [300 50 400 100]'

/** The number of the appearance of a new signature. */
export const LOOK = 1901

/** Objects that a test adds to the sample before it is signed. */
export const [FIRST, SECOND, THIRD] = [FIRST_EXTRA, FIRST_EXTRA + 1, FIRST_EXTRA + 2]

/** The first object that a test adds after the signature. */
export const NEW = 1950

/** An appearance that fills its box. */
export const look = stream('0 0 10 10 re f').replace(
  '<<',
  '<< /Type /XObject /Subtype /Form /BBox [0 0 10 10]',
)

/** All signatures pass, and nothing changed that is not permitted. */
export async function assertPassed(t: Test, file: Buffer): Promise<void> {
  const { signatures, summary } = await validateSignatures(file, OPTIONS)
  t.ok(signatures.length > 0)
  for (const { indication, errors } of signatures) {
    t.equal(indication, 'TOTAL_PASSED', errors.map(({ key }) => key).join())
  }
  t.not(summary.documentModifiedAfterSigning, 'notPermitted')
}

/** The first signature does not pass, and the report names a change. */
export async function assertRefused(t: Test, file: Buffer): Promise<void> {
  const { signatures } = await validateSignatures(file, OPTIONS)
  const [first] = signatures
  t.equal(first?.integrity.digestMatch, true)
  t.not(first?.indication, 'TOTAL_PASSED')
  t.ok(first?.modifications.changes.some(({ permitted }) => !permitted))
}
