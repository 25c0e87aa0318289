import t from 'tap'
import { HttpRevocationAuthorities } from '../../../adapters/tsa/revocation-authorities.ts'
import type { OutboundHttp, OutboundResult } from '../../../domain/ports/outbound-http.ts'
import { goodAnswer } from '../../fixtures/ocsp.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import * as pki from '../../fixtures/pki.ts'
import {
  answerOf,
  authority,
  issueResponder,
  leaf,
  OCSP_URL,
  publishedInList,
  RESPONDERS_LIST_URL,
  respondersList,
  uses,
} from '../../fixtures/responder.ts'

const LISTS = {
  'http://pki.example/issuing.crl': pki.revocationLists[0] as Uint8Array,
  'http://pki.example/root.crl': pki.revocationLists[1] as Uint8Array,
}
const QUESTIONS = [
  { certificate: pki.published.authority.certificate, issuer: pki.published.ca.certificate },
  { certificate: pki.published.seal.certificate, issuer: pki.published.ca.certificate },
  { certificate: pki.published.ca.certificate, issuer: pki.root.certificate },
]

const answered = (body: Uint8Array, more = {}): OutboundResult => {
  return {
    outcome: 'answered',
    status: 200,
    headers: {},
    body,
    truncated: false,
    durationMs: 1,
    ...more,
  }
}

function world(answer: (url: string) => OutboundResult) {
  const asked: string[] = []
  const failures: string[] = []
  let nowMs = pki.NOW.getTime()
  const http: OutboundHttp = {
    async send({ url }) {
      asked.push(url)
      return answer(url)
    },
    close: async () => {},
  }
  const authorities = new HttpRevocationAuthorities({
    http,
    now: () => new Date(nowMs),
    onFailure: (url, reason) => failures.push(`${url} ${reason}`),
  })
  return { asked, failures, authorities, wait: (ms: number) => (nowMs += ms) }
}

const published = (url: string) => answered(LISTS[url as keyof typeof LISTS] ?? new Uint8Array())

t.test('lists are fetched from where certificates say, each once', async (t) => {
  const { authorities, asked } = world(published)
  const { revocationLists, ocspResponses } = await authorities.ask(QUESTIONS)
  t.same(revocationLists, Object.values(LISTS))
  t.same(ocspResponses, [])
  t.same(asked.sort(), Object.keys(LISTS).sort())
})

t.test('a list is kept for an hour', async (t) => {
  const { authorities, asked, wait } = world(published)
  await authorities.ask(QUESTIONS)
  asked.length = 0
  await authorities.ask(QUESTIONS)
  t.same(asked, [])
  wait(61 * 60 * 1000)
  await authorities.ask(QUESTIONS)
  t.ok(asked.length > 0)
})

t.test('what cannot be fetched is left out and reported', async (t) => {
  const bad: Record<string, OutboundResult> = {
    'status 404': answered(new Uint8Array(), { status: 404 }),
    timeout: { outcome: 'no-answer', reason: 'timeout', durationMs: 1 },
    'address-forbidden': { outcome: 'refused', reason: 'address-forbidden', durationMs: 1 },
    'not a revocation list': answered(new TextEncoder().encode('<html>')),
  }
  for (const [reason, answer] of Object.entries(bad)) {
    const { authorities, failures } = world(() => answer)
    const data = await authorities.ask(QUESTIONS.slice(0, 1))
    t.same(data, { revocationLists: [], ocspResponses: [] })
    t.same(failures, [`http://pki.example/issuing.crl ${reason}`])
  }
})

t.test('an authority without a list is asked by OCSP', async (t) => {
  const byOcsp = await pki.identity({
    profile: 'tsa',
    subject: { commonName: 'By OCSP' },
    issuer: pki.published.ca,
    publishedAt: { ocspUrl: 'http://ocsp.example/' },
  })
  const { authorities, asked, failures } = world(() => answered(Uint8Array.of(0x30, 0x00)))
  const question = { certificate: byOcsp.certificate, issuer: pki.published.ca.certificate }
  const data = await authorities.ask([question])
  t.same(asked, ['http://ocsp.example/'])
  t.same(data, { revocationLists: [], ocspResponses: [] })
  t.same(failures, ['http://ocsp.example/ not an OCSP response'])
})

const MINUTE_MS = 60_000
const byAnswers = await pki.identity({
  profile: 'tsa',
  subject: { commonName: 'By answers' },
  issuer: pki.published.ca,
  publishedAt: { ocspUrl: 'http://ocsp.example/' },
})
const QUESTION = { certificate: byAnswers.certificate, issuer: pki.published.ca.certificate }
const since = { thisUpdate: pki.NOW }
const until = (minutes: number) => ({
  ...since,
  nextUpdate: new Date(pki.NOW.getTime() + minutes * MINUTE_MS),
})

/** How often an authority is asked at the beginning, after nine, eleven and 61 minutes. */
async function askedWith(options: Parameters<typeof goodAnswer>[2]): Promise<number[]> {
  const answer = await goodAnswer(byAnswers.certificate, pki.published.ca, options)
  const { authorities, asked, wait } = world(() => answered(answer))
  const counts: number[] = []
  for (const minutes of [0, 9, 2, 50]) {
    wait(minutes * MINUTE_MS)
    await authorities.ask([QUESTION])
    counts.push(asked.length)
  }
  return counts
}

t.test('an OCSP answer is kept until its next update, for an hour at most', async (t) => {
  t.same(await askedWith(until(10)), [1, 1, 2, 3])
  t.same(await askedWith(until(600)), [1, 1, 1, 2])
})

t.test('an OCSP answer without a next update, or of somebody else, is not kept', async (t) => {
  t.same(await askedWith(since), [1, 2, 3, 4])
  t.same(await askedWith({ ...until(600), signer: pki.root }), [1, 2, 3, 4])
})

t.test('an OCSP answer is about one certificate', async (t) => {
  const answer = await goodAnswer(byAnswers.certificate, pki.published.ca, until(600))
  const { authorities, asked } = world(() => answered(answer))
  const other = await pki.identity({
    subject: { commonName: 'Another' },
    issuer: pki.published.ca,
    publishedAt: { ocspUrl: 'http://ocsp.example/' },
  })
  await authorities.ask([QUESTION, { ...QUESTION, certificate: other.certificate }])
  await authorities.ask([QUESTION, { ...QUESTION, certificate: other.certificate }])
  t.equal(asked.length, 3)
})

t.test('the list about a responder comes with its answer', async (t) => {
  const answer = await answerOf(await issueResponder([uses(OID.ocspSigning), publishedInList]))
  const list = await respondersList()
  const { authorities, asked } = world((url) => answered(url === OCSP_URL ? answer : list))
  const question = { certificate: leaf.der, issuer: authority.der }
  const expected = { revocationLists: [list], ocspResponses: [answer] }
  t.same(await authorities.ask([question]), expected)
  t.same(asked, [OCSP_URL, RESPONDERS_LIST_URL])
  t.same(await authorities.ask([question]), expected, 'both are kept')
  t.equal(asked.length, 2)
  const byAnother = await issueResponder([uses(OID.ocspSigning), publishedInList], 2)
  const forged = await answerOf(byAnother)
  const other = world(() => answered(forged))
  await other.authorities.ask([question])
  t.same(other.asked, [OCSP_URL], 'what somebody else has issued is not asked about')
})
