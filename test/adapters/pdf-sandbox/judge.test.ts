import { Buffer } from 'node:buffer'
import t from 'tap'
import { judge, ROOM_BYTES } from '../../../adapters/pdf-sandbox/judge.ts'
import { forgetRightValues } from '../../../pades/cms/verify-value.ts'
import { minimalPdf } from '../../fixtures/minimal-pdf.ts'

t.test('values that the parent has verified count as right', async (t) => {
  const roomy = Buffer.concat([minimalPdf(), Buffer.alloc(ROOM_BYTES)])
  const countAfter = async (rightValues: string[]) => {
    forgetRightValues()
    const request = { trustAnchors: [], validationTime: new Date(0), rightValues }
    const { outcome } = await judge({ kind: 'validate', request }, roomy)
    t.equal(outcome, 'validated')
    return forgetRightValues()
  }
  t.equal(await countAfter([]), 0)
  t.equal(await countAfter(['one', 'another']), 2)
})
