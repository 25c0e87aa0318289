/** Tables of the command line: aligned columns, and nothing that a terminal would obey. */
import t from 'tap'
import { formatTable, printObject, printRows } from '../../../cli/sigcase/output.ts'

const COLUMNS = [
  { heading: 'ID', read: ({ id }: { id: string; title?: string }) => id },
  { heading: 'TITLE', read: ({ title }: { id: string; title?: string }) => title },
]

t.test('columns are as wide as their longest cell', async (t) => {
  const rows = [{ id: '1', title: 'Žltý kôň' }, { id: 'long' }]
  t.equal(formatTable(COLUMNS, rows), 'ID    TITLE\n1     Žltý kôň\nlong')
  t.equal(formatTable(COLUMNS, []), 'ID  TITLE')
})

t.test('no cell can send commands to the terminal', async (t) => {
  const title = 'Red \u001b[31m\u202e title\nID'
  t.equal(formatTable(COLUMNS, [{ id: '1', title }]), 'ID  TITLE\n1   Red [31m title ID')
})

t.test('programs get JSON, people get lines without absent values', async (t) => {
  const printed = t.capture(console, 'log')
  printRows('json', COLUMNS, [{ id: '1' }])
  printObject('json', COLUMNS, { id: '1' })
  printObject('table', COLUMNS, { id: '1' })
  const [rows, object, line] = printed().map(({ args: [text] }) => String(text))
  t.same(JSON.parse(rows ?? ''), [{ id: '1' }])
  t.same(JSON.parse(object ?? ''), { id: '1' })
  t.equal(line, 'ID:  1')
})
