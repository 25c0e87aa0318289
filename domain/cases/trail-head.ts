/** The newest entry of an audit trail, as spec and status record it. */
import { Type } from '@sinclair/typebox'
import { sha256 } from '../schema-parts.ts'

/** Schema of a `TrailHead`. */
export const trailHead = (description: string) =>
  Type.Object(
    {
      sequence: Type.Integer({
        minimum: 0,
        description: 'Sequence number of the entry; 0 for an empty trail',
      }),
      hash: sha256('Hash of the entry; 64 zeros for an empty trail'),
    },
    { description },
  )
