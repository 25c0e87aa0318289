import { Buffer } from 'node:buffer'
import t from 'tap'
import { certificateFolder, certificateKey } from '../../../domain/cases/keys.ts'
import { readCertificate } from '../../../pades/index.ts'
import { oneTimeCredentials } from '../../../workers/finalise/credentials.ts'
import { readRun } from '../../../workers/pki/certificates.ts'
import { CASE_KEY, participant } from '../../fixtures/signature-case.ts'
import { signedByAll } from '../../fixtures/signed-by-all.ts'

t.test('a certificate names the participant, and one without a visible name by id', async (t) => {
  const { deps } = await signedByAll()
  const nameFor = async (names: { firstName: string; lastName: string }) => {
    const someone = { ...participant(1), ...names }
    const [made] = await oneTimeCredentials([someone], CASE_KEY, deps, deps.now())
    return readCertificate(made?.certificates[0] as Uint8Array).commonName
  }
  t.equal(await nameFor({ firstName: 'Jana', lastName: 'Nová' }), 'Jana Nová')
  t.equal(await nameFor({ firstName: '\u202eJa\nna', lastName: 'Nová' }), 'Ja na Nová')
  t.equal(await nameFor({ firstName: ' ', lastName: '\u200b' }), participant(1).id)
})

t.test('the certificates of a run are recorded as one object', async (t) => {
  const { deps } = await signedByAll()
  const people = [participant(1), participant(2)]
  const made = await oneTimeCredentials(people, CASE_KEY, deps, deps.now())
  const serials = made.map(({ certificates }) =>
    Buffer.from(readCertificate(certificates[0] as Uint8Array).serialNumber).toString('hex'),
  )
  t.same(deps.objects.under(certificateFolder(CASE_KEY)), [certificateKey(CASE_KEY, serials[0]!)])
  const run = await readRun(CASE_KEY, serials[0]!, deps)
  t.same([...run.keys()], serials)
  t.same(
    [...run.values()].map(({ participantId }) => participantId),
    people.map(({ id }) => id),
  )
})
