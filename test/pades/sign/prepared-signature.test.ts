import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t from 'tap'
import { IncrementalUpdate } from '../../../pades/pdf/incremental-update.ts'
import { readDocument } from '../../../pades/pdf/open.ts'
import {
  fillSignature,
  type PreparedSignature,
  prepareSignature,
} from '../../../pades/sign/prepared-signature.ts'
import { RunningDigests } from '../../../pades/sign/running-digests.ts'
import { signatureDictionarySource } from '../../../pades/sign/signature-dictionary.ts'
import { NOW } from '../../fixtures/pki.ts'
import { buildPdf } from '../../fixtures/pdf.ts'

const HOLE_BYTES = 100

function prepare() {
  const original = buildPdf()
  return readDocument(original, (document) => {
    const update = new IncrementalUpdate(document)
    const digests = new RunningDigests(createHash('sha256').update(original))
    const source = signatureDictionarySource({ name: 'Jana (1)', signedAt: NOW }, HOLE_BYTES)
    const sourceStart = update.putAsIs(update.reserve(), 0, source.source)
    const revision = update.endRevision(Buffer.alloc(16))
    const prepared = prepareSignature(update, digests, {
      fieldName: 'f',
      hash: 'sha256',
      source,
      sourceStart,
      revision,
    })
    const file = () => Buffer.concat([original, update.tail])
    return { update, prepared, file }
  })
}

t.test('the hand-over value is frozen plain data', async (t) => {
  const { prepared } = prepare()
  t.ok(Object.isFrozen(prepared) && Object.isFrozen(prepared.byteRange))
  t.same(JSON.parse(JSON.stringify(prepared)), prepared)
})

t.test('the byte range leaves out exactly the hole, and the digest is over the rest', async (t) => {
  const { prepared, file } = prepare()
  const [start, length, start2, length2] = prepared.byteRange
  const bytes = file()
  t.equal(start, 0)
  t.equal(bytes.toString('latin1', length, start2), `<${'00'.repeat(HOLE_BYTES)}>`)
  t.equal(start2 + length2, bytes.length)
  t.match(bytes.toString('latin1'), `/ByteRange [${prepared.byteRange.join(' ')}] `)
  t.match(bytes.toString('latin1'), '/M (D:20260601120000Z)')
  const digest = createHash('sha256')
    .update(bytes.subarray(0, length))
    .update(bytes.subarray(start2))
    .digest('hex')
  t.equal(prepared.messageDigest, digest)
})

t.test('filling changes nothing but the hole, also from a value that travelled', async (t) => {
  const { update, prepared, file } = prepare()
  const before = file()
  const travelled = JSON.parse(JSON.stringify(prepared)) as PreparedSignature
  fillSignature(update, travelled, Buffer.from('30820102', 'hex'))
  const after = file()
  const [, length, start2] = prepared.byteRange
  t.ok(before.subarray(0, length).equals(after.subarray(0, length)))
  t.ok(before.subarray(start2).equals(after.subarray(start2)))
  t.equal(after.toString('latin1', length, length + 11), '<3082010200')
})

t.test('a container that does not fit is refused and nothing is written', async (t) => {
  const { update, prepared, file } = prepare()
  const before = file()
  t.throws(() => fillSignature(update, prepared, Buffer.alloc(HOLE_BYTES + 1, 1)), {
    code: 'HOLE_TOO_SMALL',
  })
  t.ok(file().equals(before))
  fillSignature(update, prepared, Buffer.alloc(HOLE_BYTES, 1))
})
