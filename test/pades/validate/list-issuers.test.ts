/** Which certificates may issue indirect revocation lists. */
import t from 'tap'
import { PathFinder } from '../../../pades/cms/certification-path.ts'
import { RevocationEvidence } from '../../../pades/cms/revocation.ts'
import { findListIssuers } from '../../../pades/validate/list-issuers.ts'
import { Anchors } from '../../../pades/validate/trust-anchors.ts'
import {
  basicConstraintsOf,
  commonName,
  issue,
  KEY_BITS,
  keyUsageOf,
} from '../../fixtures/chains.ts'
import { NOW } from '../../fixtures/pki.ts'

t.test('other certificates of the same name do not hide an issuer of lists', async (t) => {
  const rootName = commonName('List root')
  const name = commonName('List issuer')
  const authority = [basicConstraintsOf(true), keyUsageOf(KEY_BITS.certificates)]
  const root = await issue(rootName, rootName, authority, 0)
  const issuer = await issue(rootName, name, [keyUsageOf(KEY_BITS.lists)], 1)
  // Their key belongs to another authority, which gives itself the name of the root.
  const others = await Promise.all(
    Array.from({ length: 30 }, () => issue(rootName, name, [keyUsageOf(KEY_BITS.lists)], 3)),
  )
  const paths = new PathFinder()
  const find = findListIssuers({
    anchors: new Anchors([root.der], paths),
    paths,
    certificates: [...others, issuer],
    evidence: new RevocationEvidence({ revocationLists: [], ocspResponses: [] }),
    acceptUncheckedRevocation: false,
  })
  t.same(
    find(name, NOW, root).map(({ certificate }) => certificate.sha256),
    [issuer.sha256],
  )
})
