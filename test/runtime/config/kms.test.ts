import t from 'tap'
import { readKms } from '../../../runtime/config/kms.ts'
import { EnvironmentReader, type Environment } from '../../../runtime/config/reader.ts'

const VERSION = 'projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1'

function read<T>(from: (reader: EnvironmentReader) => T, environment: Environment) {
  const reader = new EnvironmentReader(environment)
  return { value: from(reader), faults: reader.faults }
}

t.test('keys are pinned versions', async (t) => {
  const needed = {
    KMS_ISSUING_CA_KEY: VERSION,
    KMS_SEAL_KEY: VERSION,
    KMS_CERTIFICATES: '/etc/sigcase/certificates',
  }
  const { value, faults } = read(readKms, { ...needed, KMS_TSA_KEY: VERSION })
  t.same(faults, [])
  t.same(value.keys, {
    'issuing-ca': VERSION,
    seal: VERSION,
    'time-stamp-authority': VERSION,
  })
  t.equal(value.endpoint.origin, 'https://cloudkms.googleapis.com')
  t.match(read(readKms, {}).faults, [/^KMS_ISSUING_CA_KEY/, /^KMS_SEAL_KEY/, /^KMS_CERTIFICATES/])
  const unpinned = { ...needed, KMS_SEAL_KEY: VERSION.replace(/\/cryptoKeyVersions.*/, '') }
  t.match(read(readKms, unpinned).faults, [/^KMS_SEAL_KEY: ".+" is not projects/])
})
