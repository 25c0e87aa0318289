import { Buffer } from 'node:buffer'
import t from 'tap'
import { answerTo, lookUp, type Names } from '../../../dev/pods/dns.ts'

const metadata = { name: 'redis', namespace: 'home' }
const names: Names = {
  services: [
    { metadata, spec: { clusterIP: '10.96.1.2' } },
    { metadata: { ...metadata, name: 'headless' }, spec: { clusterIP: 'None' } },
  ],
  endpoints: [
    {
      metadata: { ...metadata, name: 'headless' },
      subsets: [{ addresses: [{ ip: '10.244.0.5', hostname: 'first' }, { ip: '10.244.0.6' }] }],
    },
  ],
}

/** A question for an address, as a resolver sends it (RFC 1035, 4.1). */
function question(name: string): Buffer {
  const labels = name.split('.').map((label) => [label.length, ...Buffer.from(label)])
  return Buffer.from([0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...labels.flat(), 0, 0, 1, 0, 1])
}

t.test('a Service has its address, a headless one those of its pods', async (t) => {
  t.same(lookUp(names, 'redis.home.svc.cluster.local'), ['10.96.1.2'])
  t.same(lookUp(names, 'headless.home.svc.cluster.local'), ['10.244.0.5', '10.244.0.6'])
  t.same(lookUp(names, 'first.headless.home.svc.cluster.local'), ['10.244.0.5'])
  t.same(lookUp(names, '10-244-0-6.headless.home.svc.cluster.local'), ['10.244.0.6'])
})

t.test('other names are not there', async (t) => {
  for (const name of ['redis.other.svc.cluster.local', 'redis.home', 'example.com']) {
    t.equal(lookUp(names, name), undefined, name)
  }
})

t.test('an answer repeats id and question, and carries the address', async (t) => {
  const asked = question('redis.home.svc.cluster.local')
  const answer = answerTo(names, asked)
  t.same(answer.subarray(0, 2), asked.subarray(0, 2))
  t.equal(answer.readUInt16BE(2) & 0xf, 0, 'no error')
  t.equal(answer.readUInt16BE(6), 1, 'one answer')
  t.same([...answer.subarray(-4)], [10, 96, 1, 2])
  const refused = answerTo(names, question('nowhere.home.svc.cluster.local'))
  t.equal(refused.readUInt16BE(2) & 0xf, 3, 'name error')
  t.equal(refused.readUInt16BE(6), 0)
})

t.test('a message that is cut is not answered', async (t) => {
  t.throws(() => answerTo(names, Buffer.alloc(5)), RangeError)
})
