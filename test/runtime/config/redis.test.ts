/** Which Redis a process of a cluster uses, and which ones it refuses before it starts. */
import { join } from 'node:path'
import t from 'tap'
import { EnvironmentReader, type Environment } from '../../../runtime/config/reader.ts'
import { readRedis } from '../../../runtime/config/redis.ts'
import { tlsIdentity } from '../../fixtures/tls-identity.ts'

function read(environment: Environment) {
  const reader = new EnvironmentReader(environment)
  const value = readRedis(reader)
  return { value, faults: reader.faults }
}

t.test('a URL is required, of one server', async (t) => {
  t.same(read({ REDIS_URL: 'redis://redis.example' }), {
    value: { url: 'redis://redis.example', prefix: 'sigcase' },
    faults: [],
  })
  t.match(read({}).faults, [/^REDIS_URL is required: a redis or rediss URL of one server$/])
  t.match(read({ REDIS_URL: 'https://redis.example' }).faults, [/^REDIS_URL: it is not a redis or/])
})

t.test('URLs of Sentinel and Cluster are refused with what to do', async (t) => {
  for (const scheme of ['redis-sentinel', 'redis+sentinel', 'rediss+sentinel']) {
    const { faults } = read({ REDIS_URL: `${scheme}://:opensesame@a:26379,b:26379/0` })
    t.equal(faults.length, 1)
    t.match(faults[0], /Redis Sentinel is not supported, use an address that always points to the/)
    t.notMatch(faults[0], 'opensesame')
  }
  for (const scheme of ['redis-cluster', 'rediss+cluster', 'redis+cluster']) {
    const { faults } = read({ REDIS_URL: `${scheme}://:opensesame@a:6379` })
    t.equal(faults.length, 1)
    t.match(faults[0], /one server that is not in cluster mode: Redis Cluster is not supported/)
    t.notMatch(faults[0], 'opensesame')
  }
  t.equal(read({ REDIS_URL: 'redis://a:6379,b:6379' }).faults.length, 1)
  t.equal(read({ REDIS_URL: 'redis://a,b' }).faults.length, 1)
})

t.test('a private authority needs a file of certificates and TLS', async (t) => {
  const { authority } = await tlsIdentity(['redis.example'])
  const folder = t.testdir({ 'ca.pem': authority, 'empty.pem': '', 'ca.key': 'no certificate' })
  const file = (name: string) => ({ REDIS_CA_FILE: join(folder, name) })
  const REDIS_URL = 'rediss://redis.example'
  t.same(read({ REDIS_URL, ...file('ca.pem') }), {
    value: { url: REDIS_URL, prefix: 'sigcase', authorities: authority },
    faults: [],
  })
  for (const name of ['empty.pem', 'ca.key', 'absent.pem']) {
    const { faults } = read({ REDIS_URL, ...file(name) })
    t.match(faults, [/^REDIS_CA_FILE: ".+" is not a file with certificates in PEM$/])
  }
  const plain = read({ REDIS_URL: 'redis://redis.example', ...file('ca.pem') })
  t.match(plain.faults, [/^REDIS_CA_FILE: REDIS_URL must begin with rediss:/])
})
