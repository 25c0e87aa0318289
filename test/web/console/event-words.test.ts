import t from 'tap'
import { eventDetails, eventTitle } from '../../../web/console/event-words.ts'
import { CONSOLE_ENGLISH } from '../../../web/texts/console-en.ts'
import { CONSOLE_SLOVAK } from '../../../web/texts/console-sk.ts'

type Event = Parameters<typeof eventTitle>[1]

const code = { factor: 'code', channel: 'EMAIL', destination: 'j***@e***.com' }
/** Events whose data have codes for programs. */
const CODED: readonly [Event, title: keyof typeof CONSOLE_ENGLISH | undefined][] = [
  [
    { type: 'participant.invited', data: { ...code, refused: 'recipient', answer: 550 } },
    'eventMailRefused',
  ],
  [
    { type: 'participant.invited', data: { ...code, reminder: 3, refused: 'recipient' } },
    'eventReminderRefused',
  ],
  [{ type: 'participant.invited', data: { ...code, reminder: 3 } }, 'eventReminder'],
  [{ type: 'participant.invited', data: code }, undefined],
  [
    { type: 'participant.otp_failed', data: { ...code, reason: 'not_sent', refused: 'sender' } },
    'eventCodeNotSent',
  ],
  [{ type: 'participant.otp_failed', data: { factor: 'pin' } }, 'eventWrongPin'],
  [{ type: 'participant.otp_failed', data: code }, undefined],
  [{ type: 'participant.certificate_revoked', data: { reason: 'superseded' } }, undefined],
  [{ type: 'participant.declined', data: { ...code, refused: 'recipient' } }, undefined],
]

t.test('the timeline says in words how an event ended, without codes', async (t) => {
  for (const texts of [CONSOLE_ENGLISH, CONSOLE_SLOVAK]) {
    for (const [event, title] of CODED) {
      const expected = title === undefined ? texts.events[event.type] : texts[title]
      t.equal(eventTitle(texts, event), expected)
      const shown = eventDetails(texts, event).map(({ text }) => text)
      t.notMatch(shown.join('\n'), /recipient|sender$|not_sent|superseded/m)
    }
  }
})

t.test('details are the destination, a reason that was written, and the address', async (t) => {
  const type = 'participant.declined' as const
  const data = { ...code, reason: 'Cena nesedí', refused: 'recipient' }
  t.same(eventDetails(CONSOLE_SLOVAK, { type, data, ip: '192.0.2.7' }), [
    { text: 'j***@e***.com' },
    { text: 'Cena nesedí' },
    { text: CONSOLE_SLOVAK.eventSenderNotNotified },
    { text: '192.0.2.7' },
  ])
  const failed = { type: 'case.failed', data: { reason: 'The document is damaged.' } } as const
  t.same(eventDetails(CONSOLE_SLOVAK, failed), [{ text: failed.data.reason, lang: 'en' }])
  t.same(eventDetails(CONSOLE_SLOVAK, { ...failed, data: {} }), [], 'a reason that was erased')
})

t.test('a reason of the service is shown in words of the page when it has a code', async (t) => {
  const { failures, rejections } = CONSOLE_SLOVAK
  const shown = (type: Event['type'], ending: Parameters<typeof eventDetails>[2]) =>
    eventDetails(CONSOLE_SLOVAK, { type, data: { reason: 'In English' } }, ending)
  const failed = shown('case.failed', { failureCode: 'DATA_MISSING' })
  t.same(failed, [{ text: failures.DATA_MISSING }])
  const rejected = shown('document.rejected', { rejectCode: 'TOO_LARGE' })
  t.same(rejected, [{ text: rejections.TOO_LARGE }])
})
