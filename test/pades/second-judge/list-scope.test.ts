/** What the second judge reads of a certificate: pkijs parses an extension when it is asked for. */
import t from 'tap'
import { Certificate } from 'pkijs'
import {
  isNeverChecked,
  mayAnswer,
  publishesRevocation,
} from '../../../pades/second-judge/certificate-facts.ts'
import { ALL_REASONS, reasonsInScope } from '../../../pades/second-judge/list-scope.ts'
import { readList } from '../../../pades/second-judge/lists.ts'
import * as pki from '../../fixtures/pki.ts'

const BASIC_CONSTRAINTS = '2.5.29.19'
const EXTENDED_KEY_USAGE = '2.5.29.37'

/** A certificate that names places of lists and answers, and which extensions are parsed. */
async function observed() {
  const { certificate: der } = await pki.published.signer('Janka')
  const certificate = Certificate.fromBER(Uint8Array.from(der).buffer)
  const parsed = new Set<string>()
  for (const one of certificate.extensions ?? []) {
    const { parsedValue } = one
    Object.defineProperty(one, 'parsedValue', {
      get() {
        parsed.add(one.extnID)
        return parsedValue
      },
    })
  }
  return { certificate, parsed: () => [...parsed].sort() }
}

t.test('whether a list is about a certificate depends on its basic constraints', async (t) => {
  const { list } = readList(await pki.revocationList(pki.published.ca))
  const { certificate, parsed } = await observed()
  t.equal(reasonsInScope(list, certificate), ALL_REASONS)
  t.same(parsed(), [BASIC_CONSTRAINTS])
})

t.test('other facts are read of the extension that states them', async (t) => {
  const { certificate, parsed } = await observed()
  t.notOk(mayAnswer(certificate))
  t.ok(publishesRevocation(certificate))
  t.notOk(isNeverChecked(certificate))
  t.ok(parsed().every((type) => type === EXTENDED_KEY_USAGE))
})
