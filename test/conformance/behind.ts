/** What a test does to objects behind the service's back, wherever they are. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openWholeKeyring } from '../../adapters/embedded/keyring.ts'
import { FileObjectStore } from '../../adapters/embedded/object-store.ts'
import { keyringFolder } from '../../runtime/embedded/paths.ts'
import type { Outside } from '../../dev/emulators/backends.ts'

const MAXIMUM_NAMES = 1_000

export interface Behind {
  /** Puts other octets in the place of an object. */
  replace(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** Nothing under the prefix can be written or read any more. */
  breakFolder(prefix: string): Promise<void>
  /** Names of the objects under a prefix. */
  names(prefix: string): Promise<string[]>
  /** Runs something while no kiosk can be notified. */
  whileKiosksAreDeaf<T>(run: () => Promise<T>): Promise<T>
}

/** @param folder the service's data directory */
export function behindFiles(folder: string): Behind {
  const objects = join(folder, 'objects')
  const keyring = openWholeKeyring(keyringFolder(folder))
  const store = new FileObjectStore({ folder: objects, baseUrl: 'http://127.0.0.1', keyring })
  return {
    async replace(key, bytes, contentType) {
      await store.replace(key, await store.receive([bytes], contentType))
    },
    /** Rows that refer to a file that does not exist, and a trigger that refuses further ones. */
    async breakFolder(prefix) {
      const database = new DatabaseSync(join(objects, 'objects.sqlite'), { timeout: 5_000 })
      const isInside = `substr(key, 1, ${prefix.length}) = '${prefix}'`
      database.exec(`
        UPDATE object SET bytes = NULL, file = 'large/missing' WHERE ${isInside};
        CREATE TRIGGER "broken ${prefix}" BEFORE INSERT ON object
          WHEN ${isInside.replace('key', 'NEW.key')}
          BEGIN SELECT RAISE(ABORT, 'broken'); END;`)
      database.close()
    },
    async names(prefix) {
      const found = await store.list(prefix, { limit: MAXIMUM_NAMES })
      return found.map(({ key }) => key.slice(key.lastIndexOf('/') + 1))
    },
    /** Another process, such as a backup, holds the lock of the devices. */
    async whileKiosksAreDeaf(run) {
      const devices = new DatabaseSync(join(folder, 'devices.sqlite'))
      devices.exec('BEGIN IMMEDIATE')
      try {
        return await run()
      } finally {
        devices.exec('ROLLBACK')
        devices.close()
      }
    },
  }
}

export function behindBucket({ storage }: Pick<Outside, 'storage'>, redisUrl: string): Behind {
  const { bucket, faults } = storage
  return {
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
    /** Redis takes no notification, as one does whose operator narrowed the rights of the user. */
    async whileKiosksAreDeaf(run) {
      const { createClient } = await import('redis')
      const redis = createClient({ url: redisUrl })
      await redis.connect()
      await redis.sendCommand(['ACL', 'SETUSER', 'default', '-publish'])
      try {
        return await run()
      } finally {
        await redis.sendCommand(['ACL', 'SETUSER', 'default', '+publish'])
        redis.destroy()
      }
    },
  }
}
