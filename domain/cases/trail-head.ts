/** The newest entry of a trail at some time, as recorded in specs and statuses. */
import { Type } from '@sinclair/typebox'
import { sha256 } from '../schema-parts.ts'

/** Schema of a `TrailHead`. */
export const trailHead = (description: string) =>
  Type.Object(
    {
      sequence: Type.Integer({
        minimum: 0,
        description: 'Sequence number of the entry; 0 for none',
      }),
      hash: sha256('Hash of the entry; 64 zeros for none'),
    },
    { description },
  )
