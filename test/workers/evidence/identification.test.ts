import t from 'tap'
import { LANGUAGES } from '../../../domain/cases/definition.ts'
import { evidenceContent } from '../../../workers/evidence/build-evidence.ts'
import {
  EVIDENCE_TEXTS,
  type Identification,
  type Manner,
} from '../../../workers/evidence/texts.ts'
import { participant } from '../../fixtures/signature-case.ts'
import { evidenceInput, type SampleOptions } from './sample.ts'

const first = participant(1)
const second = participant(2)
const unnotified = participant(2, { notify: false })
const invitationOf = (participantId: string) => ({
  requestId: participantId,
  participantId,
  at: '2026-11-02T08:04:00.000Z',
  ip: '192.0.2.1',
})
const device = { deviceId: '9b2f7d1c-3c53-4a58-9f0e-2f4a1f6f0b11' }

/** What the evidence says of the case and of its participants, as keys of the texts. */
function statedIn(options: SampleOptions) {
  const { blocks } = evidenceContent(evidenceInput(options))
  const rows = blocks.flatMap((block) => (block.kind === 'keyValues' ? block.rows : []))
  const { manner, manners } = EVIDENCE_TEXTS.en.case
  const { identifiedBy, identification } = EVIDENCE_TEXTS.en.participants
  const keysOf = <K extends string>(label: string, texts: Readonly<Record<K, string>>) =>
    rows
      .filter((row) => row.label === label)
      .map(({ value }) => (Object.keys(texts) as K[]).find((key) => texts[key] === value))
  return { manner: keysOf(manner, manners)[0], how: keysOf(identifiedBy, identification) }
}

const cases: [string, SampleOptions, Manner, Identification[]][] = [
  ['invited by mail', {}, 'remote', ['mailedLink', 'mailedLink']],
  [
    'one link handed over by the tenant',
    { participants: [first, unnotified] },
    'remote',
    ['mailedLink', 'handedLink'],
  ],
  ['in person', { definition: { quickSign: true } }, 'inPerson', ['inPerson', 'inPerson']],
  [
    'in person, with a link mailed to one on request',
    { definition: { quickSign: true }, invitations: [invitationOf(second.id)] },
    'eitherWay',
    ['inPerson', 'mailedLink'],
  ],
  [
    'without the tenant present: a link mailed to each on request',
    {
      definition: { quickSign: true },
      invitations: [invitationOf(first.id), invitationOf(second.id)],
    },
    'remote',
    ['mailedLink', 'mailedLink'],
  ],
  [
    'an invitation that the mail server refused',
    { refused: [second.id] },
    'remote',
    ['mailedLink', 'unsentLink'],
  ],
  [
    'a requested invitation that the mail server refused',
    {
      definition: { quickSign: true },
      invitations: [invitationOf(second.id)],
      refused: [second.id],
    },
    'eitherWay',
    ['inPerson', 'unsentLink'],
  ],
  [
    'a kiosk beside the mailed links',
    { definition: { device } },
    'eitherWay',
    ['mailedLink', 'mailedLink'],
  ],
]

for (const [name, options, manner, how] of cases) {
  t.test(`the evidence states how people were identified: ${name}`, async (t) => {
    t.same(statedIn(options), { manner, how })
  })
}

t.test('a mail that went out after the signature identified nobody', async (t) => {
  const input = evidenceInput({ participants: [first] })
  const entries = input.trail.entries.map((entry) =>
    entry.type === 'participant.invited' ? { ...entry, sequence: 99 } : entry,
  )
  const { blocks } = evidenceContent({ ...input, trail: { ...input.trail, entries } })
  const shown = JSON.stringify(blocks)
  t.ok(
    LANGUAGES.some((it) =>
      shown.includes(EVIDENCE_TEXTS[it].participants.identification.unsentLink),
    ),
  )
})
