/** A case that is signed with keys in Vault becomes a PDF that another program accepts. */
import t from 'tap'
import { emulatedVault, transitKey } from '../../../dev/emulators/vault/server.ts'
import { checkSignedCase, skipWithout, TRANSIT_KEYS } from '../../fixtures/transit-case.ts'

t.test('pdfsig accepts the PDF of a case', { skip: skipWithout() }, async (t) => {
  const vault = await emulatedVault({
    keys: TRANSIT_KEYS.map((name) => transitKey(name, 'ecdsa-p256')),
    tokens: { token: { ttl: 0, renewable: false } },
  })
  t.teardown(() => vault.close())
  await checkSignedCase(t, vault.origin, 'token')
})
