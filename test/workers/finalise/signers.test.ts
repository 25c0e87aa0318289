/** What a participant stated, as the signing library is asked for it. */
import t from 'tap'
import { readDrawing } from '../../../pades/index.ts'
import { signerRequest } from '../../../workers/finalise/signers.ts'
import { participant, signature } from '../../fixtures/signature-case.ts'

const drawing = readDrawing('M0 0L90 4')
const rectangle = { page: 1, x: 0, y: 0, width: 90, height: 30, unit: 'pt' as const }
const credential = () => Promise.reject(new Error('not asked for'))

t.test('a place that the participant chose is framed, a predefined field is not', async (t) => {
  const one = participant(1)
  const isFramed = (places: object) => {
    const { fieldIds: _, ...fact } = signature(one)
    return signerRequest({ ...fact, ...places }, one, drawing, credential).appearance.isFramed
  }
  t.equal(isFramed({ rectangles: [rectangle] }), true)
  t.equal(isFramed({ fieldIds: ['f1'] }), false)
  t.equal(isFramed({ fieldIds: ['f1'], rectangles: [rectangle] }), false)
  t.equal(isFramed({}), false)
})
