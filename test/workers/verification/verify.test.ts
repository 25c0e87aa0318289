/** The job `verify`: what it fetches for the sandbox, and what it adds to the report. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t from 'tap'
import { issuedKey, TRUSTED_LISTS_KEY } from '../../../domain/cases/keys.ts'
import type { ValidationReport } from '../../../domain/contract/validation-report.ts'
import { SandboxBusyError } from '../../../domain/ports/pdf-sandbox.ts'
import type { RevocationQuestion } from '../../../domain/ports/revocation.ts'
import {
  VERIFICATION_FAILED,
  verificationResultKey,
  verificationUploadKey,
  type VerificationResult,
  type VerificationTask,
} from '../../../domain/verification.ts'
import { encodeSnapshot, type TrustedListSnapshot } from '../../../trusted-lists/index.ts'
import { readTrustedList } from '../../../trusted-lists/read-list.ts'
import { readXml } from '../../../trusted-lists/xml.ts'
import { sweepVerifications } from '../../../workers/verification/sweep.ts'
import { verify } from '../../../workers/verification/verify.ts'
import { uploadResult } from '../../fixtures/alarms.ts'
import {
  identity,
  issuingCa,
  janka,
  published,
  revocationList,
  revocationLists,
  seal,
} from '../../fixtures/pki.ts'
import { listedCa, listText, type ServiceOptions } from '../../fixtures/trusted-lists.ts'
import { workerDeps } from '../../fixtures/worker.ts'
import { signerRequest, signSample } from '../../pades/validate/sample.ts'

const KEY = {
  verificationId: '0d9a3f5e-7c41-4b8e-9f26-51f0a2c7d318',
  requestId: '1d9a3f5e-7c41-4b8e-9f26-51f0a2c7d318',
}
const MINUTE_MS = 60_000
const PUBLISHED_AT = { crlUrl: 'http://pki.example/foreign.crl' }

interface WorldOptions {
  lists?: Uint8Array
  services?: readonly ServiceOptions[]
  answers?: readonly Uint8Array[]
}

async function setUp({ services, answers = [] }: WorldOptions = {}) {
  const base = await workerDeps()
  const asked: RevocationQuestion[][] = []
  const deps = {
    ...base,
    revocation: {
      ask: async (questions: readonly RevocationQuestion[]) => {
        asked.push([...questions])
        return { revocationLists: answers, ocspResponses: [] }
      },
    },
    ...(services && {
      trustedLists: { location: 'x', anchors: { certificates: [] }, read: async () => undefined },
    }),
  } as typeof base
  if (services) {
    const list = readTrustedList(readXml(listText({ services })))
    const header = { sequence: 7, issueDate: '2026-01-01T00:00:00Z', nextUpdate: '2026-02-01' }
    const snapshot = {
      snapshotVersion: 1,
      listOfLists: { header },
      lists: [{ territory: 'SK', services: list.services }],
    } as unknown as TrustedListSnapshot
    const text = new TextDecoder().decode(encodeSnapshot(snapshot))
    uploadResult(deps.objects, TRUSTED_LISTS_KEY, { text })
  }
  const run = async (
    pdf?: Uint8Array,
    format?: VerificationTask['format'],
  ): Promise<VerificationResult> => {
    if (pdf) deps.objects.upload(verificationUploadKey(KEY.verificationId), pdf)
    await deps.objects.delete(verificationResultKey(KEY))
    await verify({ ...KEY, untilMs: deps.now().getTime(), ...(format && { format }) }, deps)
    return deps.objects.json(verificationResultKey(KEY)) as VerificationResult
  }
  const report = async (pdf: Uint8Array): Promise<ValidationReport> => {
    const result = await run(pdf)
    if (!('report' in result)) throw new Error(JSON.stringify(result))
    return result.report
  }
  return { deps, asked, run, report }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const register = ({ deps }: Awaited<ReturnType<typeof setUp>>, pdf: Uint8Array) =>
  uploadResult(deps.objects, issuedKey(sha256(pdf)), {})

const own = await signSample()

t.test('a document under our own root passes without asking anybody', async (t) => {
  const world = await setUp()
  const { signatures, trustedLists } = await world.report(own)
  t.same(new Set(signatures.map(({ indication }) => indication)), new Set(['TOTAL_PASSED']))
  t.match(signatures[0]?.certificateChain.at(-1)?.trustAnchor, { source: 'service-root' })
  t.match(signatures[0]?.qualification, { level: 'NA' })
  t.same(world.asked, [])
  t.equal(trustedLists, undefined)
})

t.test('a result of another run is kept, and its change is published again', async (t) => {
  const { deps, run } = await setUp()
  await run(own)
  const before = await deps.objects.stat(verificationResultKey(KEY))
  await verify({ ...KEY, untilMs: deps.now().getTime() }, deps)
  t.equal((await deps.objects.stat(verificationResultKey(KEY)))?.generation, before?.generation)
  t.equal(deps.ephemeral.published.length, 2)
})

t.test('a request past its deadline is not validated', async (t) => {
  const { deps } = await setUp()
  deps.objects.upload(verificationUploadKey(KEY.verificationId), own)
  deps.sandbox.validate = async () => t.fail('it was validated') as never
  await verify({ ...KEY, untilMs: deps.now().getTime() - 2 * MINUTE_MS }, deps)
  t.notOk(await deps.objects.stat(verificationResultKey(KEY)))
})

t.test('what cannot be validated is a refusal', async (t) => {
  const { run } = await setUp()
  t.same(await run(), { refusal: 'DOCUMENT_NOT_FOUND' })
  t.same(await run(Buffer.from('hello')), { refusal: 'NOT_A_PDF' })
  t.same(await run(Buffer.from('%PDF-1.7\nnothing')), { refusal: 'UNREADABLE_DOCUMENT' })
  t.same(await run(new Uint8Array(26_214_401)), { refusal: 'DOCUMENT_TOO_LARGE' })
})

/** The file of a result; the test fails when the result is something else. */
function fileOf(result: VerificationResult): Buffer {
  if (!('file' in result)) throw new Error(JSON.stringify(result).slice(0, 200))
  t.notOk('report' in result, 'the report is in the file, and not stored twice')
  return Buffer.from(result.file, 'base64')
}

