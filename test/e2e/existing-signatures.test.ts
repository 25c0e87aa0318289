/** An upload with a broken signature: its tenant is notified, and it can be signed. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { openWorld, person } from '../conformance/world.ts'
import { signSample } from '../pades/validate/sample.ts'

t.setTimeout(600_000)

/** Beside the signatures of the sample. */
const PLACE = { id: 'f', page: 1, x: 60, y: 20, width: 120, height: 40, unit: 'pt' }

t.test('the case says which signatures of the upload are broken', async (t) => {
  const world = await openWorld(t)
  const signed = Buffer.from(await signSample())
  const broken = Buffer.from(signed)
  broken[300] ^= 1
  const accepted = async (pdf: Uint8Array) => {
    const created = await world.create({ participants: [person({ signatureFields: [PLACE] })] })
    await world.upload(created, pdf)
    return world.until('verdict', async () => {
      const seen = await world.get(created.case.id)
      return seen.status === 'NEW' ? undefined : seen
    })
  }
  const intact = await accepted(signed)
  t.equal(intact.status, 'IN_PROGRESS', intact.rejectReason)
  t.notOk('warnings' in intact.originalDocument)

  const { id, originalDocument, participants } = await accepted(broken)
  t.same(originalDocument.warnings, [
    { code: 'SIGNATURE_BROKEN', fieldName: 'Janka' },
    { code: 'SIGNATURE_BROKEN', fieldName: 'Lubos' },
    { code: 'SIGNATURE_BROKEN', fieldName: 'Seal' },
  ])
  const { text } = await world.asParticipant(participants[0], 'GET', 'caseDefinition')
  t.notMatch(text, 'SIGNATURE_BROKEN')
  t.equal((await world.sign(participants[0])).status, 200)
  const ended = await world.until('case to end', async () => {
    const seen = await world.get(id)
    return seen.status === 'IN_PROGRESS' ? undefined : seen
  })
  t.comment(`the case ended as ${ended.status}: ${ended.failureReason ?? ''}`)
  t.equal(ended.status, 'DONE')
})
