import t from 'tap'
import { EvidenceJudge } from '../../../pades/second-judge/revocation.ts'
import {
  basicConstraintsOf,
  buildChain,
  commonName,
  issue,
  KEY_BITS,
  keyUsageOf,
} from '../../fixtures/chains.ts'
import { NOW } from '../../fixtures/pki.ts'
import { buildList } from '../../fixtures/scoped-lists.ts'
import { countVerifications } from './count-verifications.ts'

const COPIES = 60
const LISTS = 20
const OTHER_KEY = 6

t.test('copies of the key of an authority do not multiply the signatures to verify', async (t) => {
  const name = commonName('Root with copies')
  const [leaf, root] = await buildChain([{}], { name })
  const extensions = [basicConstraintsOf(true), keyUsageOf(KEY_BITS.lists)]
  const copies = await Promise.all(
    Array.from({ length: COPIES }, (_, number) =>
      issue(commonName(`Somebody ${number}`), name, extensions, [0, OTHER_KEY]),
    ),
  )
  const revocationLists = await Promise.all(
    Array.from({ length: LISTS }, () => buildList({ issuer: name, depth: OTHER_KEY })),
  )
  const judge = new EvidenceJudge({
    revocationLists,
    ocspResponses: [],
    otherKeys: () => copies.map(({ der }) => der),
  })
  const verified = countVerifications(t)
  const question = { certificate: leaf!.der, issuer: root!.der, at: NOW }
  t.equal(await judge.judge(question), 'wrong')
  t.ok(verified() <= COPIES + LISTS, `${verified()} signatures were verified`)
  await judge.judge(question)
  t.ok(verified() <= COPIES + LISTS, 'nor does the next certificate of the authority')
})
