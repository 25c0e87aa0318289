/** What a test does to objects behind the service's back, wherever they are. */
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openWholeKeyring } from '../../adapters/embedded/keyring.ts'
import { FileObjectStore } from '../../adapters/embedded/object-store.ts'
import type { KeyringOf } from '../../domain/key-grants.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import { keyringFolder } from '../../embedded/paths.ts'
import type { Outside } from '../../tools/emulators/outside.ts'

export interface Behind {
  /** The store as the service has it. */
  objects: ObjectStore
  /** The keys of the service. */
  keyring: KeyringOf<'worker'>
  /** Puts other octets in the place of an object. */
  replace(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** Nothing under the prefix can be written or read any more. */
  breakFolder(prefix: string): Promise<void>
  /** Names of the objects under a prefix. */
  names(prefix: string): Promise<string[]>
}

/** @param folder the service's data directory */
export function behindFiles(folder: string): Behind {
  const objects = join(folder, 'objects')
  const keyring = openWholeKeyring(keyringFolder(folder))
  const store = new FileObjectStore({ folder: objects, baseUrl: 'http://127.0.0.1', keyring })
  return {
    objects: store,
    keyring,
    async replace(key, bytes, contentType) {
      await store.replace(key, await store.writeAside(key, [bytes], contentType))
    },
    async breakFolder(prefix) {
      await rm(join(objects, prefix), { recursive: true })
      await writeFile(join(objects, prefix).replace(/\/$/, ''), '')
    },
    async names(prefix) {
      const inside = { recursive: true, withFileTypes: true } as const
      const entries = await readdir(join(objects, prefix), inside)
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
    },
  }
}

export function behindBucket(
  { storage }: Pick<Outside, 'storage'>,
  objects: ObjectStore,
  keyring: KeyringOf<'worker'>,
): Behind {
  const { bucket, faults } = storage
  return {
    objects,
    keyring,
    async replace(name, bytes, contentType) {
      bucket.write({ name, bytes: Buffer.from(bytes), contentType })
    },
    async breakFolder(prefix) {
      const concerns = [prefix, encodeURIComponent(prefix)]
      faults.push({
        matches: ({ url, body }) =>
          concerns.some((name) => url.href.includes(name)) || body.includes(prefix),
        answer: { status: 503 },
        times: Number.MAX_SAFE_INTEGER,
      })
    },
    names: async (prefix) => bucket.list(prefix, '').map(({ name }) => name),
  }
}
