import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import t from 'tap'
import { replaceIssuingCa } from '../../../adapters/embedded/key-files.ts'
import { makeMissingKeySets } from '../../../adapters/embedded/key-sets.ts'
import { openWholeKeyring } from '../../../adapters/embedded/keyring.ts'
import { LocalTimeStampAuthority } from '../../../adapters/tsa/local-time-stamp-authority.ts'
import { SoftwareKeys } from '../../../adapters/embedded/software-keys.ts'
import {
  AUTHORITIES_KEY,
  PUBLISHED_TYPES,
  publishedFile,
  publishedKey,
  revocationKey,
} from '../../../domain/pki.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { CLOCK_TOLERANCE_MS, REVOCATION_LIST_LIFE_MS } from '../../../domain/limits.ts'
import { generateKey, issueRevocationList, readRevocationList } from '../../../pades/index.ts'
import { outcomeKey } from '../../../domain/cases/keys.ts'
import { makeRevocationList } from '../../../workers/crl.ts'
import { finalise } from '../../../workers/finalise/finalise.ts'
import { ownSignatures } from '../../../workers/finalise/own-output.ts'
import { ownAuthorities } from '../../../workers/pki/authorities.ts'
import { currentRevocationList } from '../../../workers/pki/revocation-list.ts'
import { uploadResult } from '../../fixtures/alarms.ts'
import { CASE_KEY } from '../../fixtures/signature-case.ts'
import { signedByAll } from '../../fixtures/signed-by-all.ts'
import { workerDeps, type TestWorkerDeps } from '../../fixtures/worker.ts'

const bytesAt = ({ objects }: TestWorkerDeps, key: string) =>
  objects.objects.get(key)?.bytes as Uint8Array
const listAt = (deps: TestWorkerDeps, file: string) =>
  readRevocationList(bytesAt(deps, publishedKey(file)))

async function revoke(deps: TestWorkerDeps, serial: string, notAfter: Date): Promise<void> {
  const [{ issuing }] = await ownAuthorities(deps.signingDevice)
  const now = deps.now().toISOString()
  const record = {
    issuerKeyId: issuing.keyId,
    revokedAt: now,
    reason: 'cessationOfOperation',
    notAfter: notAfter.toISOString(),
    recordedAt: now,
  }
  uploadResult(deps.objects, revocationKey(serial), record)
}

t.test('a revocation that no worker wrote revokes nothing', async (t) => {
  const deps = await workerDeps()
  const [{ issuing }] = await ownAuthorities(deps.signingDevice)
  const at = deps.now().toISOString()
  const record = { issuerKeyId: issuing.keyId, revokedAt: at, notAfter: '2030-01-01T00:00:00Z' }
  const planted = encodeJson({ ...record, reason: 'keyCompromise', recordedAt: at })
  deps.objects.upload(revocationKey('4aff'), planted, 'application/json')
  await revoke(deps, '4bff', new Date('2030-01-01T00:00:00Z'))
  deps.objects.upload(revocationKey('4cff'), bytesAt(deps, revocationKey('4bff')))
  await makeRevocationList(deps)
  const list = listAt(deps, 'issuing.crl')
  t.ok(list.revocationOf(Buffer.from('4bff', 'hex')))
  t.notOk(list.revocationOf(Buffer.from('4aff', 'hex')))
  t.notOk(list.revocationOf(Buffer.from('4cff', 'hex')), 'a record of another certificate')
  t.same(deps.alarm.names(), ['revocation wrongMac'])
})

t.test('a certificate stays revoked when the key of its record is retired', async (t) => {
  const deps = await workerDeps()
  const revoked = Buffer.from('4bff', 'hex')
  await revoke(deps, '4bff', new Date('2030-01-01T00:00:00Z'))
  await makeRevocationList(deps)
  const before = listAt(deps, 'issuing.crl').revocationOf(revoked)
  t.ok(before)
  // Another process, which has not read the records yet, with a keyring without the old key.
  const folder = t.testdir()
  makeMissingKeySets(folder)
  const objects = {
    get: deps.objects.get.bind(deps.objects),
    list: deps.objects.list.bind(deps.objects),
    putIfAbsent: deps.objects.putIfAbsent.bind(deps.objects),
    compareAndSwap: deps.objects.compareAndSwap.bind(deps.objects),
  } as unknown as TestWorkerDeps['objects']
  await makeRevocationList({ ...deps, objects, keyring: openWholeKeyring(folder) })
  t.same(listAt(deps, 'issuing.crl').revocationOf(revoked), before)
  t.match(deps.alarm.raised, [{ object: 'revocation', fault: 'unknownKey' }])
})

t.test('a list that the service did not make is replaced, with an alarm', async (t) => {
  const deps = await workerDeps()
  await makeRevocationList(deps)
  const own = bytesAt(deps, publishedKey('issuing.crl'))
  const [{ issuing }] = await ownAuthorities(deps.signingDevice)
  const files = ['issuing.crl', publishedFile('issuing', 'crl', issuing.keyId)]
  const stranger = generateKey()
  const foreign = await issueRevocationList(
    {
      issuer: issuing.certificate.der,
      algorithm: stranger.algorithm,
      number: 2 ** 40,
      thisUpdate: new Date('2036-01-01T00:00:00Z'),
      nextUpdate: new Date('2037-01-01T00:00:00Z'),
      revoked: [],
    },
    (data) => stranger.sign(data),
  )
  const changed = Uint8Array.from(own)
  changed[changed.length - 1]! ^= 1
  for (const [planted, fault] of [
    [new Uint8Array(3), 'unreadable'],
    [foreign, 'wrongSignature'],
    [changed, 'wrongSignature'],
  ] as const) {
    for (const file of files) {
      deps.objects.upload(publishedKey(file), planted, PUBLISHED_TYPES.crl)
      const before = deps.alarm.raised.length
      const list = await currentRevocationList(
        (await ownAuthorities(deps.signingDevice))[0],
        deps,
        60_000,
      )
      t.notSame(list, planted, fault)
      await makeRevocationList(deps)
      t.notSame(bytesAt(deps, publishedKey(file)), planted, `${fault} ${file}`)
      t.match(deps.alarm.raised.slice(before), [{ object: 'revocation-list', fault }])
    }
  }
})

