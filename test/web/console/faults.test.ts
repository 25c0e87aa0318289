import t from 'tap'
import { faultText } from '../../../web/console/faults.ts'
import { CONSOLE_ENGLISH as texts } from '../../../web/texts/console-en.ts'

t.test('a refusal has its own words, and an unknown one is named', async (t) => {
  const refused = { kind: 'refused', httpStatus: 409 } as const
  t.equal(faultText(texts, { kind: 'unreachable' }), texts.faultUnreachable)
  t.equal(faultText(texts, { ...refused, code: 'ALREADY_SIGNED' }), texts.faultAlreadySigned)
  t.equal(faultText(texts, { ...refused, httpStatus: 429 }), texts.faultTooMany)
  t.equal(faultText(texts, { ...refused, httpStatus: 404 }), texts.faultNotFound)
  t.equal(faultText(texts, { ...refused, code: 'TIMEOUT' }), texts.faultTimeout)
  t.match(faultText(texts, { ...refused, code: 'INVALID_CURSOR' }), 'INVALID_CURSOR')
  t.match(faultText(texts, { ...refused, httpStatus: 500 }), '500')
})
