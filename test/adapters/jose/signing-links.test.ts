/** Signing links keep the contract of their port. */
import { join } from 'node:path'
import t from 'tap'
import { openWholeKeyring } from '../../../adapters/embedded/keyring.ts'
import { JwsSigningLinks } from '../../../adapters/jose/signing-links.ts'
import { signingLinksContract } from '../../contract/small-ports.ts'

const folder = t.testdir()
let opened = 0
const newKeyring = () => openWholeKeyring(join(folder, `keyring-${opened++}`))

signingLinksContract('JwsSigningLinks', () => ({
  links: new JwsSigningLinks(newKeyring()),
  others: new JwsSigningLinks(newKeyring()),
}))
