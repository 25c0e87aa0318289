/** The newest entry of a trail that somebody saw, as specs and statuses name it. */
import { Type } from '@sinclair/typebox'
import { sha256 } from '../schema-parts.ts'

/** Schema of a `TrailHead`. */
export const trailHead = (description: string) =>
  Type.Object(
    {
      sequence: Type.Integer({ minimum: 0, description: 'Its place in the trail; 0 for none' }),
      hash: sha256('Its hash; 64 zeros for none'),
    },
    { description },
  )
