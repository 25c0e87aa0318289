import t from 'tap'
import { INFOS } from '../../../pades/index.ts'
import { VALIDATION_REPORT } from '../../../domain/contract/report-example.ts'
import type { ValidationReport } from '../../../domain/contract/validation-report.ts'
import {
  alterationsOf,
  checksOf,
  isRevokedLater,
  isSeal,
  isTimeOfService,
  nameOf,
  signedRevision,
  timeOf,
  verdictOf,
  type DocumentTimeStamp,
  type SignatureReport,
} from '../../../web/verify/verdict.ts'

import { changeGroups } from '../../../web/verify/change-groups.ts'
import { qualificationVerdict, qualificationWords } from '../../../web/verify/qualification.ts'
import { infosOf, reasonsOf } from '../../../web/verify/reasons.ts'
import { ENGLISH } from '../../../web/texts/en.ts'

const [EXAMPLE] = VALIDATION_REPORT.signatures as [SignatureReport]
const JANA = { ...EXAMPLE.signer, subject: 'CN=Jana,GN=Jana,SN=Nová' } as SignatureReport['signer']
const SEAL = { ...EXAMPLE.signer, subject: 'CN=local seal,O=service' } as SignatureReport['signer']

/** One signature; each sits on the revision before it. */
const signature = (revision: number, more: Partial<SignatureReport> = {}): SignatureReport => ({
  ...EXAMPLE,
  id: `S-${revision}`,
  signer: JANA,
  integrity: { ...EXAMPLE.integrity, revision },
  ...more,
})

/** A report on signatures; the summary says what they say. */
function report(...signatures: SignatureReport[]): ValidationReport {
  const worst = (['TOTAL_FAILED', 'INDETERMINATE', 'TOTAL_PASSED'] as const).find((indication) =>
    signatures.some((one) => one.indication === indication),
  )
  const { summary } = VALIDATION_REPORT
  return {
    ...VALIDATION_REPORT,
    signatures,
    summary: { ...summary, ...(worst && { indication: worst }) },
  }
}

const change = (object: number, permitted = false) =>
  ({ object, path: '', action: 'changed', permitted }) as const
const altered = (...objects: number[]): Partial<SignatureReport> => ({
  indication: 'INDETERMINATE',
  subIndication: 'SIG_CONSTRAINTS_FAILURE',
  modifications: { level: 'OTHER', changes: [change(1, true), ...objects.map((n) => change(n))] },
})

t.test('a person who signs twice counts once, and a seal is not a person', async (t) => {
  const verdict = verdictOf(report(signature(1), signature(2), signature(3, { signer: SEAL })))
  t.match(verdict, { kind: 'genuine', isSealed: true, lastAt: EXAMPLE.bestSignatureTime })
  t.same(verdict.names, [EXAMPLE.signer?.commonName])
})

t.test('a name without a visible character falls back to the subject', async (t) => {
  const named = (commonName: string, subject = 'CN=,O=Acme') =>
    nameOf(signature(1, { signer: { ...JANA, commonName, subject } as SignatureReport['signer'] }))
  t.equal(named('Jana'), 'Jana')
  for (const empty of ['', ' ', '\u200b\u202e', '\u3164\ufe0f', '\u2800']) {
    t.equal(named(empty), 'CN=,O=Acme')
  }
  t.equal(named('', ''), undefined)
})

t.test('only who is known for an organisation seals', async (t) => {
  const stranger = { certificateChain: EXAMPLE.certificateChain.slice(0, 1) }
  t.equal(isSeal(signature(1, { signer: SEAL })), true)
  t.equal(isSeal(signature(1, { signer: SEAL, ...stranger })), false, 'not by a name')
  t.equal(isSeal(signature(1)), false)
  t.equal(isSeal(signature(1, { qualification: { level: 'QESeal' } })), true)
  t.equal(isSeal(signature(1, { signer: SEAL, qualification: { level: 'QESig' } })), false)
  const named = (subject: string) =>
    isSeal(signature(1, { signer: { ...SEAL, subject } as SignatureReport['signer'] }))
  t.equal(named('CN=Jana+GN=Jana+SN=Nová,O=Acme'), false, 'one relative name of a person')
  t.equal(named('O=Acme,SN=Nová+CN=Jana'), false)
  t.equal(named('O=Acme\\\\,GN=Jana'), false, 'an escaped backslash before the comma')
  t.equal(named('CN=Acme\\+GN=Jana,O=Acme'), true, 'a plus within the name of the seal')
  t.equal(named('CN=Acme\\\\\\,GN=Jana,O=Acme'), true)
})

