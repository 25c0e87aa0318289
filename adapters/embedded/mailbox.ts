/** Reads the mails that `FileMailer` wrote. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Address } from 'postal-mime'
import type { KeptMail, Mailbox } from '../../domain/ports/mailbox.ts'
import { isAbsent } from './data-directory.ts'

const MAIL_FILE = /^([0-9a-f-]{36})\.eml$/
/** Maximum length of the list. */
const MAXIMUM_MAILS = 200
const END_OF_HEADER = '\r\n\r\n'

const textOf = ({ name = '', address = '' }: Address) =>
  name === '' ? address : `${name} <${address}>`

export class FileMailbox implements Mailbox {
  readonly #folder: string

  /** @param folder of a {@link FileMailer}; it may not exist yet */
  constructor(folder: string) {
    this.#folder = folder
  }

  async list(): Promise<KeptMail[]> {
    const ids = (await this.#names()).flatMap((name) => MAIL_FILE.exec(name)?.[1] ?? [])
    const stats = await Promise.all(ids.map((id) => stat(this.#path(id))))
    const all = ids.map((id, index) => ({ id, sentAt: stats[index]?.mtime ?? new Date(0) }))
    const latest = all.sort((a, b) => b.sentAt.getTime() - a.sentAt.getTime())
    return Promise.all(
      latest.slice(0, MAXIMUM_MAILS).map(({ id, sentAt }) => this.#describe(id, sentAt)),
    )
  }

  async read(id: string): Promise<string | undefined> {
    if (!(await this.#names()).includes(`${id}.eml`)) return undefined
    return (await PostalMime.parse(await readFile(this.#path(id)))).html
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#folder)
    } catch (error) {
      if (isAbsent(error)) return []
      throw error
    }
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.eml`)
  }

  /** Parses only the header, because attachments are large. */
  async #describe(id: string, sentAt: Date): Promise<KeptMail> {
    const octets = await readFile(this.#path(id))
    const end = octets.indexOf(END_OF_HEADER)
    const header = end === -1 ? octets : octets.subarray(0, end + END_OF_HEADER.length)
    const { to = [], subject = '' } = await PostalMime.parse(header)
    return { id, to: to.map(textOf).join(', '), subject, sentAt: sentAt.toISOString() }
  }
}
