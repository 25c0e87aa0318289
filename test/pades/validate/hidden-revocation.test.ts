/** Lists in a file cannot hide what the authority itself says of a revocation. */
import t from 'tap'
import { PathFinder } from '../../../pades/cms/certification-path.ts'
import { Anchors } from '../../../pades/validate/trust-anchors.ts'
import { trustOf } from '../../../pades/validate/validation-context.ts'
import { buildChain, commonName } from '../../fixtures/chains.ts'
import { NOW } from '../../fixtures/pki.ts'
import { buildList } from '../../fixtures/scoped-lists.ts'

/** More than the signatures of lists and answers that are verified for one document. */
const JUNK = 600
const OTHER_KEY = 5

const name = commonName('Authority of lists')
const [leaf, own, root] = await buildChain([{ name }, {}])

/** The status of the certificate with these lists in the file and those from the authority. */
function statusWith(inFile: readonly Uint8Array[], online: readonly Uint8Array[]) {
  const paths = new PathFinder()
  const data = { revocationLists: inFile, ocspResponses: [] }
  const trust = trustOf(
    {
      trustAnchors: [root!.der],
      validationTime: NOW,
      revocationData: { revocationLists: online, ocspResponses: [] },
    },
    new Anchors([root!.der], paths),
    paths,
    { store: { certificates: [own!], data } as never, examined: [] },
  )
  return { status: trust.revocation.statusOf(leaf!, own!, NOW).status, data: trust.data }
}

t.test('lists in a file that nobody signed do not hide a revocation', async (t) => {
  const junk = await Promise.all(
    Array.from({ length: JUNK }, () => buildList({ issuer: name, depth: OTHER_KEY })),
  )
  const revoking = await buildList({ issuer: name, revoked: [{ certificate: leaf! }] })
  const { status, data } = statusWith(junk, [revoking])
  t.equal(status, 'revoked')
  t.equal(data.revocationLists[0], revoking, 'the second judge looks at it first, too')
  t.equal(statusWith([revoking], []).status, 'revoked')
})
