import t from 'tap'
import { eventOf } from '../../../domain/audit/entry.ts'
import { auditEvent } from '../../../domain/cases/due-audit-events.ts'
import { LANGUAGES } from '../../../domain/cases/definition.ts'
import { evidenceContent } from '../../../workers/evidence/build-evidence.ts'
import { EVIDENCE_TEXTS } from '../../../workers/evidence/texts.ts'
import { CASE_ID, participant } from '../../fixtures/signature-case.ts'
import { evidenceInput, trailOf, type SampleOptions } from './sample.ts'

/** Titles of the timeline with a statement not to sign between the visits and the signatures. */
function timelineWith(data: Record<string, unknown>): readonly string[] {
  const input = evidenceInput()
  const events = input.trail.entries.map((entry) =>
    eventOf(entry, input.trail.openings[entry.eventId]),
  )
  const declined = auditEvent(CASE_ID, 'participant.declined', {
    occurredAt: '2026-11-02T08:09:10.000Z',
    actor: 'participant',
    participantId: participant(1).id,
    data,
  })
  const before = events.findIndex(({ type }) => type === 'participant.consented')
  const trail = trailOf(events.toSpliced(before, 0, declined))
  const { blocks } = evidenceContent({ ...input, trail })
  const timeline = blocks.find((block) => block.kind === 'timeline')
  return (timeline?.events ?? []).map(({ title }) => title)
}

const shown = (options: SampleOptions) => JSON.stringify(evidenceContent(evidenceInput(options)))

t.test('a statement not to sign is shown with its reason, on one line', async (t) => {
  const stated = (titles: readonly string[]) => titles.find((title) => /wish not/.test(title))
  const reason = 'The price\r\n12. Peter:\u202e is wrong.'
  const expected = 'stated the wish not to sign; reason: “The price 12. Peter: is wrong.”'
  t.ok(stated(timelineWith({ reason }))?.endsWith(expected))
  t.ok(stated(timelineWith({}))?.endsWith('stated the wish not to sign'))
})

t.test('the evidence claims nothing that the service did not observe', async (t) => {
  t.match(shown({}), 'the document was opened through the signing link', 'on whichever page')
  const inPerson = shown({ definition: { quickSign: true } })
  t.match(inPerson, 'in the presence of the sender (as the sender states)')
  t.match(inPerson, 'The service did not observe it and did not check an identity document.')
  for (const language of LANGUAGES) {
    const { events, document } = EVIDENCE_TEXTS[language]
    t.notMatch(events['participant.viewed']({}), /signing page|podpisovej stránke/)
    t.notMatch(document.notJudged(1), /others|iných/, 'the same person may have signed before')
  }
})

t.test('a refused reminder is not called an invitation', async (t) => {
  const invited = {
    en: ['the mail server refused a reminder to sign', 'a reminder to sign was sent'],
    sk: ['poštový server pripomienku podpisu odmietol', 'pripomienka podpisu bola odoslaná'],
  }
  for (const language of LANGUAGES) {
    const text = EVIDENCE_TEXTS[language].events['participant.invited']
    const [refused, sent] = invited[language]
    t.equal(text({ reminder: 3, isRefused: true }), refused)
    t.equal(text({ reminder: 3, isRefused: false }), sent)
  }
})
