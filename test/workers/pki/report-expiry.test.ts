import t from 'tap'
import { publishedFile, publishedKey } from '../../../domain/pki.ts'
import { readRevocationList } from '../../../pades/index.ts'
import { makeRevocationList } from '../../../workers/crl.ts'
import { ownAuthorities } from '../../../workers/pki/authorities.ts'
import { reportExpiry } from '../../../workers/pki/report-expiry.ts'
import { runJob } from '../../../workers/worker.ts'
import { signingDevice, workerDeps } from '../../fixtures/worker.ts'

const CERTIFICATES = 'sigcase_certificate_expiry_timestamp_seconds'
const LISTS = 'sigcase_revocation_list_expiry_timestamp_seconds'

t.test('the first certificate to expire of each key is reported', async (t) => {
  const deps = await workerDeps()
  await reportExpiry(deps)
  const found = deps.metrics.of(CERTIFICATES)
  t.same(Object.keys(found), ['{key="issuing-ca"}', '{key="seal"}', '{key="time-stamp-authority"}'])
  t.equal(found['{key="seal"}'], Date.parse('2030-01-01T00:00:00Z') / 1000)
})

t.test('published lists are reported when there are any', async (t) => {
  const deps = await workerDeps()
  t.equal(await reportExpiry(deps), false)
  t.same(deps.metrics.of(LISTS), {})
  await makeRevocationList(deps)
  t.equal(await reportExpiry(deps), true)
  const [{ issuing }] = await ownAuthorities(signingDevice)
  const stored = await deps.objects.get(
    publishedKey(publishedFile('issuing', 'crl', issuing.keyId)),
  )
  const endMs = readRevocationList(stored?.bytes as Uint8Array).nextUpdate?.getTime() as number
  const found = deps.metrics.of(LISTS)
  t.equal(found['{authority="issuing"}'], endMs / 1000)
  t.equal(found['{authority="root"}'], Date.parse('2030-01-01T00:00:00Z') / 1000)
})

t.test('the job that publishes a list reports it at once', async (t) => {
  const deps = await workerDeps()
  t.ok(await runJob('crl', {}, deps))
  t.match(Object.keys(deps.metrics.of(LISTS)), ['{authority="issuing"}', '{authority="root"}'])
})

t.test('a key that cannot be read does not hide the others', async (t) => {
  const deps = await workerDeps()
  const describe: typeof signingDevice.describe = async (key) => {
    if (key === 'issuing-ca') throw new Error('away')
    return signingDevice.describe(key)
  }
  await reportExpiry({ ...deps, signingDevice: { ...signingDevice, describe } })
  t.same(Object.keys(deps.metrics.of(CERTIFICATES)), [
    '{key="seal"}',
    '{key="time-stamp-authority"}',
  ])
})
