/** Signing links keep the contract of their port. */
import { join } from 'node:path'
import t from 'tap'
import { compactJws } from '../../../adapters/jose/compact-jws.ts'
import { openWholeKeyring } from '../../../adapters/embedded/keyring.ts'
import { JwsSigningLinks } from '../../../adapters/jose/signing-links.ts'
import { signingLinksContract } from '../../contract/small-ports.ts'
import { CASE_KEY, participant } from '../../fixtures/signature-case.ts'

const folder = t.testdir()
let opened = 0
const newKeyring = () => openWholeKeyring(join(folder, `keyring-${opened++}`))

signingLinksContract('JwsSigningLinks', () => ({
  links: new JwsSigningLinks(newKeyring()),
  others: new JwsSigningLinks(newKeyring()),
}))

t.test('a token of another type under the key of links is not a link', async (t) => {
  const keyring = newKeyring()
  const links = new JwsSigningLinks(keyring)
  const payload = { tenant: 'acme', case: CASE_KEY.caseId, sub: participant(1).id }
  const key = keyring.current('signing-link')
  t.match(await links.read(compactJws(key, 'sigcase-link+jwt', payload)), { tenant: 'acme' })
  t.equal(await links.read(compactJws(key, 'jwt', payload)), undefined)
})