t.test('the gravest finding is the sentence', async (t) => {
  const kind = (...signatures: SignatureReport[]) => verdictOf(report(...signatures)).kind
  const hashed = { indication: 'TOTAL_FAILED', subIndication: 'HASH_FAILURE' } as const
  const forged = { indication: 'TOTAL_FAILED', subIndication: 'SIG_CRYPTO_FAILURE' } as const
  const strange = {
    indication: 'INDETERMINATE',
    subIndication: 'NO_CERTIFICATE_CHAIN_FOUND',
  } as const
  const later = { indication: 'INDETERMINATE', subIndication: 'TRY_LATER' } as const
  t.equal(kind(), 'unsigned')
  t.equal(kind(signature(1, hashed), signature(2, forged)), 'changed')
  t.equal(kind(signature(1, forged), signature(2, strange)), 'invalid')
  t.equal(kind(signature(1, altered(5)), signature(2)), 'changed')
  const filled = altered(5).modifications as SignatureReport['modifications']
  const form = signature(1, { ...altered(5), modifications: { ...filled, level: 'FORM_FILLING' } })
  t.equal(kind(form), 'changed', 'a form that was filled in, where the policy forbids it')
  t.equal(kind(signature(1, strange), signature(2, strange)), 'untrusted')
  t.equal(kind(signature(1, strange), signature(2)), 'uncertain', 'one of them is known')
  t.equal(kind(signature(1, strange), signature(2, later)), 'uncertain')
  const damaged = report(signature(1, altered(5)))
  damaged.summary.documentModifiedAfterSigning = 'unknown'
  t.equal(verdictOf(damaged).kind, 'uncertain', 'nothing is claimed that cannot be determined')
  damaged.signatures = [signature(1)]
  t.equal(checksOf(signature(1), damaged).unchanged, 'unknown')
})

t.test('a time-stamp whose authority is unknown says nothing about who signed', async (t) => {
  const unknown = {
    ...signature(2),
    type: 'document',
    qualification: 'NA',
    indication: 'INDETERMINATE',
    subIndication: 'NO_CERTIFICATE_CHAIN_FOUND',
  } as const
  const stamped = report(signature(1))
  stamped.documentTimestamps = [unknown]
  stamped.summary.indication = 'INDETERMINATE'
  t.equal(verdictOf(stamped).kind, 'uncertain')
  t.equal(verdictOf({ ...stamped, signatures: [] }).kind, 'unsigned')
  const broken = { ...stamped.summary, indication: 'TOTAL_FAILED' as const }
  t.equal(verdictOf({ ...stamped, signatures: [], summary: broken }).kind, 'unsigned')
})

t.test('a change is reported with the last signature before it (V2)', async (t) => {
  const alterations = alterationsOf(report(signature(1, altered(5, 6)), signature(2, altered(6))))
  t.same(
    alterations.map(({ signature: { id }, changes }) => [id, changes.map(({ object }) => object)]),
    [
      ['S-1', [5]],
      ['S-2', [6]],
    ],
  )
  const inside = { ...EXAMPLE.integrity, digestMatch: false }
  const [first, ...others] = alterationsOf(
    report(signature(1), signature(2, { ...altered(7), integrity: { ...inside, revision: 2 } })),
  )
  t.match(first, { signature: { id: 'S-2' }, isInside: true, changes: [] })
  t.same(others, [])
})

