/** Replaces files of one folder; those that come together share its synchronisation. */
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { nameAside, removeAsides, syncFolder, writeAside } from './data-directory.ts'

/** A file that is to be written. */
interface NewFile {
  name: string
  /** Makes its content. */
  make(): Promise<Uint8Array>
  /** Answers the caller; a promise is the answer once it is settled. */
  resolve(written: Promise<void>): void
}

/** Files of one turn of the event loop, or that come while others are written, are one group. */
export class FolderWriter {
  readonly #folder: string
  readonly #synchronise: (folder: string) => Promise<void>
  #waiting: NewFile[] = []
  #isWriting = false

  /** @param synchronise makes the entries of the folder durable; another one in tests */
  constructor(folder: string, synchronise = syncFolder) {
    this.#folder = folder
    this.#synchronise = synchronise
  }

  /**
   * Replaces a file atomically and durably. Of two with one name in a group, either one remains.
   *
   * @param name of the file in the folder
   * @param make makes its content; the group waits for it
   * @throws Error of `make`, or when the file cannot be written or the folder not synchronised
   */
  replace(name: string, make: () => Promise<Uint8Array>): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ name, make, resolve })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  /** Removes unfinished files of a killed process; call it only while nothing is being written. */
  async sweep(): Promise<void> {
    await removeAsides(this.#folder)
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    await nextTurn()
    while (this.#waiting.length > 0) await this.#writeGroup(this.#waiting.splice(0))
    this.#isWriting = false
  }

  /** A file that cannot be written does not keep back the others. */
  async #writeGroup(group: readonly NewFile[]): Promise<void> {
    const renamed = group.map((file) => this.#write(file))
    const synchronised = Promise.allSettled(renamed).then(() => this.#synchronise(this.#folder))
    for (const [index, { resolve }] of group.entries()) {
      resolve((renamed[index] as Promise<void>).then(() => synchronised))
    }
    // Each caller gets its own error.
    await synchronised.catch(() => undefined)
  }

  async #write({ name, make }: NewFile): Promise<void> {
    const aside = await writeAside(this.#folder, [await make()])
    await nameAside(aside, join(this.#folder, name))
  }
}