t.test('a task names the file to make: XML of TS 119 102-2, or a PDF', async (t) => {
  const world = await setUp()
  const xml = readXml(fileOf(await world.run(own, 'etsi')).toString())
  t.equal(xml.namespace, 'http://uri.etsi.org/19102/v1.2.1#')
  const text = fileOf(await world.run(own, 'etsi')).toString()
  t.equal(text.match(/mainindication:total-passed/g)?.length, 3)
  t.ok(text.includes(Buffer.from(janka.certificate).toString('base64')), 'with certificates')
  t.notMatch(text, /<(ds:)?Signature[ >]/, 'without a signature')
  const pdf = fileOf(await world.run(own, 'pdf'))
  t.equal(pdf.subarray(0, 5).toString(), '%PDF-')
  t.same(await world.run(Buffer.from('hello'), 'pdf'), { refusal: 'NOT_A_PDF' })
})

t.test('issuedByService: a registered revision and a valid signature of ours in it', async (t) => {
  const world = await setUp()
  t.equal((await world.report(own)).issuedByService, false, 'not registered')
  world.deps.objects.upload(issuedKey(sha256(own)), Buffer.from('{}'), 'application/json')
  t.equal((await world.report(own)).issuedByService, false, 'registered by somebody else')
  t.same(world.deps.alarm.names(), ['issued wrongMac'])
  register(world, own)
  const exact = await world.report(own)
  t.equal(exact.issuedByService, true)
  t.equal(exact.summary.remarks, undefined, 'the file is what was issued')
  const longer = await world.report(Buffer.concat([own, Buffer.from('\n% more\n')]))
  t.equal(longer.issuedByService, true, 'an earlier revision was issued')
  t.match(longer.summary.remarks, [{ code: 'BYTES_AFTER_LAST_REVISION', message: /nobody signed/ }])
  const signedAgain = await signSample(own, {
    signers: [signerRequest(janka, 'Janka', 100)],
    seal: { fieldName: 'Seal', name: 'Seal', credential: seal },
  })
  const later = await world.report(signedAgain)
  t.equal(later.issuedByService, true)
  t.match(later.summary.remarks, [{ code: 'ISSUED_EARLIER', message: /earlier state/ }])
  const broken = Buffer.from(own)
  broken[300] ^= 1
  register(world, broken)
  t.equal((await world.report(broken)).issuedByService, false, 'registered, and not valid')
})

