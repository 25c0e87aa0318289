/** Reads the mails back that `FileMailer` wrote. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Address, type Email } from 'postal-mime'
import type { KeptMail, Mailbox } from '../../domain/ports/mailbox.ts'
import { isAbsent } from './data-directory.ts'

const MAIL_FILE = /^([0-9a-f-]{36})\.eml$/
/** A list of more is no help to anybody. */
const MAXIMUM_MAILS = 200

const textOf = ({ name = '', address = '' }: Address) =>
  name === '' ? address : `${name} <${address}>`

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
    return (await this.#parse(id)).html
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#folder)
    } catch (error) {
      if (isAbsent(error)) return []
      throw error
    }
  }

  async #parse(id: string): Promise<Email> {
    return PostalMime.parse(await readFile(join(this.#folder, `${id}.eml`)))
  }

  async #describe(id: string): Promise<KeptMail> {
    const { mtime } = await stat(join(this.#folder, `${id}.eml`))
    const { to = [], subject = '' } = await this.#parse(id)
    return { id, to: to.map(textOf).join(', '), subject, sentAt: mtime.toISOString() }
  }
}