t.test('what was added to a changed page is said, and what it was (V2)', async (t) => {
  const page = { ...change(5), page: 2, part: 'page' as const }
  const added = (object: number, on: number, part: 'note' | 'page') =>
    ({ object, path: '', action: 'added', permitted: true, page: on, part }) as const
  const content = [6, 7].map((n) => ({ ...change(n), page: 3, part: 'content' as const }))
  const changes = [page, added(8, 2, 'note'), added(9, 4, 'note'), added(10, 5, 'page')]
  const after = altered()
  const [alterations] = alterationsOf(
    report(
      signature(1, {
        ...after,
        modifications: { level: 'OTHER', changes: [...changes, ...content, change(11)] },
      }),
    ),
  )
  t.same(
    changeGroups(alterations?.changes ?? []).map(({ page: on, part, action, count }) => [
      on,
      part,
      action,
      count,
    ]),
    [
      [2, 'note', 'added', 1],
      [3, 'content', 'changed', 2],
      [5, 'page', 'added', 1],
      [undefined, undefined, 'changed', 1],
    ],
  )
})

t.test('the signed revision ends with the byte range', async (t) => {
  const file = new Blob(['%PDF signed%%EOF later'])
  const integrity = { ...EXAMPLE.integrity, byteRange: [0, 5, 8, 8] }
  const alteration = { signature: signature(1, { integrity }), isInside: false, changes: [] }
  t.equal(await signedRevision(file, alteration)?.text(), '%PDF signed%%EOF')
  t.equal(signedRevision(file, { ...alteration, isInside: true }), undefined)
  const long = signature(1, { integrity: { ...integrity, byteRange: [0, 5, 8, 80] } })
  t.equal(signedRevision(file, { ...alteration, signature: long }), undefined)
})

t.test('a signature is called qualified only when the trusted lists say so', async (t) => {
  const own = signature(1, { qualification: { level: 'NA' } })
  const qualified = signature(2, { qualification: { level: 'QESig' } })
  const [leaf] = EXAMPLE.certificateChain
  const stranger = signature(3, {
    qualification: { level: 'NA' },
    certificateChain: leaf ? [leaf] : [],
  })
  const said = (...all: SignatureReport[]) => qualificationVerdict(report(...all), ENGLISH)
  t.equal(said(own), ENGLISH.verdictNotQualified(1))
  t.equal(said(qualified), ENGLISH.verdictQualified(1))
  t.equal(said(own, qualified), ENGLISH.verdictPartlyQualified)
  t.equal(said(own, stranger), ENGLISH.verdictQualificationUnknown(2))
  t.match(said(own), /this is not a qualified electronic signature/)
  t.match(said(own, own), /these are not qualified electronic signatures/)
  t.equal(said(signature(1, { signer: SEAL })), undefined)
  t.equal(qualificationWords(own, ENGLISH), ENGLISH.notQualifiedSignature)
  t.equal(qualificationWords(stranger, ENGLISH), ENGLISH.qualificationUnknown)
  const indeterminate = signature(1, { qualification: { level: 'Indeterminate-QESig' } })
  t.match(qualificationWords(indeterminate, ENGLISH), /^Not established/)
})

t.test('a time is proven by a time-stamp, or claimed', async (t) => {
  const whole = report(signature(1))
  t.match(timeOf(signature(1), whole), { instant: EXAMPLE.bestSignatureTime, isProven: true })
  const { validationTime } = whole
  const claimed = signature(1, { bestSignatureTime: validationTime })
  t.match(timeOf(claimed, whole), { instant: EXAMPLE.claimedSigningTime, isProven: false })
  t.match(checksOf(claimed, whole), { unchanged: 'good', timeProven: 'unknown' })
})

