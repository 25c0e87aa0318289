/** Trusted lists from a folder of files, for machines without network access to them. */
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { MAXIMUM_TRUSTED_LIST_OCTETS } from '../../domain/limits.ts'
import type { TrustedListAnchors, TrustedListSource } from '../../domain/ports/trusted-lists.ts'

const LIST_OF_LISTS_FILE = 'eu-lotl.xml'
const LIST_OF_LISTS_TERRITORY = 'EU'

/** Matches `at.xml`, `tsl-at.xml`, `TSL-AT-2026.xml`, … */
const isOf = (territory: string, name: string) =>
  new RegExp(`^(tsl-|tl-)?${territory}([-_.].*)?\\.xml$`, 'i').test(name)

/**
 * Finds a file by the last segment of its URL. Otherwise, a national list is found by its
 * territory: `<territory>.xml` with an optional prefix `tl-` or `tsl-` and any suffix; of
 * several files, the last in alphabetical order is used.
 */
export class FileTrustedLists implements TrustedListSource {
  readonly location = LIST_OF_LISTS_FILE
  readonly anchors: TrustedListAnchors
  readonly #folder: string

  constructor(folder: string, anchors: TrustedListAnchors) {
    this.#folder = folder
    this.anchors = anchors
  }

  async read(list: { location: string; territory: string }): Promise<Uint8Array> {
    const { location, territory } = list
    const names = (await readdir(this.#folder)).sort()
    const last = location.slice(location.lastIndexOf('/') + 1)
    const exact = names.find((name) => name === last)
    const ofTerritory = territory === LIST_OF_LISTS_TERRITORY ? [] : names.filter(isFile(territory))
    const name = exact ?? ofTerritory.at(-1)
    if (name === undefined) throw new Error(`no file for ${location} found`)
    return readBounded(join(this.#folder, name))
  }
}

const isFile = (territory: string) => (name: string) =>
  /^[A-Z]{2}$/.test(territory) && isOf(territory, name)

async function readBounded(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > MAXIMUM_TRUSTED_LIST_OCTETS) throw new Error(`${path} is too large`)
    return new Uint8Array(await file.readFile())
  } finally {
    await file.close()
  }
}
