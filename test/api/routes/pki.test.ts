import t from 'tap'
import { makeRevocationList } from '../../../workers/crl.ts'
import { AUTHORITIES_KEY, publishedKey } from '../../../domain/pki.ts'
import { readCertificate, readRevocationList } from '../../../pades/index.ts'
import { RecordingAlarm } from '../../fixtures/alarms.ts'
import { keyring } from '../../fixtures/signature-case.ts'
import { testApi } from '../../fixtures/api.ts'
import { issuingCa, root } from '../../fixtures/pki.ts'
import { signingDevice } from '../../fixtures/worker.ts'

const BASE_URL = 'https://sign.example'
/** Octets; more than any object of the service has. */
const TOO_LONG = 64 * 1024 * 1024 + 1

t.test('nothing is published before the first list is made', async (t) => {
  const api = await testApi(t)
  t.same((await api.ask('GET', '/pki', {})).json(), { authorities: [] })
  t.equal((await api.ask('GET', '/pki/issuing.crl', {})).statusCode, 404)
})

t.test('authorities, their certificates and lists are there for everybody', async (t) => {
  const api = await testApi(t)
  const now = () => api.timers.now()
  await makeRevocationList({
    objects: api.objects,
    signingDevice,
    keyring,
    alarm: new RecordingAlarm(),
    baseUrl: BASE_URL,
    now,
  })
  const answer = await api.ask('GET', '/pki', {})
  t.equal(answer.statusCode, 200)
  const { authorities } = answer.json()
  t.match(authorities, [
    { name: 'root', sha256: readCertificate(root.certificate).sha256 },
    { name: 'issuing', sha256: readCertificate(issuingCa.certificate).sha256 },
  ])
  for (const { name, certificate, revocationList, sha256 } of authorities) {
    for (const url of [certificate.replace(BASE_URL, ''), `/pki/${name}.cer`]) {
      const file = await api.ask('GET', url, {})
      t.equal(file.headers['content-type'], 'application/pkix-cert')
      t.equal(readCertificate(new Uint8Array(file.rawPayload)).sha256, sha256)
    }
    for (const url of [revocationList.replace(BASE_URL, ''), `/pki/${name}.crl`]) {
      const file = await api.ask('GET', url, {})
      t.equal(file.headers['content-type'], 'application/pkix-crl')
      t.match(file.headers['cache-control'], /max-age/)
      t.ok(readRevocationList(new Uint8Array(file.rawPayload)).nextUpdate)
    }
    t.match((await api.ask('GET', `/pki/${name}.pem`, {})).body, /^-----BEGIN CERTIFICATE-----\n/)
  }
})

t.test('what others wrote at the keys of published files is nothing', async (t) => {
  const api = await testApi(t)
  const index = new TextEncoder().encode('{"authorities":[{"name":"root"}]}')
  for (const bytes of [index, index.subarray(1), new Uint8Array(TOO_LONG)]) {
    api.objects.upload(AUTHORITIES_KEY, bytes, 'application/json')
    const { statusCode, body } = await api.ask('GET', '/pki', {})
    t.same([statusCode, body], [200, '{"authorities":[]}'])
  }
  api.objects.upload(publishedKey('issuing.crl'), new Uint8Array(TOO_LONG), 'application/pkix-crl')
  t.equal((await api.ask('GET', '/pki/issuing.crl', {})).statusCode, 404)
})

t.test('no other file is given out', async (t) => {
  const api = await testApi(t)
  await api.objects.putIfAbsent('pki/published/secret', Uint8Array.of(1), 'text/plain')
  for (const file of [
    'secret',
    '..%2frevocations%2f1',
    'issuing-xyz.crl',
    'authorities.json',
    '',
  ]) {
    t.equal((await api.ask('GET', `/pki/${file}`, {})).statusCode, 404, file)
  }
})
