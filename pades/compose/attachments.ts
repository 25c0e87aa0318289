/** Files that travel within a composed document (ISO 32000-2, 7.11.4 and 14.13; ISO 19005-3). */
import { deflateSync } from 'node:zlib'
import { type PDFDocument, PDFHexString, PDFName, type PDFRef, PDFString } from 'pdf-lib'

import { cleanText } from '../appearance/text.ts'
import { PadesError } from '../errors.ts'
import type { Attachment } from './model.ts'

const MAX_ATTACHMENTS = 100

const MEDIA_TYPE = /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/i

/**
 * Embeds the files as associated files of the whole document.
 *
 * @throws PadesError `BAD_ATTACHMENT` - too many, a name twice, or no media type
 */
export function attachFiles(document: PDFDocument, attachments: readonly Attachment[]): void {
  if (attachments.length === 0) return
  if (attachments.length > MAX_ATTACHMENTS) {
    throw new PadesError('BAD_ATTACHMENT', `more than ${MAX_ATTACHMENTS} files`)
  }
  const names = attachments.map(({ name }) => fileName(name))
  if (new Set(names).size !== names.length) {
    throw new PadesError('BAD_ATTACHMENT', 'two files have the same name')
  }
  const { catalog, context } = document
  const files = attachments.map((attachment, index) => {
    const name = names[index]
    return { name, file: embed(document, name, attachment) }
  })
  // A name tree is in the order of its names (7.9.6).
  const inOrder = files.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const tree = inOrder.flatMap(({ name, file }) => [PDFHexString.fromText(name), file])
  catalog.set(PDFName.of('Names'), context.obj({ EmbeddedFiles: { Names: tree } }))
  catalog.set(PDFName.of('AF'), context.obj(files.map(({ file }) => file)))
}

/** @returns the file specification (7.11.3) */
function embed({ context }: PDFDocument, name: string, attachment: Attachment): PDFRef {
  const { bytes, mediaType, description, createdAt, relationship } = attachment
  if (!MEDIA_TYPE.test(mediaType)) {
    throw new PadesError('BAD_ATTACHMENT', `${JSON.stringify(mediaType)} is not a media type`)
  }
  const at = PDFString.fromDate(createdAt)
  // The library's own way to deflate takes many times as long.
  const stream = context.stream(deflateSync(bytes), {
    Type: 'EmbeddedFile',
    Subtype: mediaType,
    Filter: 'FlateDecode',
    Params: { Size: bytes.length, CreationDate: at, ModDate: at },
  })
  return context.register(
    context.obj({
      Type: 'Filespec',
      F: PDFHexString.fromText(name),
      UF: PDFHexString.fromText(name),
      EF: { F: context.register(stream) },
      Desc: PDFHexString.fromText(cleanText(description)),
      AFRelationship: relationship,
    }),
  )
}

/** A name that stays one name wherever it is saved. */
function fileName(name: string): string {
  const safe = cleanText(name)
    .replace(/[\\/:*?"<>|]/g, '_')
    .trim()
  return safe === '' || /^\.+$/.test(safe) ? 'file' : safe
}
