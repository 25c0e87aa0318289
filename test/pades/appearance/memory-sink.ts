/** Collects PDF objects in memory and reads them back, for tests. */
import { Buffer } from 'node:buffer'
import { inflateSync } from 'node:zlib'

import type { ObjectSink } from '../../../pades/appearance/object-sink.ts'

export class MemorySink implements ObjectSink {
  readonly objects: { source: string; stream?: Uint8Array }[] = []

  add(source: string, stream?: Uint8Array): number {
    return this.objects.push({ source, stream })
  }

  source(number: number): string {
    return this.objects[number - 1].source
  }

  /** The decoded stream of an object. */
  content(number: number): Buffer {
    const { source, stream } = this.objects[number - 1]
    if (!stream) throw new Error(`Object ${number} has no stream`)
    return source.includes('/FlateDecode') ? inflateSync(stream) : Buffer.from(stream)
  }

  /** The number that an entry of an object refers to. */
  reference(number: number, entry: string): number {
    return Number(new RegExp(`/${entry} \\[?(\\d+) 0 R`).exec(this.source(number))?.[1])
  }

  get sizeBytes(): number {
    return this.objects.reduce(
      (sum, { source, stream }) => sum + source.length + (stream?.length ?? 0),
      0,
    )
  }
}