t.test('lists follow each other: numbers grow, dates too', async (t) => {
  const deps = await workerDeps()
  await makeRevocationList(deps)
  const first = listAt(deps, 'issuing.crl')
  await deps.timers.moveTo(deps.now().getTime() + 1000)
  await makeRevocationList(deps)
  const second = listAt(deps, 'issuing.crl')
  t.ok(Buffer.compare(second.number ?? new Uint8Array(), first.number ?? new Uint8Array()) > 0)
  t.ok(second.thisUpdate > first.thisUpdate)
})

t.test('a list of a worker whose clock was ahead is replaced at once', async (t) => {
  const deps = await workerDeps()
  const [authorities] = await ownAuthorities(deps.signingDevice)
  const startMs = deps.now().getTime()
  const ahead = { ...deps, now: () => new Date(startMs + 60 * 60 * 1000) }
  await makeRevocationList(ahead)
  const early = listAt(deps, 'issuing.crl')
  await revoke(deps, '4aff', new Date('2030-01-01T00:00:00Z'))
  const embedded = await currentRevocationList(authorities, deps, 8 * 60 * 1000)
  t.ok(readRevocationList(embedded).thisUpdate <= deps.now(), 'signing can use it')
  await makeRevocationList(deps)
  const published = listAt(deps, 'issuing.crl')
  t.ok(published.thisUpdate <= deps.now(), 'everyone can use it')
  t.ok(Buffer.compare(published.number ?? new Uint8Array(), early.number ?? new Uint8Array()) > 0)
  t.ok(published.revocationOf(Uint8Array.of(0x4a, 0xff)), 'the revocation is public')
})

t.test('a certificate stays in the list until some time after its end', async (t) => {
  const deps = await workerDeps()
  const end = new Date(deps.now().getTime() + 60_000)
  await revoke(deps, '4aff', end)
  await makeRevocationList(deps)
  const serial = Uint8Array.of(0x4a, 0xff)
  t.match(listAt(deps, 'issuing.crl').revocationOf(serial), { reason: 'cessationOfOperation' })
  await deps.timers.moveTo(end.getTime() + REVOCATION_LIST_LIFE_MS + CLOCK_TOLERANCE_MS)
  await makeRevocationList(deps)
  t.equal(listAt(deps, 'issuing.crl').revocationOf(serial), undefined)
})

t.test('many processes make a list at one time: one follows the other', async (t) => {
  const deps = await workerDeps()
  await Promise.all(Array.from({ length: 10 }, () => makeRevocationList(deps)))
  t.ok(listAt(deps, 'issuing.crl').nextUpdate)
})

t.test(
  'an issuing CA is replaced between two documents: both validate, both have a list',
  async (t) => {
    const folder = join(t.testdir(), 'keys')
    const w = await signedByAll()
    const { deps } = w
    const making = { now: new Date('2026-11-02T08:00:00Z'), baseUrl: deps.baseUrl }
    deps.signingDevice = await SoftwareKeys.open(folder, making.now, making.baseUrl)
    deps.timeStamps = new LocalTimeStampAuthority(deps.signingDevice, deps.now)
    await finalise(CASE_KEY, deps)
    const before = bytesAt(deps, outcomeKey(CASE_KEY))
    await revoke(deps, '4aff', new Date(deps.now().getTime() + 60_000))
    // The clock of this worker is ahead, so that its list has a higher number than the next ones.
    const aheadMs = deps.now().getTime() + 60 * 60 * 1000
    await makeRevocationList({ ...deps, now: () => new Date(aheadMs) })

    await replaceIssuingCa(folder, making)
    await makeRevocationList(deps)
    t.same(deps.alarm.raised, [], 'lists of the former authorities are replaced as such')
    const next = await signedByAll()
    const { timers, now, ...stores } = next.deps
    const { signingDevice, timeStamps } = deps
    const after = { ...stores, timers, now, signingDevice, timeStamps, objects: next.deps.objects }
    await finalise(CASE_KEY, after)

    for (const pdf of [before, bytesAt(after, outcomeKey(CASE_KEY))]) {
      const { signatures } = await ownSignatures(pdf, w.document.length, deps)
      t.equal(signatures.length, 3)
      t.ok(signatures.every(({ level }) => level === 'PAdES-BASELINE-LTA'))
    }
    const [present, former] = await ownAuthorities(deps.signingDevice)
    const serial = Uint8Array.of(0x4a, 0xff)
    t.equal(listAt(deps, 'issuing.crl').revocationOf(serial), undefined)
    t.equal(listAt(deps, `issuing-${present.issuing.keyId}.crl`).revocationOf(serial), undefined)
    t.ok(
      listAt(deps, `issuing-${former?.issuing.keyId}.crl`).revocationOf(serial),
      'in its own list',
    )
    const published = deps.objects.json<{ authorities: object[] }>(AUTHORITIES_KEY)
    t.equal(published?.authorities.length, 4)
  },
)
