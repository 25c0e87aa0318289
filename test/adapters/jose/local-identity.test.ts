/** Tokens of tenants keep the contract of their port. */
import { join } from 'node:path'
import t from 'tap'
import { openWholeKeyring } from '../../../adapters/embedded/keyring.ts'
import { LocalTenantIdentity, mintTenantToken } from '../../../adapters/jose/local-identity.ts'
import { JwsSigningLinks } from '../../../adapters/jose/signing-links.ts'
import { tenantIdentityContract } from '../../contract/small-ports.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const now = () => new Date()
const folder = t.testdir()
let opened = 0
const newKeyring = () => openWholeKeyring(join(folder, `keyring-${opened++}`))

tenantIdentityContract('LocalTenantIdentity', () => {
  const keyring = newKeyring()
  return {
    identity: new LocalTenantIdentity(keyring, now),
    good: mintTenantToken(keyring, 'acme', now()),
    bad: [
      mintTenantToken(newKeyring(), 'acme', now()),
      mintTenantToken(keyring, 'acme', new Date(Date.now() - 31 * DAY_MS)),
      new JwsSigningLinks(keyring).mint({ tenant: 'acme', caseId: 'c', participantId: 'p' }),
    ],
  }
})

t.test('a tenant must be a name that a namespace can have', async (t) => {
  const keyring = newKeyring()
  for (const name of ['', 'A', '-a', 'a-', 'a_b', 'a/b', 'á', 'a'.repeat(64)]) {
    await t.rejects(mintTenantToken(keyring, name, now()), { name: 'RangeError' }, name)
  }
})
