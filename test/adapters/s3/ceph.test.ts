/** A real S3-compatible store, Ceph's object gateway, and the adapter keep the port's contract. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { S3Client } from '../../../adapters/s3/client.ts'
import { CredentialsFile } from '../../../adapters/s3/credentials.ts'
import { S3ObjectStore } from '../../../adapters/s3/object-store.ts'
import { S3RefusedError } from '../../../adapters/s3/refusals.ts'
import { objectStoreContract } from '../../contract/object-store.ts'
import { CEPH_USER, CephObjectGateway, withoutCeph } from '../../fixtures/ceph-object-gateway.ts'

t.setTimeout(600_000)
const TEXT = 'text/plain'
const bytes = (text: string) => new TextEncoder().encode(text)

if (withoutCeph) t.pass('nothing is tested', { skip: withoutCeph })
else await testCeph(await CephObjectGateway.start())

async function testCeph(ceph: CephObjectGateway): Promise<void> {
  t.teardown(() => ceph.close())
  let buckets = 0

  function optionsOf(t: Test, user = CEPH_USER) {
    const { accessKeyId, secretAccessKey } = user
    const text =
      `[default]\naws_access_key_id = ${accessKeyId}\n` +
      `aws_secret_access_key = ${secretAccessKey}\n`
    const path = join(t.testdir({ credentials: text }), 'credentials')
    buckets += 1
    return {
      bucket: `sigcase-${buckets}`,
      region: 'us-east-1',
      addressing: 'path' as const,
      endpoint: ceph.origin,
      publicEndpoint: ceph.origin,
      credentials: new CredentialsFile(path),
      now: () => new Date(),
    }
  }

  async function open(t: Test) {
    const options = optionsOf(t)
    const client = new S3Client(options, options.now)
    await client.ask({ method: 'PUT' }, () => undefined)
    await client.close()
    const store = new S3ObjectStore(options)
    t.teardown(() => store.close())
    return { store, options }
  }

  objectStoreContract('Ceph', async (t) => (await open(t)).store)

  t.test('a listing goes on over pages', async (t) => {
    const { store } = await open(t)
    const keys = Array.from({ length: 1_005 }, (_, index) => `f/${String(index).padStart(5, '0')}`)
    for (let first = 0; first < keys.length; first += 50) {
      const some = keys.slice(first, first + 50)
      await Promise.all(some.map((key) => store.putIfAbsent(key, bytes(''), TEXT)))
    }
    const listed = await store.list('f/', { limit: 1_004, after: 'f/00000' })
    t.same(
      listed.map(({ key }) => key),
      keys.slice(1),
    )
  })

  t.test('metadata is the same in listings, heads and bodies', async (t) => {
    const { store } = await open(t)
    await store.putIfAbsent('key', bytes('octets'), TEXT)
    const stat = (await store.stat('key'))!
    const [listed] = await store.list('k', { limit: 1 })
    const { bytes: _, ...read } = (await store.get('key'))!
    t.same(read, stat)
    t.match(listed, { key: 'key', size: 6, generation: stat.generation })
  })

  t.test('wrong keys and a missing bucket are refused at once', async (t) => {
    const missing = new S3ObjectStore(optionsOf(t))
    t.teardown(() => missing.close())
    await t.rejects(missing.get('key'), { name: 'S3RefusedError', message: /NoSuchBucket/ })
    const { options } = await open(t)
    const wrong = { ...CEPH_USER, secretAccessKey: 'another' }
    const { credentials } = optionsOf(t, wrong)
    const stranger = new S3ObjectStore({ ...options, credentials })
    t.teardown(() => stranger.close())
    const refused = stranger.putIfAbsent('key', bytes('x'), TEXT)
    await t.rejects(refused, { message: /SignatureDoesNotMatch: the credentials/ })
    await t.rejects(stranger.stat('key'), S3RefusedError)
  })
}
