/** Files that travel within a composed document (ISO 32000-2, 7.11.4 and 14.13; ISO 19005-3). */
import { createHash } from 'node:crypto'
import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'

import { cleanText } from '../appearance/text.ts'
import { PadesError } from '../errors.ts'
import type { FileWriter } from './file-writer.ts'
import { dateString, textString } from './metadata.ts'
import type { Attachment } from './model.ts'

const MAX_ATTACHMENTS = 100

const MEDIA_TYPE = /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/i

/**
 * Embeds the files and returns the entries of the catalogue that lead to them.
 *
 * @throws PadesError `BAD_ATTACHMENT` - too many, a name twice, or no media type
 */
export function writeAttachments(writer: FileWriter, attachments: readonly Attachment[]): string {
  if (attachments.length === 0) return ''
  if (attachments.length > MAX_ATTACHMENTS) {
    throw new PadesError('BAD_ATTACHMENT', `more than ${MAX_ATTACHMENTS} files`)
  }
  const named = attachments.map(attachment => ({ attachment, name: fileName(attachment.name) }))
  if (new Set(named.map(({ name }) => name)).size !== named.length) {
    throw new PadesError('BAD_ATTACHMENT', 'two files have the same name')
  }
  const files = named.map(({ attachment, name }) => ({
    name,
    number: writeFile(writer, attachment, name),
  }))
  const associated = files.map(({ number }) => `${number} 0 R`).join(' ')
  // A name tree is sorted by the bytes of its keys (7.9.6).
  const keys = files
    .map(({ name, number }) => ({ key: textString(name), number }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, number }) => `${key} ${number} 0 R`)
  return ` /AF [${associated}] /Names << /EmbeddedFiles << /Names [${keys.join(' ')}] >> >>`
}

function writeFile(writer: FileWriter, attachment: Attachment, name: string): number {
  const { bytes, mediaType, description, createdAt, relationship } = attachment
  if (!MEDIA_TYPE.test(mediaType)) {
    throw new PadesError('BAD_ATTACHMENT', `${JSON.stringify(mediaType)} is no media type`)
  }
  const date = dateString(createdAt)
  const checkSum = createHash('md5').update(bytes).digest('hex')
  const parameters = `/Size ${bytes.length} /CreationDate ${date} /ModDate ${date}`
    + ` /CheckSum <${checkSum}>`
  const stream = writer.add(
    `<< /Type /EmbeddedFile /Subtype /${nameObject(mediaType)} /Params << ${parameters} >>`
      + ' /Filter /FlateDecode >>',
    deflateSync(bytes),
  )
  const text = textString(name)
  return writer.add(
    `<< /Type /Filespec /F ${text} /UF ${text} /Desc ${textString(description)}`
      + ` /AFRelationship /${relationship} /EF << /F ${stream} 0 R /UF ${stream} 0 R >> >>`,
  )
}

/** A name that stays one name wherever it is saved. */
function fileName(name: string): string {
  const safe = cleanText(name).replace(/[\\/:*?"<>|]/g, '_').trim()
  return safe === '' || /^\.+$/.test(safe) ? 'file' : safe
}

/** Characters that a name object cannot hold are written as `#xx` (7.3.5). */
function nameObject(text: string): string {
  return text.replace(/[^A-Za-z0-9.+-]/g, character =>
    `#${Buffer.from(character).toString('hex').toUpperCase()}`)
}