t.test('a certificate that was revoked after the proven time was not revoked then', (t) => {
  const [own] = EXAMPLE.certificateChain
  const revokedAt = (at?: string): SignatureReport =>
    signature(1, {
      bestSignatureTime: '2026-05-01T10:00:00.000Z',
      revocation: [
        { certificateSha256: own?.sha256 ?? '', status: 'revoked', ...(at && { revokedAt: at }) },
      ],
    })
  const stateOf = (one: SignatureReport) => [
    checksOf(one, report(one)).notRevoked,
    isRevokedLater(one),
  ]
  t.same(stateOf(revokedAt('2026-05-01T10:00:00.001Z')), ['good', true])
  t.same(stateOf(revokedAt('2026-05-01T10:00:00.000Z')), ['bad', false])
  t.same(stateOf(revokedAt('2026-04-30T10:00:00.000Z')), ['bad', false])
  t.same(stateOf(revokedAt()), ['bad', false])
  t.same(stateOf(signature(1)), ['good', false])
  t.same(stateOf(signature(1, { revocation: [] })), ['unknown', false], 'nothing is published')
  t.end()
})

t.test('a time-stamp of the service is not called a proof', async (t) => {
  const [own] = EXAMPLE.timestamps as [SignatureReport['timestamps'][number]]
  const [certificate] = own.certificateChain as [(typeof own)['certificateChain'][number]]
  const listed = { ...certificate, trustAnchor: { source: 'EU-TL' as const } }
  const other = { ...own, certificateChain: [listed] }
  const isOwn = (...timestamps: (typeof own)[]) =>
    isTimeOfService(signature(1, { timestamps }), { documentTimestamps: [] })
  t.equal(isOwn(own), true)
  t.equal(isOwn(own, other), false)
  t.equal(isOwn(own, { ...other, indication: 'INDETERMINATE' }), true)
  t.equal(isOwn(), false, 'nothing is said of time-stamps that are not there')
  const isOwnWith = (revision: number) => {
    const { integrity } = signature(revision)
    const stamp = { ...other, type: 'document', integrity } as unknown as DocumentTimeStamp
    const documentTimestamps = [stamp]
    return isTimeOfService(signature(2, { timestamps: [own] }), { documentTimestamps })
  }
  t.equal(isOwnWith(1), true, 'a time-stamp before the signature says nothing of it')
  t.equal(isOwnWith(3), false)
})

t.test('a signature that failed is not said to be only unconfirmed', async (t) => {
  const errors = [{ key: 'SYNTAX_AMBIGUOUS', text: '' }] as SignatureReport['errors']
  const why = (more: Partial<SignatureReport>) =>
    reasonsOf({ ...EXAMPLE, errors, ...more } as SignatureReport, ENGLISH)
  const failed = { indication: 'TOTAL_FAILED', subIndication: 'HASH_FAILURE' } as const
  t.same(why(failed), [ENGLISH.whyHash])
  const open = { indication: 'INDETERMINATE', subIndication: 'SIG_CONSTRAINTS_FAILURE' } as const
  t.same(why(open), [ENGLISH.whyAmbiguous])
  const odd = [{ key: 'SIGNATURE_ODDLY_WRITTEN', text: '' }] as SignatureReport['errors']
  t.same(why({ ...open, errors: odd }), [ENGLISH.whyOddlyWritten])
})

t.test('everything that validation finds worth knowing has a sentence', async (t) => {
  const infos = Object.entries(INFOS).map(([key, text]) => ({ key, text }))
  const sentences = infosOf({ infos }, ENGLISH)
  t.equal(new Set(sentences).size, infos.length)
  t.same(infosOf({ infos: [{ key: 'UNKNOWN', text: '' }] }, ENGLISH), [])
})

t.test('a method that is not known is not called insecure', async (t) => {
  const doubted = (...keys: string[]) =>
    reasonsOf(
      {
        indication: 'INDETERMINATE',
        subIndication: 'CRYPTO_CONSTRAINTS_FAILURE',
        errors: keys.map((key) => ({ key, text: '' })),
      },
      ENGLISH,
    )
  t.same(doubted('SIGNATURE_ALGORITHM_UNKNOWN'), [ENGLISH.whyMethodUnknown])
  t.same(doubted('SIGNATURE_ALGORITHM_UNKNOWN', 'ALGORITHM_TOO_WEAK'), [ENGLISH.whyWeak])
})
