import t from 'tap'
import { demoPdf } from '../../../web/console/demo-pdf.ts'
import { MINIMUM_PDF_BYTES } from '../../../domain/limits.ts'

t.test('the demo document has correct offsets and only ASCII', async (t) => {
  const file = new TextDecoder().decode(demoPdf('Ukážková (zmluva)'))
  t.ok(file.length >= MINIMUM_PDF_BYTES)
  t.match(file, '(Ukazkova \\(zmluva\\)) Tj')
  t.notMatch(file, /[^\n\x20-\x7e]/)
  const [, table = ''] = /xref\n0 6\n.*\n([^]*?)trailer/.exec(file) ?? []
  const offsets = table
    .trim()
    .split('\n')
    .map((line) => Number(line.slice(0, 10)))
  for (const [index, offset] of offsets.entries()) {
    t.equal(file.slice(offset, offset + 7), `${index + 1} 0 obj`)
  }
  t.equal(file.slice(Number(/startxref\n(\d+)/.exec(file)?.[1])).slice(0, 4), 'xref')
})
