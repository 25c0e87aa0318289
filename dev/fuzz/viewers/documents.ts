/** Signed documents and evidence that the fuzzer attacks, made with the keys of the tests. */
import { Buffer } from 'node:buffer'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type DrawnAnnotation,
  PadesError,
  readDrawing,
  signDocument,
  type SignerRequest,
} from '../../../pades/index.ts'
import {
  janka,
  longTerm,
  lubos,
  NOW,
  published,
  publishedStamp,
  seal,
  stamp,
} from '../../../test/fixtures/pki.ts'
import { bundle } from '../../../test/cli/evidence/bundle.ts'
import { openBase, type Base } from './base.ts'
import { isApprovedAsSigned } from './judge.ts'
import type { Area } from './raster.ts'
import { encryptedShapes } from './encrypted-shapes.ts'
import { buildShape, SHAPES } from './shapes.ts'
import type { LazyBase } from './shelf.ts'

const DRAWING = readDrawing('M0 20 C20 0 40 40 60 20 S100 0 120 20')
/** Size of a signature, in fractions of the page. */
const WIDTH = 0.2
const HEIGHT = 0.1
/** Offsets of both signatures from the left and the top of the displayed page. */
const PLACES = [
  { x: 0.5, y: 0.85, name: 'Janka', who: janka, lasting: published.janka },
  { x: 0.75, y: 0.85, name: 'Lubos', who: lubos, lasting: published.lubos },
] as const

/** Rectangles of both signatures on the first page. */
export const SIGNATURE_AREAS: readonly Area[] = PLACES.map(({ x, y }) => ({
  page: 0,
  x,
  y,
  width: WIDTH,
  height: HEIGHT,
}))

/** Both rectangles as planned signature fields. */
export const FORESEEN = {
  signers: PLACES.map(({ x, y, name }) => ({
    fieldName: name,
    name,
    places: [{ page: 1, x, y, width: WIDTH, height: HEIGHT, unit: 'fraction' as const }],
  })),
  seal: { fieldName: 'Seal', name: 'Seal' },
  archiveFieldName: 'Archive',
}

/** The participants; lasting ones have certificates whose revocation is published. */
const signersOf = (isLasting: boolean): SignerRequest[] =>
  PLACES.map(({ x, y, who, lasting, name }) => ({
    fieldName: name,
    name,
    places: [{ page: 1, x, y, width: WIDTH, height: HEIGHT, unit: 'fraction' }],
    appearance: { drawing: DRAWING, lines: [name] },
    credential: () => (isLasting ? lasting : who),
  }))

/**
 * Signs a document as two people, and seals it.
 *
 * @param isLasting with validation data and a document time-stamp (B-LTA)
 * @param drawn appearances that intake made
 */
export async function signAsPeople(
  original: Uint8Array,
  isLasting: boolean,
  drawn: readonly DrawnAnnotation[] = [],
): Promise<Buffer> {
  return signedBy(original, signersOf(isLasting), isLasting, drawn)
}

async function signedBy(
  original: Uint8Array,
  signers: readonly SignerRequest[],
  isLasting: boolean,
  drawn: readonly DrawnAnnotation[] = [],
): Promise<Buffer> {
  const credential = isLasting ? published.seal : seal
  const { bytes } = await signDocument(original, {
    signers,
    drawn,
    seal: { fieldName: 'Seal', name: 'Seal', credential },
    sealedAt: NOW,
    timeStamp: (digest) => (isLasting ? publishedStamp(digest) : stamp(digest)),
    ...(isLasting && { longTerm }),
  })
  return Buffer.from(bytes)
}

/** Signs a document; undefined when that cannot be done. */
async function opened(
  name: string,
  original: Buffer,
  isLasting: boolean,
  areas: readonly Area[],
): Promise<Base | undefined> {
  try {
    // Without areas, the document has only the seal, which is invisible.
    const signers = areas.length > 0 ? signersOf(isLasting) : []
    const bytes = await signedBy(original, signers, isLasting)
    return (await isApprovedAsSigned(bytes)) ? openBase(name, bytes, areas) : undefined
  } catch (error) {
    if (error instanceof PadesError) return undefined
    throw error
  }
}

/** Every shape, not signed, and some of them encrypted. */
export function unsignedShapes(): LazyBase[] {
  const plain = Object.entries(SHAPES).map(([name, options]) => ({
    name,
    open: async () => openBase(name, buildShape(options)),
  }))
  const encrypted = encryptedShapes().map(({ name, build }) => ({
    name,
    open: async () => openBase(name, build()),
  }))
  return [...plain, ...encrypted]
}

/** Every shape, signed with and without validation data and a document time-stamp. */
export function signedShapes(): LazyBase[] {
  const plain = Object.entries(SHAPES).flatMap(([shape, options]) =>
    [false, true].map((isLasting) => {
      const name = `${shape}${isLasting ? '-lta' : ''}`
      const open = () => opened(name, buildShape(options), isLasting, SIGNATURE_AREAS)
      return { name, open }
    }),
  )
  const encrypted = encryptedShapes().map(({ name: shape, build }, index) => {
    const isLasting = index % 2 === 0
    const name = `${shape}${isLasting ? '-lta' : ''}`
    return { name, open: () => opened(name, build(), isLasting, SIGNATURE_AREAS) }
  })
  return [...plain, ...encrypted]
}

/** Larger documents would be most of the time spent. */
const MAXIMUM_BYTES = 120_000

/**
 * Real documents, sealed.
 *
 * @param folder with PDF files; large ones are left out
 */
export function sealedCorpus(folder: string): LazyBase[] {
  return namesIn(folder).map((file) => {
    const name = `corpus-${file.replace(/\.pdf$/, '')}`
    const open = async () => {
      const original = readFileSync(join(folder, file))
      return original.length > MAXIMUM_BYTES ? undefined : opened(name, original, false, [])
    }
    return { name, open }
  })
}

/** Real documents as uploads; unreadable ones are left out. */
export function unsignedCorpus(folder: string): LazyBase[] {
  return namesIn(folder).map((file) => {
    const name = `corpus-${file.replace(/\.pdf$/, '')}`
    const open = async () => {
      const original = readFileSync(join(folder, file))
      const signed =
        original.length > MAXIMUM_BYTES ? undefined : await opened(name, original, false, [])
      return signed && openBase(name, original)
    }
    return { name, open }
  })
}

/** Its font lacks glyphs, and each viewer chooses others. */
const LEFT_OUT = new Set(['bug1365930.pdf'])

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.pdf') && !LEFT_OUT.has(name))
  } catch {
    return []
  }
}

/** Evidence of the service, sealed as it seals it. */
export function evidenceDocuments(): LazyBase[] {
  const name = 'evidence'
  const open = async () => openBase(name, Buffer.from((await bundle()).evidence))
  return [{ name, open }]
}
