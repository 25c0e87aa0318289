/** Versions of objects whose place contradicts itself. */
import t from 'tap'
import type { PdfDocument } from '../../../pades/pdf/document.ts'
import { ObjectVersions } from '../../../pades/syntax/versions.ts'

/** Object streams by the number of an object in them. */
type Containers = Readonly<Record<number, number>>

const NESTED: readonly Containers[] = [{ 5: 5 }, { 5: 6, 6: 5 }, { 5: 6, 6: 7 }]

/** A document with entries alone: each object lies in the object stream of the next. */
const nested = (containers: Containers) =>
  ({
    bytes: new Uint8Array(0),
    entryOf: (number: number) => {
      const container = containers[number]
      return container === undefined ? undefined : { kind: 'compressed', container, index: 0 }
    },
  }) as unknown as PdfDocument

t.test('an object stream within an object stream is a fault (ISO 32000-2, 7.5.7)', async (t) => {
  for (const containers of NESTED) {
    const state = nested(containers)
    const version = new ObjectVersions(state).versionIn(state, 5)
    t.match(version, { number: 5, fault: { code: 'OBJECT_STREAM_ODD' } })
  }
})
