/** Builds encrypted documents that open without a password, as bases of attacks. */
import { Buffer } from 'node:buffer'
import { readDocument } from '../../../pades/pdf/open.ts'
import { serialise } from '../../../pades/pdf/serialise.ts'
import { isArray, PdfString } from '../../../pades/pdf/values.ts'
import { encryptedPdf, SCHEMES } from '../../../test/fixtures/encrypted-pdf.ts'
import { buildPdf } from '../../../test/fixtures/pdf.ts'
import { buildShape, SHAPES, type ShapeEncryption } from './shapes.ts'

/** A document that is built when it is needed. */
export interface EncryptedShape {
  readonly name: string
  readonly build: () => Buffer
}

/** Each encryption is used with two shapes, so that each shape is encrypted in some way. */
const SHAPE_STEPS = [0, 3] as const

/** Every encryption that qpdf knows and that can be signed; shapes are taken in turn. */
export function encryptedShapes(): EncryptedShape[] {
  const shapes = Object.entries(SHAPES)
  return Object.entries(SCHEMES).flatMap(([schemeName, scheme], index) =>
    SHAPE_STEPS.map((step) => {
      const [shape = '', options] = shapes[(index + step) % shapes.length] ?? []
      if (!options) throw new Error('there are no shapes')
      const name = `encrypted ${schemeName} ${shape}`.replaceAll(/[ ,]+/g, '-')
      return { name, build: () => buildShape({ ...options, encryption: encryptionOf(scheme) }) }
    }),
  )
}

/** An encryption as qpdf makes it, taken from a small document. */
function encryptionOf(scheme: readonly string[]): ShapeEncryption {
  return readDocument(encryptedPdf(buildPdf(), { scheme }), (document) => {
    const { cipher, trailer } = document
    const id = trailer.get('ID')
    const permanent = isArray(id) ? id[0] : undefined
    if (!cipher || !(permanent instanceof PdfString)) throw new Error('qpdf did not encrypt')
    return {
      cipher,
      dictionary: serialise(document.resolve(trailer.get('Encrypt'))),
      identifier: `<${Buffer.from(permanent.bytes).toString('hex')}>`,
    }
  })
}
