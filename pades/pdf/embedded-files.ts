/** Reads the files embedded in a PDF (ISO 32000-2, 7.7.4, 7.9.6 and 7.11.4). */
import { textOf } from './acro-form.ts'
import type { PdfDocument } from './document.ts'
import { lockedError } from './encryption/signing-rights.ts'
import { PadesError } from '../errors.ts'
import { MAX_DEPTH } from './limits.ts'
import { readDocument } from './open.ts'
import { PdfReference, PdfStream, type PdfValue } from './values.ts'

/** Files, and nodes of the tree of their names. */
const MAX_EMBEDDED_FILES = 1_000

/**
 * Reads every embedded file of the catalog's name tree.
 *
 * @param bytes the PDF
 * @returns contents by file name; of files with one name, the first
 * @throws PadesError `NOT_A_PDF`, `DAMAGED`, `ENCRYPTED`, `TOO_MANY_OBJECTS`, `LIMIT_EXCEEDED`
 */
export function embeddedFiles(bytes: Uint8Array): Map<string, Uint8Array> {
  return readDocument(bytes, (document) => {
    const { encryption } = document
    if (encryption?.state === 'locked') throw lockedError(encryption)
    const names = document.dictionary(document.catalog.get('Names'))
    const files = new Map<string, Uint8Array>()
    forEachName(document, names?.get('EmbeddedFiles'), (key, value) => {
      const file = readFile(document, value)
      const name = file?.name ?? key
      if (file && !files.has(name)) files.set(name, file.content)
    })
    return files
  })
}

/** Walks a name tree (7.9.6). */
function forEachName(
  document: PdfDocument,
  root: PdfValue | undefined,
  visit: (key: string, value: PdfValue) => void,
): void {
  const visited = new Set<number>()
  const open: { value: PdfValue | undefined; depth: number }[] = [{ value: root, depth: 0 }]
  let count = 0
  for (let node = open.pop(); node; node = open.pop()) {
    const { value, depth } = node
    if (value instanceof PdfReference) {
      if (visited.has(value.number)) continue
      visited.add(value.number)
    }
    const dictionary = document.dictionary(value)
    const kids = document.array(dictionary?.get('Kids')) ?? []
    const pairs = document.array(dictionary?.get('Names')) ?? []
    count += kids.length + pairs.length / 2
    if (count > MAX_EMBEDDED_FILES || depth > MAX_DEPTH) throw new PadesError('LIMIT_EXCEEDED')
    for (let index = 0; index + 1 < pairs.length; index += 2) {
      visit(textOf(document.resolve(pairs[index])) ?? '', pairs[index + 1])
    }
    for (const kid of kids.toReversed()) open.push({ value: kid, depth: depth + 1 })
  }
}

function readFile(
  document: PdfDocument,
  value: PdfValue,
): { name: string | undefined; content: Uint8Array } | undefined {
  const specification = document.dictionary(value)
  const streams = document.dictionary(specification?.get('EF'))
  const stream = document.resolve(streams?.get('UF') ?? streams?.get('F'))
  if (!specification || !(stream instanceof PdfStream)) return undefined
  const name = specification.get('UF') ?? specification.get('F')
  return { name: textOf(document.resolve(name ?? null)), content: document.decode(stream) }
}
