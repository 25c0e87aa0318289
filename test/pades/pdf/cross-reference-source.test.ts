import t from 'tap'
import {
  FREE_HEAD,
  keptTrailerEntries,
  type Row,
  streamSection,
  tableSource,
} from '../../../pades/pdf/cross-reference-source.ts'
import { PdfReference, type PdfValue } from '../../../pades/pdf/values.ts'

const plain = (number: number, offset: number, generation = 0): Row => ({
  number,
  entry: { kind: 'plain', offset, generation },
})

t.test('a table has a subsection for each run of numbers (7.5.4)', async (t) => {
  const rows = [plain(5, 300, 2), FREE_HEAD, plain(4, 200), plain(9, 12), plain(9, 400)]
  t.equal(
    tableSource(rows),
    'xref\n0 1\n0000000000 65535 f \n' +
      '4 2\n0000000200 00000 n \n0000000300 00002 n \n' +
      '9 1\n0000000400 00000 n \n',
    'the last row of a number counts',
  )
})

t.test('the fields of a stream are as wide as their largest value (7.5.8.3)', async (t) => {
  const compressed: Row = { number: 3, entry: { kind: 'compressed', container: 70_000, index: 1 } }
  const { entries, data } = streamSection([plain(2, 255), compressed])
  t.equal(entries, '/W [1 3 1] /Index [2 2]')
  t.same([...data], [1, 0, 0, 255, 0, 2, 1, 17, 112, 1])
})

t.test('entries about one section are not repeated in the next trailer', async (t) => {
  const trailer = new Map<string, PdfValue>([
    ['Size', 9],
    ['Prev', 100],
    ['Root', new PdfReference(1, 0)],
    ['XRefStm', 5],
    ['Own Key', 7],
  ])
  t.equal(keptTrailerEntries(trailer), '/Root 1 0 R /Own#20Key 7 ')
})
