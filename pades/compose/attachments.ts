/** Files that travel within a composed document (ISO 32000-2, 7.11.4 and 14.13; ISO 19005-3). */
import { AFRelationship, PDFArray, PDFDict, type PDFDocument, PDFHexString, PDFName } from 'pdf-lib'

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
export async function attachFiles(
  document: PDFDocument,
  attachments: readonly Attachment[],
): Promise<void> {
  if (attachments.length === 0) return
  if (attachments.length > MAX_ATTACHMENTS) {
    throw new PadesError('BAD_ATTACHMENT', `more than ${MAX_ATTACHMENTS} files`)
  }
  const names = attachments.map(({ name }) => fileName(name))
  if (new Set(names).size !== names.length) {
    throw new PadesError('BAD_ATTACHMENT', 'two files have the same name')
  }
  for (const [index, attachment] of attachments.entries()) {
    const { bytes, mediaType, description, createdAt, relationship } = attachment
    if (!MEDIA_TYPE.test(mediaType)) {
      throw new PadesError('BAD_ATTACHMENT', `${JSON.stringify(mediaType)} is not a media type`)
    }
    await document.attach(bytes, names[index], {
      mimeType: mediaType,
      description: cleanText(description),
      creationDate: createdAt,
      modificationDate: createdAt,
      afRelationship: AFRelationship[relationship],
    })
  }
  await document.flush()
  // The library writes the name under `F` unescaped and cut to bytes; under `UF` it is whole.
  const files = document.catalog.lookup(PDFName.of('AF'), PDFArray)
  for (let index = 0; index < files.size(); index += 1) {
    const file = files.lookup(index, PDFDict)
    file.set(PDFName.of('F'), file.lookup(PDFName.of('UF'), PDFHexString))
  }
}

/** A name that stays one name wherever it is saved. */
function fileName(name: string): string {
  const safe = cleanText(name)
    .replace(/[\\/:*?"<>|]/g, '_')
    .trim()
  return safe === '' || /^\.+$/.test(safe) ? 'file' : safe
}
