import t from 'tap'
import { HttpRevocationAuthorities } from '../../../adapters/tsa/revocation-authorities.ts'
import type { OutboundHttp, OutboundResult } from '../../../domain/ports/outbound-http.ts'
import * as pki from '../../fixtures/pki.ts'

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

t.test('what cannot be had is left out and told', async (t) => {
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
