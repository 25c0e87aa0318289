/** Reads the mails back that `FileMailer` wrote (RFC 5322, RFC 2045 to 2047). */
import { Buffer } from 'node:buffer'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeptMail, Mailbox } from '../../domain/ports/mailbox.ts'

const MAIL_FILE = /^([0-9a-f-]{36})\.eml$/
const ENCODED_WORD = /=\?utf-8\?([bq])\?([^?]*)\?=(?:\s+(?==\?))?/gi
/** A list of more is no help to anybody. */
const MAXIMUM_MAILS = 200

function fromQuotedPrintable(text: string): Buffer {
  const joined = text.replace(/=\r?\n/g, '')
  const octets = joined.replace(/=([0-9A-F]{2})/gi, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(octets, 'latin1')
}

/** RFC 2047: words of a header that are not ASCII. */
function decodedWords(text: string): string {
  return text.replace(ENCODED_WORD, (_match, encoding: string, word: string) =>
    encoding.toLowerCase() === 'b'
      ? Buffer.from(word, 'base64').toString('utf8')
      : fromQuotedPrintable(word.replaceAll('_', ' ')).toString('utf8'),
  )
}

interface Part {
  header(name: string): string
  body: string
}

function partOf(text: string): Part {
  const end = text.indexOf('\r\n\r\n')
  const head = text.slice(0, end).replace(/\r\n[ \t]+/g, ' ')
  return {
    header: (name) => new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trim() ?? '',
    body: text.slice(end + 4),
  }
}

/** The first part of the type, however deep. */
function findPart(part: Part, mediaType: string): Part | undefined {
  const type = part.header('Content-Type')
  if (type.startsWith(mediaType)) return part
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1]
  if (boundary === undefined) return undefined
  const parts = part.body.split(`--${boundary}`).slice(1, -1)
  for (const text of parts) {
    const found = findPart(partOf(text.replace(/^\r\n/, '')), mediaType)
    if (found) return found
  }
  return undefined
}

function contentOf({ header, body }: Part): string {
  switch (header('Content-Transfer-Encoding').toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64').toString('utf8')
    case 'quoted-printable':
      return fromQuotedPrintable(body).toString('utf8')
    default:
      return Buffer.from(body, 'latin1').toString('utf8')
  }
}

export class FileMailbox implements Mailbox {
  readonly #folder: string

  /** @param folder of a {@link FileMailer}; need not be there */
  constructor(folder: string) {
    this.#folder = folder
  }

  async list(): Promise<KeptMail[]> {
    const ids = (await this.#names()).flatMap((name) => MAIL_FILE.exec(name)?.[1] ?? [])
    const mails = await Promise.all(ids.map((id) => this.#describe(id)))
    return mails.sort((a, b) => b.sentAt.localeCompare(a.sentAt)).slice(0, MAXIMUM_MAILS)
  }

  async read(id: string): Promise<string | undefined> {
    if (!(await this.#names()).includes(`${id}.eml`)) return undefined
    const html = findPart(await this.#parse(id), 'text/html')
    return html && contentOf(html)
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#folder)
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return []
      throw error
    }
  }

  async #parse(id: string): Promise<Part> {
    return partOf(await readFile(join(this.#folder, `${id}.eml`), 'latin1'))
  }

  async #describe(id: string): Promise<KeptMail> {
    const { mtime } = await stat(join(this.#folder, `${id}.eml`))
    const { header } = await this.#parse(id)
    const [to, subject] = [header('To'), header('Subject')].map(decodedWords)
    return { id, to: to ?? '', subject: subject ?? '', sentAt: mtime.toISOString() }
  }
}
