/** Certificates of issuers are fetched where certificates say, and only genuine ones are used. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { HttpIssuerCertificates } from '../../../adapters/tsa/issuer-certificates.ts'
import type { OutboundHttp, OutboundResult } from '../../../domain/ports/outbound-http.ts'
import { readCertificate } from '../../../pades/index.ts'
import {
  contextConstructed,
  objectIdentifier,
  sequence,
  setOf,
  integer,
} from '../../../pades/cms/der.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { identity, issuingCa, NOW, root } from '../../fixtures/pki.ts'

const MINUTE_MS = 60_000
const ISSUING = 'http://pki.example/issuing.cer'
const TOP = 'http://pki.example/root.cer'

const issuing = await identity({
  profile: 'issuing-ca',
  subject: { commonName: 'Issuing' },
  issuer: root,
  publishedAt: { issuerCertificateUrl: TOP },
})
const signer = await identity({
  subject: { commonName: 'Signer' },
  issuer: issuing,
  publishedAt: { issuerCertificateUrl: ISSUING },
})

const answered = (body: Uint8Array, status = 200): OutboundResult => ({
  outcome: 'answered',
  status,
  headers: {},
  body,
  truncated: false,
  durationMs: 1,
})

function world(bodies: Record<string, OutboundResult>) {
  const asked: string[] = []
  const failures: string[] = []
  let nowMs = NOW.getTime()
  const http: OutboundHttp = {
    async send({ url, method }) {
      asked.push(`${method} ${url}`)
      return bodies[url] ?? answered(new Uint8Array(), 404)
    },
    close: async () => {},
  }
  const issuers = new HttpIssuerCertificates({
    http,
    now: () => new Date(nowMs),
    onFailure: (url, reason) => failures.push(`${url} ${reason}`),
  })
  return {
    asked,
    failures,
    bodies,
    issuers,
    wait: (minutes: number) => (nowMs += minutes * MINUTE_MS),
  }
}

const PUBLISHED = { [ISSUING]: answered(issuing.certificate), [TOP]: answered(root.certificate) }

t.test('a path is completed up to its root, and each certificate is fetched once', async (t) => {
  const { issuers, asked, wait } = world({ ...PUBLISHED })
  t.same(await issuers.above(signer.certificate), [issuing.certificate, root.certificate])
  t.same(asked, [`GET ${ISSUING}`, `GET ${TOP}`])
  wait(23 * 60)
  await issuers.above(signer.certificate)
  t.equal(asked.length, 2)
  wait(2 * 60)
  await issuers.above(signer.certificate)
  t.equal(asked.length, 4)
})

t.test('a bag of certificates is read', async (t) => {
  const content = sequence(
    integer(1),
    setOf(),
    sequence(objectIdentifier(OID.data)),
    contextConstructed(0, Buffer.concat([root.certificate, issuing.certificate])),
    setOf(),
  )
  const bag = sequence(objectIdentifier(OID.signedData), contextConstructed(0, content))
  const { issuers } = world({ [ISSUING]: answered(bag) })
  t.same(await issuers.above(signer.certificate), [issuing.certificate])
})

t.test('what is not the issuer is left out, and not asked for again at once', async (t) => {
  const wrong: Record<string, OutboundResult> = {
    'not the certificate of the issuer': answered(issuingCa.certificate),
    'status 404': answered(new Uint8Array(), 404),
    timeout: { outcome: 'no-answer', reason: 'timeout', durationMs: 1 },
    'address-forbidden': { outcome: 'refused', reason: 'address-forbidden', durationMs: 1 },
  }
  for (const [reason, answer] of Object.entries(wrong)) {
    const { issuers, asked, failures, wait, bodies } = world({ [ISSUING]: answer })
    t.same(await issuers.above(signer.certificate), [])
    t.same(failures, [`${ISSUING} ${reason}`])
    bodies[ISSUING] = answered(issuing.certificate)
    t.same(await issuers.above(signer.certificate), [])
    t.equal(asked.length, 1)
    wait(11)
    t.same(await issuers.above(signer.certificate), [issuing.certificate])
  }
})

t.test('a stranger with the same address does not keep it from others', async (t) => {
  const stranger = await identity({
    subject: { commonName: 'Stranger' },
    issuer: issuingCa,
    publishedAt: { issuerCertificateUrl: ISSUING },
  })
  const { issuers } = world({ ...PUBLISHED })
  t.same(await issuers.above(stranger.certificate), [])
  t.equal((await issuers.above(signer.certificate)).length, 2)
  t.same(await issuers.above(stranger.certificate), [])
})

t.test('a certificate without addresses, and a root, cause no request', async (t) => {
  const { issuers, asked } = world({ ...PUBLISHED })
  t.same(await issuers.above(issuingCa.certificate), [])
  t.same(await issuers.above(root.certificate), [])
  t.same(asked, [])
  t.same(readCertificate(signer.certificate).issuerUrls, [ISSUING])
})
