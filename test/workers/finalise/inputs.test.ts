import { createHash } from 'node:crypto'
import t from 'tap'
import { drawingKey } from '../../../domain/cases/keys.ts'
import { readShownDrawings } from '../../../workers/finalise/inputs.ts'
import { CASE_ID, participant, signature, TENANT } from '../../fixtures/signature-case.ts'

const key = { tenant: TENANT, caseId: CASE_ID }
const bytes = Buffer.from('M0 40 C20 0 40 0 60 40')
const sha256 = createHash('sha256').update(bytes).digest('hex')
const other = 'b'.repeat(64)
const missing = 'c'.repeat(64)

t.test('evidence shows the images that are still what was signed with', async (t) => {
  const accepted = [sha256, other, missing, sha256].map((digest, index) =>
    signature(participant(index + 1), {
      drawing: { sha256: digest, mediaType: 'image/svg+xml' },
    }),
  )
  const stored = new Map([
    [drawingKey(key, sha256), { bytes }],
    [drawingKey(key, other), { bytes }],
  ])
  const asked: string[] = []
  const objects = {
    get: async (place: string) => {
      asked.push(place)
      return stored.get(place)
    },
  }
  const drawings = await readShownDrawings({ key, accepted } as never, { objects } as never)
  t.strictSame([...drawings.keys()], [sha256], 'neither a changed one nor a missing one')
  t.equal(drawings.get(sha256)?.picture.kind, 'path')
  t.equal(asked.length, 3, 'each is read once')
})
