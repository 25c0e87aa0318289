/** Object streams whose values readers look for at different places. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { SILENT } from '../../../pades/syntax/listener.ts'
import { scanObjectStreamIndex } from '../../../pades/syntax/objects.ts'

const scan = (head: string, values: string, count = 1) =>
  scanObjectStreamIndex(Buffer.from(head + values), count, head.length, SILENT)

t.test('an object stream begins with its first value, after white space at most', async (t) => {
  t.same(scan('10 0 ', '<< >>').ranges, [{ start: 5, end: 10 }])
  t.same(scan('10 2 ', ' \n<< >>').ranges, [{ start: 7, end: 12 }])
  // Poppler reads the first value where the values begin, whatever the offset says.
  for (const gap of ['7 ', '% comment\n', '<< >>\n']) {
    t.throws(() => scan(`10 ${gap.length} `, `${gap}<< >>`), { code: 'OBJECT_STREAM_ODD' }, gap)
  }
  t.same(scan('', '7 anything', 0).ranges, [], 'an empty one holds nothing that is read')
})

t.test('values of an object stream do not overlap', async (t) => {
  t.throws(() => scan('10 0 11 0 ', '<< >>', 2), { code: 'OBJECT_STREAM_ODD' })
  t.throws(() => scan('10 0 10 3 ', '1 2 3', 2), { code: 'OBJECT_TWICE' })
})
