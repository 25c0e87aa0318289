import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t from 'tap'
import { HttpTimeStampAuthorities } from '../../../adapters/tsa/time-stamp-authorities.ts'
import type {
  OutboundHttp,
  OutboundRequest,
  OutboundResult,
} from '../../../domain/ports/outbound-http.ts'
import { readDer } from '../../../pades/cms/der-reader.ts'
import { readInteger, readOctetString } from '../../../pades/cms/der-values.ts'
import { encodeTimeStampResponse, issueTimeStampToken } from '../../../pades/index.ts'
import * as pki from '../../fixtures/pki.ts'

const DIGEST = createHash('sha256').update('a signature').digest()
const OTHER = createHash('sha256').update('another').digest()
const URLS = ['http://one.example/tsa', 'https://two.example/tsa', 'http://three.example/']

type Answer = (request: OutboundRequest) => Promise<OutboundResult> | OutboundResult

const answered = (body: Uint8Array, status = 200, truncated = false): OutboundResult => {
  return { outcome: 'answered', status, headers: {}, body, truncated, durationMs: 1 }
}
const NO_ANSWER: OutboundResult = { outcome: 'no-answer', reason: 'timeout', durationMs: 5_000 }

/** Nonce and imprint of a request. */
function read({ body }: OutboundRequest) {
  const [, imprint, ...rest] = readDer(body as Uint8Array).children
  const nonce = rest.find(({ tag }) => tag === 2)
  if (!imprint || !nonce) throw new Error('not a request')
  return { digest: readOctetString(imprint.child(1)), nonce: readInteger(nonce) }
}

interface Ways {
  digest?: Uint8Array
  nonce?: Uint8Array | undefined
  genTime?: Date
  policy?: string
  from?: pki.Identity
}

/** An authority that answers well, but for what is said. */
const authority =
  (ways: Ways = {}): Answer =>
  async (request) => {
    const asked = read(request)
    const { digest = asked.digest, genTime = pki.NOW, from = pki.timeStampAuthority } = ways
    const nonce = 'nonce' in ways ? ways.nonce : asked.nonce
    const token = await issueTimeStampToken({
      messageImprint: digest,
      hash: 'sha256',
      policy: ways.policy ?? pki.TEST_POLICY,
      serialNumber: pki.nextSerialNumber(),
      genTime,
      certificates: from.certificates,
      algorithm: from.algorithm,
      sign: from.sign,
      ...(nonce ? { nonce } : {}),
    })
    return answered(encodeTimeStampResponse(token))
  }

function world(answers: readonly Answer[], policy?: string) {
  const asked: OutboundRequest[] = []
  const http: OutboundHttp = {
    async send(request) {
      asked.push(request)
      const answer = answers[URLS.indexOf(request.url)]
      return answer ? answer(request) : NO_ANSWER
    },
    close: async () => {},
  }
  const { trustAnchors } = pki
  const options = { http, urls: URLS, trustAnchors, now: () => pki.NOW }
  const stamps = new HttpTimeStampAuthorities(
    policy === undefined ? options : { ...options, policy },
  )
  return { asked, stamps }
}

t.test('the first authority is asked, and its token is given', async (t) => {
  const { asked, stamps } = world([authority()])
  const token = await stamps.stamp(DIGEST)
  t.ok(Buffer.from(token).includes(DIGEST))
  t.same(
    asked.map(({ url }) => url),
    [URLS[0]],
  )
  t.match(asked[0], { method: 'POST', headers: { 'content-type': 'application/timestamp-query' } })
  t.same(await stamps.trustAnchors(), pki.trustAnchors)
})

t.test('no nonce is used twice', async (t) => {
  const { asked, stamps } = world([authority()])
  for (let n = 0; n < 20; n++) await stamps.stamp(DIGEST)
  t.equal(new Set(asked.map((one) => Buffer.from(read(one).nonce).toString('hex'))).size, 20)
})

const impostor = await pki.identity({ profile: 'root', subject: { commonName: 'Impostor' } })
const unfit = await pki.signer('No authority')
const ended = await pki.identity({
  profile: 'tsa',
  subject: { commonName: 'Ended' },
  issuer: pki.issuingCa,
  notBefore: new Date('2026-01-01Z'),
  notAfter: new Date('2026-02-01Z'),
})
const minutes = (count: number) => new Date(pki.NOW.getTime() + count * 60_000)

const BAD: Readonly<Record<string, Answer>> = {
  'no answer': () => NO_ANSWER,
  'a refusal of the guard': () => {
    return { outcome: 'refused', reason: 'address-forbidden', durationMs: 1 }
  },
  'another status': async (request) => {
    const answer = await authority()(request)
    return answer.outcome === 'answered' ? { ...answer, status: 500 } : answer
  },
  'an answer that was cut off': async (request) => {
    const answer = await authority()(request)
    return answer.outcome === 'answered' ? { ...answer, truncated: true } : answer
  },
  'a page of a portal': () => answered(new TextEncoder().encode('<html>log in</html>')),
  nothing: () => answered(new Uint8Array()),
  'a rejection': () => answered(Uint8Array.of(0x30, 0x05, 0x30, 0x03, 0x02, 0x01, 0x02)),
  'another imprint': authority({ digest: OTHER }),
  'no nonce': authority({ nonce: undefined }),
  'another nonce': authority({ nonce: Uint8Array.of(1, 2, 3) }),
  'a clock that is ahead': authority({ genTime: minutes(2) }),
  'a clock that is behind': authority({ genTime: minutes(-2) }),
  'a root that is not trusted': authority({ from: impostor }),
  'a certificate that is not for time-stamps': authority({ from: unfit }),
  'a certificate that has ended': authority({ from: ended }),
  'a signature that is wrong': authority({
    from: { ...pki.timeStampAuthority, sign: async () => pki.timeStampAuthority.sign(OTHER) },
  }),
}

for (const [name, answer] of Object.entries(BAD)) {
  t.test(`${name}: the next authority is asked`, async (t) => {
    const { asked, stamps } = world([answer, authority()])
    const token = await stamps.stamp(DIGEST)
    t.ok(Buffer.from(token).includes(DIGEST))
    t.same(
      asked.map(({ url }) => url),
      URLS.slice(0, 2),
    )
  })
}

t.test('a configured policy is requested and required', async (t) => {
  const other = '1.3.6.1.4.1.99999.1.2'
  const { asked, stamps } = world([authority({ policy: other }), authority()], pki.TEST_POLICY)
  await stamps.stamp(DIGEST)
  t.equal(asked.length, 2, 'another policy is not taken')
  t.ok(asked.every(({ body }) => readDer(body as Uint8Array).children.some(({ tag }) => tag === 6)))
})

t.test('clocks that differ a little are not a fault', async (t) => {
  for (const genTime of [new Date(pki.NOW.getTime() + 30_000), minutes(-0.5)]) {
    const { asked, stamps } = world([authority({ genTime })])
    await stamps.stamp(DIGEST)
    t.equal(asked.length, 1)
  }
})

t.test('when none gives a token it fails and says why of each', async (t) => {
  const { stamps } = world([() => NO_ANSWER, authority({ nonce: Uint8Array.of(9) })])
  await t.rejects(stamps.stamp(DIGEST), {
    message: /one\.example: timeout; two\.example: .*nonce; three\.example: timeout/,
  })
})
