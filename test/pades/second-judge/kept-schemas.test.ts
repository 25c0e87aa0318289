/** The schemas of pkijs are built once, and reading does not change them. */
import { Buffer } from 'node:buffer'
import { inspect } from 'node:util'
import { BasicConstraints, Certificate, TSTInfo } from 'pkijs'
import t from 'tap'
import { judgeDocumentTimeStamp } from '../../../pades/second-judge/container.ts'
import * as pki from '../../fixtures/pki.ts'

const names = { names: { tbsCertificate: { names: { blockName: 'other' } } } }

t.test('a schema is built once for each set of names', async (t) => {
  t.equal(TSTInfo.schema(), TSTInfo.schema())
  t.equal(Certificate.schema(names), Certificate.schema(names))
  t.not(Certificate.schema(names), Certificate.schema())
})

t.test('pkijs itself builds a schema for each object that it reads', async (t) => {
  t.not(BasicConstraints.schema(), BasicConstraints.schema(), 'otherwise nothing needs this')
})

t.test('what is read leaves no trace in a schema', async (t) => {
  const digest = Buffer.alloc(32, 1)
  const judge = (token: Uint8Array) => judgeDocumentTimeStamp(token, () => digest)
  const describe = () => inspect(TSTInfo.schema(), { depth: Infinity })
  const token = await pki.publishedStamp(digest)
  await judge(token)
  const before = describe()
  t.match(before, 'TSTInfo.messageImprint', 'the schema is looked at whole')
  // Octets of what the token states are changed, one at a time; many results cannot be read.
  const at = Buffer.from(token).indexOf(digest)
  for (let place = at - 60; place < at + 60; place++) {
    const changed = Uint8Array.from(token)
    changed[place]! ^= 0x21
    await judge(changed)
  }
  await judge(await pki.publishedStamp(Buffer.alloc(32, 2)))
  t.equal(describe(), before)
})
