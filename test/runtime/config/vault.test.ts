import { resolve } from 'node:path'
import t from 'tap'
import { EnvironmentReader, type Environment } from '../../../runtime/config/reader.ts'
import { readVault, readVaultAccess } from '../../../runtime/config/vault.ts'

function read(environment: Environment) {
  const reader = new EnvironmentReader(environment)
  return { value: readVault(reader), faults: reader.faults }
}

const VAULT = {
  VAULT_ADDR: 'https://vault.example:8200/',
  VAULT_ROLE: 'sigcase-worker',
  VAULT_ISSUING_CA_KEY: 'sigcase-issuing-ca:2',
  VAULT_SEAL_KEY: 'sigcase-seal:1',
  KMS_CERTIFICATES: 'certificates',
}

t.test('without its address Vault is not used', async (t) => {
  const { VAULT_ADDR: _, ...others } = VAULT
  t.same(read(others), { value: undefined, faults: [] })
})

t.test('a worker logs in with the token of its pod', async (t) => {
  t.same(read(VAULT), {
    value: {
      keys: { 'issuing-ca': 'sigcase-issuing-ca:2', seal: 'sigcase-seal:1' },
      certificatesFolder: resolve('certificates'),
      endpoint: 'https://vault.example:8200',
      mount: 'transit',
      rsaPadding: 'pkcs1',
      identity: {
        role: 'sigcase-worker',
        mount: 'kubernetes',
        jwtFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
      },
    },
    faults: [],
  })
})

t.test('a file with a token takes the place of the login', async (t) => {
  const { value } = read({ ...VAULT, VAULT_TOKEN_FILE: '/token', VAULT_RSA_PADDING: 'pss' })
  t.match(value, { identity: { tokenFile: '/token' }, rsaPadding: 'pss' })
})

t.test('what is missing or wrong is named', async (t) => {
  const { VAULT_ROLE: _, ...withoutRole } = VAULT
  t.match(read(withoutRole).faults, [/^Set VAULT_ROLE or VAULT_TOKEN_FILE/])
  t.match(read({ ...VAULT, VAULT_SEAL_KEY: 'seal' }).faults, [
    /^VAULT_SEAL_KEY: "seal" is not the name of a key and its version, such as sigcase-seal:1/,
    /^VAULT_SEAL_KEY is required with VAULT_ADDR/,
  ])
  t.match(read({ ...VAULT, VAULT_TRANSIT_MOUNT: '../sys' }).faults, [/^VAULT_TRANSIT_MOUNT: /])
  const { KMS_CERTIFICATES: __, ...withoutFolder } = VAULT
  t.match(read(withoutFolder).faults, [/^KMS_CERTIFICATES is required/])
})

t.test('the command that makes certificates needs no folder of them', async (t) => {
  const { KMS_CERTIFICATES: _, VAULT_SEAL_KEY: __, ...others } = VAULT
  const reader = new EnvironmentReader(others)
  t.match(readVaultAccess(reader), { keys: { 'issuing-ca': 'sigcase-issuing-ca:2' } })
  t.same(reader.faults, [])
})
