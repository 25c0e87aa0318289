import t from 'tap'
import { inputFaults, remainingFaults } from '../../../web/console/input-faults.ts'
import { CONSOLE_ENGLISH as texts } from '../../../web/texts/console-en.ts'

const rule = (instancePath: string, keyword: string, params: Record<string, unknown> = {}) => ({
  instancePath,
  keyword,
  params,
  message: 'must be so',
})

t.test('each rule is about one field, and the first rule of a field counts', async (t) => {
  const faults = [
    rule('/title', 'minLength'),
    rule('/title', 'visibleText'),
    rule('/participants/1', 'required', { missingProperty: 'email' }),
    rule('/participants/0/signatureFields/2/x', 'insidePage'),
    rule('/validUntil', 'future'),
    rule('', 'placesForAll'),
  ]
  t.same(inputFaults(texts, faults), {
    '/title': texts.ruleRequired,
    '/participants/1/email': texts.ruleRequired,
    '/participants/0/signatureFields': texts.ruleInside,
    '/validUntil': texts.ruleFuture,
    '': texts.ruleOther('must be so'),
  })
})

t.test('a value that was corrected is not called wrong any more', async (t) => {
  const faults = {
    '/title': texts.ruleRequired,
    '/participants/0/email': texts.ruleFormat,
    '/participants/1/email': texts.ruleRequired,
    '/sender/replyTo': texts.ruleFormat,
  }
  const people = [{ email: 'nobody' }, { email: '' }]
  const sent = { title: '', participants: people, sender: { replyTo: 'x' } }
  t.same(remainingFaults(faults, sent, sent), faults, 'all of them as long as nothing changes')
  const entered = { title: 'Lease', participants: [{ email: 'jana@example.com' }, { email: '' }] }
  t.same(
    remainingFaults(faults, sent, entered),
    { '/participants/1/email': texts.ruleRequired },
    'what is still missing stays, and what is optional may be left out',
  )
})
