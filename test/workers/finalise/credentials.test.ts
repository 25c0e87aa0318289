import t from 'tap'
import { readCertificate } from '../../../pades/index.ts'
import { oneTimeCredential } from '../../../workers/finalise/credentials.ts'
import { CASE_KEY, participant } from '../../fixtures/signature-case.ts'
import { signedByAll } from '../../fixtures/signed-by-all.ts'

t.test('a certificate names the participant, and one without a visible name by id', async (t) => {
  const { deps } = await signedByAll()
  const nameFor = async (names: { firstName: string; lastName: string }) => {
    const someone = { ...participant(1), ...names }
    const { certificates } = await oneTimeCredential(someone, CASE_KEY, deps, deps.now())
    return readCertificate(certificates[0] as Uint8Array).commonName
  }
  t.equal(await nameFor({ firstName: 'Jana', lastName: 'Nová' }), 'Jana Nová')
  t.equal(await nameFor({ firstName: '\u202eJa\nna', lastName: 'Nová' }), 'Ja na Nová')
  t.equal(await nameFor({ firstName: ' ', lastName: '\u200b' }), participant(1).id)
})
