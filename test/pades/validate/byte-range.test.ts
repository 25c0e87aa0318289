/** A byte range leaves out the Contents of its own signature and nothing else. */
import t from 'tap'
import { readDocument } from '../../../pades/pdf/open.ts'
import { checkByteRange } from '../../../pades/validate/byte-range.ts'
import { findSignatures } from '../../../pades/validate/signature-fields.ts'
import { signSample } from './sample.ts'

t.test('a byte range has exactly four numbers in their order', async (t) => {
  const signed = await signSample()
  readDocument(signed, (document) => {
    const [signature] = findSignatures(document)
    if (!signature) return t.fail('the sample is signed')
    const check = (...byteRange: number[]) => checkByteRange(document, { ...signature, byteRange })
    const [start = 0, hole = 0, after = 0, length = 0] = signature.byteRange
    t.same(check(start, hole, after, length), {
      holeStart: hole,
      holeEnd: after,
      end: after + length,
      isPlain: true,
    })
    t.equal(check(start, hole, after, length, 0), undefined, 'five numbers')
    t.equal(check(start, hole, after, length, 0, 0), undefined, 'three parts')
    t.equal(check(start, hole, after), undefined, 'three numbers')
    t.equal(check(start + 1, hole, after, length), undefined, 'not from the start')
    t.equal(check(start, hole, after, 0), undefined, 'nothing after the hole')
    t.equal(check(start, hole, after + 1, length - 1), undefined, 'a hole that is too long')
    t.equal(check(start, hole, after, -length), undefined, 'a negative number')
    t.equal(check(start, hole, after, signed.length), undefined, 'beyond the file')
  })
})
