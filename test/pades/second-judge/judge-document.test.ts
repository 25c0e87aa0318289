/** The second judge confirms good paths, containers and revocation data, and no others. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t from 'tap'
import { readCertificate } from '../../../pades/cms/certificate-reader.ts'
import { signedDataTemplate } from '../../../pades/cms/signed-data.ts'
import { judgeDocument, type PathToJudge } from '../../../pades/second-judge/judge-document.ts'
import { judgePath } from '../../../pades/second-judge/path.ts'
import { EvidenceJudge } from '../../../pades/second-judge/revocation.ts'
import type { Evidence } from '../../../pades/second-judge/revocation.ts'
import { buildList } from '../../fixtures/numbered-lists.ts'
import * as pki from '../../fixtures/pki.ts'

const { janka, NOW, published, root } = pki
const DAY_MS = 24 * 3600 * 1000
const DOCUMENT = Buffer.from('what was signed')
const NOTHING: Evidence = { revocationLists: [], ocspResponses: [] }

const digestOf = (hash: string) => createHash(hash).update(DOCUMENT).digest()

async function contentsBy(who: pki.Identity, stamped: Uint8Array = Buffer.alloc(0)) {
  const template = signedDataTemplate(who)
  const attributes = template.signedAttributes(digestOf(template.hash))
  const value = await who.sign(attributes)
  const imprint = stamped.length > 0 ? stamped : value
  const token = await pki.stamp(createHash('sha256').update(imprint).digest())
  return Buffer.concat([template.encode(attributes, value, token), Buffer.alloc(500)])
}

/** What the second judge says of one signature. */
async function judge(contents: Uint8Array, path?: PathToJudge, evidence = NOTHING) {
  const container = { kind: 'signature' as const, contents, digestOf, path, timeStampPaths: [] }
  return (await judgeDocument([container], evidence))[0]
}

t.test('a signature with padding and its time-stamp are right', async (t) => {
  const judged = await judge(await contentsBy(janka))
  t.same(judged, { value: 'right', timeStamps: [{ value: 'right' }] })
})

t.test('a token for something else and a key of another are wrong', async (t) => {
  const { timeStamps } = (await judge(await contentsBy(janka, Buffer.from('other'))))!
  t.same(timeStamps, [{ value: 'wrong' }])
  const impostor = { ...janka, sign: pki.lubos.sign }
  t.equal((await judge(await contentsBy(impostor)))?.value, 'wrong')
})

t.test('what is not CMS cannot be judged', async (t) => {
  for (const contents of [Buffer.alloc(0), Buffer.from('text'), Buffer.from(janka.certificate)]) {
    t.same(await judge(contents), { value: 'unknown', timeStamps: [] })
  }
})

t.test('a path is right only within its time, complete, and below authorities', async (t) => {
  const { certificates } = janka
  t.equal(await judgePath(certificates, NOW), 'right')
  t.equal(await judgePath([root.certificate], NOW), 'right', 'an anchor itself')
  t.equal(await judgePath(certificates, new Date(NOW.getTime() + 2 * DAY_MS)), 'wrong', 'ended')
  t.equal(await judgePath(certificates.toSpliced(1, 1), NOW), 'wrong', 'without the issuer')
  const below = await pki.signer('Below a person', { issuer: janka })
  t.equal(await judgePath(below.certificates, NOW), 'wrong', 'a person is not an authority')
  t.equal(await judgePath([Buffer.from('text'), root.certificate], NOW), 'unknown')
})

t.test('revocation lists count until their next update, and when they are signed', async (t) => {
  const { certificates } = published.janka
  const checked = [true, true, false]
  const path = { certificates, at: NOW, checked }
  const contents = await contentsBy(published.janka)
  const lists = [await pki.revocationList(published.ca), await pki.revocationList(root)]
  const ask = (revocationLists: readonly Uint8Array[], at = NOW) =>
    judge(contents, { ...path, at }, { revocationLists, ocspResponses: [] })
  t.match(await ask(lists), { path: 'right', revocation: 'right' })
  t.match(await ask(lists.slice(0, 1)), { revocation: 'wrong' })
  const outdated = await pki.revocationList(published.ca, [], {
    nextUpdate: new Date(NOW.getTime() - 60_000),
  })
  t.match(await ask([outdated, lists[1] as Uint8Array]), { revocation: 'wrong' })
  const forged = await pki.revocationList({ ...published.ca, key: janka.key, sign: janka.sign })
  t.match(await ask([forged, lists[1] as Uint8Array]), { revocation: 'wrong' })
  const huge = [...lists.slice(1), Buffer.alloc(300_000)]
  t.match(await ask(huge), { revocation: 'unknown' }, 'a list that is too large is not judged')
})

t.test('what was not checked may not be revoked where our reader counts it', async (t) => {
  const { certificates } = published.janka
  const contents = await contentsBy(published.janka)
  const { serialNumber } = readCertificate(published.janka.certificate)
  const ask = async (days: number, acceptsUnchecked: boolean) => {
    const revokedAt = new Date(NOW.getTime() + days * DAY_MS)
    const list = await pki.revocationList(published.ca, [{ serialNumber, revokedAt }])
    const path = { certificates, at: NOW, checked: [false, false, false], acceptsUnchecked }
    return (await judge(contents, path, { revocationLists: [list], ocspResponses: [] }))?.revocation
  }
  t.equal(await ask(1, true), undefined, 'it was revoked later')
  t.equal(await ask(-1, true), 'wrong')
  t.equal(await ask(-1, false), undefined, 'our reader says it, too')
})

t.test('a delta list is not taken for a complete one', async (t) => {
  const [own, issuer] = janka.certificates as [Uint8Array, Uint8Array]
  const opinion = async (...lists: Parameters<typeof buildList>[0][]) => {
    const revocationLists = await Promise.all(lists.map(buildList))
    const evidence = new EvidenceJudge({ revocationLists, ocspResponses: [] })
    return evidence.judge({ certificate: own, issuer, at: NOW })
  }
  const delta = { number: 7, base: 5 }
  t.equal(await opinion(delta), 'unknown')
  t.equal(await opinion({ number: 5, until: -1 }, delta), 'unknown')
  t.equal(await opinion({ number: 5, until: -1 }), 'wrong')
  t.equal(await opinion({ number: 5 }, delta), 'right')
})
