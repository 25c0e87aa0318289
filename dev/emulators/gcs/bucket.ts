/** Stores the objects of one bucket, with preconditions and checksums for each write. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { crc32cBase64 } from '../../../adapters/shared/crc32c.ts'

export interface EmulatedObject {
  name: string
  bytes: Buffer
  contentType: string
  crc32c: string
  md5Hash: string
  generation: string
  updated: Date
  metadata: Record<string, string>
}

export interface Write {
  name: string
  bytes: Buffer
  contentType: string
  metadata?: Record<string, string>
  crc32c?: string | undefined
  md5Hash?: string | undefined
  ifGenerationMatch?: string | undefined
}

/** Parts of the metadata of the JSON API that clients use. */
export function resourceOf(bucket: string, object: EmulatedObject) {
  const { name, bytes, contentType, crc32c, md5Hash, generation, updated, metadata } = object
  return {
    kind: 'storage#object',
    bucket,
    name,
    size: String(bytes.length),
    contentType,
    generation,
    metageneration: '1',
    updated: updated.toISOString(),
    timeCreated: updated.toISOString(),
    crc32c,
    md5Hash,
    metadata,
  }
}

/** Stores objects in memory; generations only increase, as in Cloud Storage. */
export class EmulatedBucket {
  readonly name: string
  lifecycle: unknown = undefined
  /** Notification configurations, as the JSON API lists them. */
  notifications: readonly object[] = []
  readonly #objects = new Map<string, EmulatedObject>()
  #lastGeneration = Date.now() * 1000

  readonly #nowMs: () => number

  constructor(name: string, nowMs: () => number = Date.now) {
    this.name = name
    this.#nowMs = nowMs
  }

  /** Writes an object. @returns the object, or the HTTP status of an error */
  write(write: Write): EmulatedObject | 400 | 412 {
    const { name, bytes, contentType, metadata = {}, ifGenerationMatch } = write
    const present = this.#objects.get(name)?.generation ?? '0'
    if (ifGenerationMatch !== undefined && ifGenerationMatch !== present) return 412
    const crc32c = crc32cBase64(bytes)
    if (write.crc32c !== undefined && write.crc32c !== crc32c) return 400
    const md5Hash = createHash('md5').update(bytes).digest('base64')
    if (write.md5Hash !== undefined && write.md5Hash !== md5Hash) return 400
    const generation = String((this.#lastGeneration += 1))
    const updated = new Date(this.#nowMs())
    const object = { name, bytes, contentType, crc32c, md5Hash, generation, updated, metadata }
    this.#objects.set(name, object)
    return object
  }

  /** @param generation required generation; absent: the newest, which is the only stored one */
  get(name: string, generation?: string | null): EmulatedObject | undefined {
    const object = this.#objects.get(name)
    return generation && object?.generation !== generation ? undefined : object
  }

  /** @returns false when the object does not exist */
  delete(name: string): boolean {
    return this.#objects.delete(name)
  }

  /** Lists objects in order of names, from `startOffset`. */
  list(prefix: string, startOffset: string): EmulatedObject[] {
    return [...this.#objects.values()]
      .filter(({ name }) => name.startsWith(prefix) && name >= startOffset)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Changes stored bytes without changing the checksum. */
  damage(name: string): void {
    const object = this.#objects.get(name)
    if (object) object.bytes = Buffer.concat([object.bytes.subarray(1), Buffer.from([0])])
  }
}