const publishedSigners = {
  signers: [signerRequest(published.janka, 'Janka', 500)],
  seal: { fieldName: 'Seal', name: 'Seal', credential: published.seal },
}

t.test('revocation that the document lacks is asked for, of those who are trusted', async (t) => {
  const pdf = await signSample(undefined, publishedSigners)
  const silent = await setUp()
  t.match((await silent.report(pdf)).signatures, [
    { indication: 'INDETERMINATE', subIndication: 'TRY_LATER' },
    { indication: 'INDETERMINATE', subIndication: 'TRY_LATER' },
  ])
  t.equal(silent.asked.length, 1, 'once')
  t.equal(silent.asked[0]?.length, 2, 'the authority above is our own, whose lists we have')
  const world = await setUp({ answers: revocationLists })
  const { signatures } = await world.report(pdf)
  t.match(signatures, [{ indication: 'TOTAL_PASSED' }, { indication: 'TOTAL_PASSED' }])
  t.match(signatures[0]?.revocation, [{ status: 'good', type: 'CRL', origin: 'ONLINE' }])
})

t.test('an authority that hangs costs its time and not the report', async (t) => {
  const pdf = await signSample(undefined, publishedSigners)
  const { deps, run } = await setUp()
  deps.revocation.ask = () => {
    setImmediate(() => void deps.timers.moveTo(deps.timers.nowMs() + 60_000))
    return new Promise(() => {})
  }
  t.match(await run(pdf), { report: { signatures: [{ subIndication: 'TRY_LATER' }, {}] } })
})

const ca = await listedCa('Listed CA')
const listed = await identity({
  subject: { commonName: 'Listed signer' },
  issuer: ca,
  publishedAt: PUBLISHED_AT,
})
const foreign = await signSample(undefined, {
  signers: [],
  seal: { fieldName: 'Seal', name: 'Listed', credential: listed },
})
const SINCE = '2016-07-01T00:00:00Z'

t.test('addresses from authorities that are not trusted are not followed', async (t) => {
  const world = await setUp()
  t.match((await world.report(foreign)).signatures, [
    { indication: 'INDETERMINATE', subIndication: 'NO_CERTIFICATE_CHAIN_FOUND' },
  ])
  t.same(world.asked, [])
})

t.test('a service of the trusted lists is an anchor, and says what the signature is', async (t) => {
  const services = [{ certificates: [ca.certificate], since: SINCE }]
  const world = await setUp({ services, answers: [await revocationList(ca)] })
  const { signatures, trustedLists, issuedByService } = await world.report(foreign)
  t.match(signatures, [{ indication: 'TOTAL_PASSED' }])
  t.match(signatures[0]?.certificateChain.at(-1)?.trustAnchor, {
    source: 'EU-TL',
    country: 'SK',
    status: 'granted',
  })
  t.match(signatures[0]?.qualification?.level, /^AdES/)
  t.match(trustedLists, { sequence: 7, stale: true })
  t.equal(issuedByService, false)
  t.equal(world.asked.length, 1)
})

t.test('an issuer that the document lacks is fetched, and completes its path', async (t) => {
  const between = await identity({
    profile: 'issuing-ca',
    subject: { commonName: 'Between' },
    issuer: ca,
    publishedAt: PUBLISHED_AT,
  })
  const below = await identity({
    subject: { commonName: 'Below' },
    issuer: between,
    publishedAt: {
      crlUrl: 'http://pki.example/between.crl',
      issuerCertificateUrl: 'http://x.example',
    },
  })
  const seal = {
    fieldName: 'Seal',
    name: 'Below',
    credential: { ...below, certificates: [below.certificate] },
  }
  const pdf = await signSample(undefined, { signers: [], seal })
  const services = [{ certificates: [ca.certificate], since: SINCE }]
  const answers = [await revocationList(ca), await revocationList(between)]
  const world = await setUp({ services, answers })
  const { report } = world
  t.match((await report(pdf)).signatures, [{ subIndication: 'NO_CERTIFICATE_CHAIN_FOUND' }])
  const asked: Uint8Array[] = []
  world.deps.issuers = {
    async above(certificate) {
      asked.push(certificate)
      return [between.certificate]
    },
  }
  const { signatures } = await report(pdf)
  t.match(signatures, [{ indication: 'TOTAL_PASSED' }])
  t.match(signatures[0]?.certificateChain.at(-1)?.trustAnchor, { source: 'EU-TL' })
  t.same(asked, [Buffer.from(below.certificate)], 'once')
  world.deps.issuers = { above: async () => [issuingCa.certificate] }
  t.match((await report(pdf)).signatures, [{ subIndication: 'NO_CERTIFICATE_CHAIN_FOUND' }])
  world.deps.issuers = { above: () => new Promise(() => {}) }
  setImmediate(() => void world.deps.timers.moveTo(world.deps.timers.nowMs() + 60_000))
  t.match((await report(pdf)).signatures, [{ subIndication: 'NO_CERTIFICATE_CHAIN_FOUND' }])
})

