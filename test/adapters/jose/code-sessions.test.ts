/** Sessions of one-time codes keep the contract of their port. */
import { join } from 'node:path'
import t from 'tap'
import { openWholeKeyring } from '../../../adapters/embedded/keyring.ts'
import { JwsCodeSessions } from '../../../adapters/jose/code-sessions.ts'
import { mintTenantToken } from '../../../adapters/jose/local-identity.ts'
import { JwsSigningLinks } from '../../../adapters/jose/signing-links.ts'
import { codeSessionsContract } from '../../contract/small-ports.ts'
import { CASE_KEY, participant } from '../../fixtures/signature-case.ts'

const now = () => new Date()
const folder = t.testdir()
let opened = 0
const newKeyring = () => openWholeKeyring(join(folder, `keyring-${opened++}`))

codeSessionsContract('JwsCodeSessions', () => {
  const keyring = newKeyring()
  return {
    sessions: new JwsCodeSessions(keyring),
    others: new JwsCodeSessions(newKeyring()),
    foreign: [
      new JwsSigningLinks(keyring).mint({ ...CASE_KEY, participantId: participant(1).id }),
      mintTenantToken(keyring, 'acme', now()),
    ],
  }
})
