/**
 * Delta lists. Each case is an equivalent, made here, of the case of NIST PKITS (version 1.0.1)
 * with the number that its name begins with (4.15), or a case of our own.
 */
import t from 'tap'
import { readCertificate } from '../../../pades/cms/certificate-reader.ts'
import { RevocationEvidence } from '../../../pades/cms/revocation.ts'
import { EvidenceJudge } from '../../../pades/second-judge/revocation.ts'
import { buildList, type ListOptions } from '../../fixtures/numbered-lists.ts'
import { identity, issuingCa, janka, NOW, root } from '../../fixtures/pki.ts'

const certificate = readCertificate(janka.certificate)
const issuer = readCertificate(issuingCa.certificate)

const stranger = await identity({ subject: { commonName: 'Stranger' }, issuer: root })
const strangeDelta = { key: stranger.key, sign: stranger.sign }

interface Case {
  readonly name: string
  readonly lists: readonly ListOptions[]
  readonly status: 'good' | 'revoked' | 'stale' | 'unknown'
}

const complete = { number: 5 }
const delta = { number: 7, base: 5, from: -2 }
const hold = 'certificateHold'
const compromise = 'keyCompromise'

const CASES: readonly Case[] = [
  { name: '4.15.1 a delta list without a complete one', lists: [delta], status: 'unknown' },
  { name: '4.15.2 on neither list', lists: [complete, delta], status: 'good' },
  {
    name: '4.15.3 on the complete list',
    lists: [{ ...complete, reason: compromise }, delta],
    status: 'revoked',
  },
  {
    name: '4.15.4 on the delta list',
    lists: [complete, { ...delta, reason: compromise }],
    status: 'revoked',
  },
  {
    name: '4.15.5 on hold, and the delta list removes it',
    lists: [
      { ...complete, reason: hold },
      { ...delta, reason: 'removeFromCRL' },
    ],
    status: 'good',
  },
  {
    name: '4.15.6 on hold, and revoked on the delta list',
    lists: [
      { ...complete, reason: hold },
      { ...delta, reason: compromise },
    ],
    status: 'revoked',
  },
  {
    name: '4.15.7 only on the delta list, which removes it',
    lists: [complete, { ...delta, reason: 'removeFromCRL' }],
    status: 'good',
  },
  {
    name: '4.15.8 the complete list is newer than the base',
    lists: [{ number: 6 }, delta],
    status: 'good',
  },
  {
    name: '4.15.9 the complete list is newer than the base, revoked on the delta list',
    lists: [{ number: 6 }, { ...delta, reason: compromise }],
    status: 'revoked',
  },
  {
    name: '4.15.10 the complete list is outdated and older than the base',
    lists: [
      { number: 4, from: -9, until: -3 },
      { ...delta, reason: 'removeFromCRL' },
    ],
    status: 'stale',
  },
  {
    name: 'a delta list keeps an outdated complete list in use',
    lists: [{ ...complete, from: -9, until: -3 }, delta],
    status: 'good',
  },
  {
    name: 'only a certificate on hold can be removed',
    lists: [
      { ...complete, reason: compromise },
      { ...delta, reason: 'removeFromCRL' },
    ],
    status: 'revoked',
  },
  {
    name: 'of two delta lists the newer one counts',
    lists: [
      { ...complete, reason: hold },
      { ...delta, number: 9, reason: 'removeFromCRL' },
      { ...delta, reason: hold },
    ],
    status: 'good',
  },
  {
    name: 'what was revoked on an older delta list cannot be removed',
    lists: [
      { ...complete, reason: hold },
      { ...delta, number: 9, reason: 'removeFromCRL' },
      { ...delta, reason: compromise },
    ],
    status: 'revoked',
  },
  {
    name: 'revoked on a delta list whose base is not there',
    lists: [{ number: 4 }, { ...delta, reason: compromise }],
    status: 'revoked',
  },
  {
    name: 'revoked on a delta list alone',
    lists: [{ ...delta, reason: compromise }],
    status: 'revoked',
  },
  {
    name: 'on hold on a delta list alone',
    lists: [{ ...delta, reason: hold }],
    status: 'revoked',
  },
  {
    name: 'on hold on a delta list, and on no later complete one',
    lists: [
      { number: 8, from: -1 },
      { ...delta, reason: hold },
    ],
    status: 'good',
  },
  {
    name: 'revoked on a delta list of other certificates',
    lists: [{ number: 4 }, { ...delta, isForAuthorities: true, reason: compromise }],
    status: 'good',
  },
  {
    name: 'revoked on a delta list that another key signed',
    lists: [
      { number: 4 },
      { ...delta, reason: compromise, authority: { ...issuingCa, ...strangeDelta } },
    ],
    status: 'good',
  },
  {
    name: 'revoked on a delta list whose complete list another key signed',
    lists: [
      { number: 4 },
      { ...complete, authority: { ...issuingCa, ...strangeDelta } },
      { ...delta, reason: compromise },
    ],
    status: 'revoked',
  },
  {
    name: 'a delta list of another scope',
    lists: [
      { ...complete, from: -9, until: -3 },
      { ...delta, isForUsers: true },
    ],
    status: 'stale',
  },
  {
    name: 'a delta list that another key signed',
    lists: [
      { ...complete, from: -9, until: -3 },
      { ...delta, authority: { ...issuingCa, ...strangeDelta } },
    ],
    status: 'stale',
  },
  {
    name: 'a delta list from after the validation',
    lists: [
      { ...complete, reason: hold },
      { ...delta, from: 5, reason: 'removeFromCRL' },
    ],
    status: 'revoked',
  },
]

for (const { name, lists, status } of CASES) {
  t.test(name, async (t) => {
    const revocationLists = await Promise.all(lists.map(buildList))
    for (const ordered of [revocationLists, revocationLists.toReversed()]) {
      const data = { revocationLists: ordered, ocspResponses: [] }
      t.equal(new RevocationEvidence(data, NOW).statusOf(certificate, issuer, NOW).status, status)
      const question = { certificate: certificate.der, issuer: issuer.der, at: NOW }
      const second = await new EvidenceJudge({ ...data, until: NOW }).judge(question)
      t.notSame([status, second], ['good', 'wrong'], 'the judges do not contradict each other')
      t.notSame([status, second], ['revoked', 'right'], 'nor the other way round')
    }
  })
}