t.test('a service is an anchor for the times at which it could be relied upon', async (t) => {
  const granted = { status: 'granted', since: SINCE }
  const withdrawn = (since: string) => [
    { certificates: [ca.certificate], status: 'withdrawn', since, history: [granted] },
  ]
  const answers = [await revocationList(ca)]
  const before = await setUp({ services: withdrawn('2026-05-01T00:00:00Z'), answers })
  t.match((await before.report(foreign)).signatures, [
    { indication: 'INDETERMINATE', subIndication: 'NO_CERTIFICATE_CHAIN_FOUND' },
  ])
  const after = await setUp({ services: withdrawn('2026-07-01T00:00:00Z'), answers })
  t.match((await after.report(foreign)).signatures, [{ indication: 'TOTAL_PASSED' }])
})

t.test('roots of time-stamp authorities are trusted for time-stamps alone', async (t) => {
  const world = await setUp({ answers: [await revocationList(ca)] })
  const { trustAnchors } = world.deps.timeStamps
  world.deps.timeStamps.trustAnchors = async () => [...(await trustAnchors()), ca.certificate]
  t.match((await world.report(foreign)).signatures, [
    { subIndication: 'NO_CERTIFICATE_CHAIN_FOUND' },
  ])
})

t.test('uploads and reports that were not used are swept after an hour', async (t) => {
  const { deps, run } = await setUp()
  await run(own)
  deps.objects.upload('other/upload.pdf', own)
  await sweepVerifications(deps)
  t.equal((await deps.objects.list('verifications/', { limit: 10 })).length, 2)
  await deps.timers.moveTo(deps.timers.nowMs() + 60 * 60 * 1000)
  await sweepVerifications(deps)
  t.same(await deps.objects.list('verifications/', { limit: 10 }), [])
  t.equal((await deps.objects.list('other/', { limit: 10 })).length, 1)
})

t.test('a waiting caller learns that it failed, and the failure is the job’s', async (t) => {
  const { deps, run } = await setUp()
  const sandbox = { ...deps.sandbox, validate: () => Promise.reject(new Error('no memory')) }
  deps.objects.upload(verificationUploadKey(KEY.verificationId), own)
  await t.rejects(verify({ ...KEY, untilMs: deps.now().getTime() }, { ...deps, sandbox }), {
    message: 'no memory',
  })
  t.same(deps.ephemeral.published, [VERIFICATION_FAILED])
  t.equal(await deps.objects.stat(verificationResultKey(KEY)), undefined, 'it can be tried again')
  t.ok('report' in (await run(own)))
})

t.test('a sandbox that takes too long says nothing of the document', async (t) => {
  const { deps, run } = await setUp()
  const busy = () => Promise.reject(new SandboxBusyError(1))
  const sandbox = { ...deps.sandbox, validate: busy }
  deps.objects.upload(verificationUploadKey(KEY.verificationId), own)
  await t.rejects(
    verify({ ...KEY, untilMs: deps.now().getTime() }, { ...deps, sandbox }),
    SandboxBusyError,
  )
  t.equal(await deps.objects.stat(verificationResultKey(KEY)), undefined, 'it can be tried again')
  t.ok('report' in (await run(own)))
})

t.test('when a later round takes too long, the round before it counts', async (t) => {
  const pdf = await signSample(undefined, publishedSigners)
  const { deps, report } = await setUp({ answers: revocationLists })
  const { validate } = deps.sandbox
  let rounds = 0
  deps.sandbox.validate = async (...all) => {
    rounds += 1
    if (rounds > 1) throw new SandboxBusyError(1)
    return validate(...all)
  }
  t.match((await report(pdf)).signatures, [{ subIndication: 'TRY_LATER' }, {}])
  t.equal(rounds, 2)
})
