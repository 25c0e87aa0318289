/** Entries change in their source; every other byte stays. */
import t from 'tap'
import { describeAmbiguity, entryIn, withEntry, withItems } from '../../../pades/syntax/source.ts'

const PAGE = '<< /Type/Page  /Foo (a >> b) %note\n/Contents 11 0 R /Annots[1 0 R]>>'

t.test('an entry is replaced in place', async (t) => {
  const changed = '<< /Type/Page  /Foo (a >> b) %note\n/Contents 11 0 R /Annots [1 0 R 2 0 R]>>'
  t.equal(withEntry(PAGE, 'Annots', '[1 0 R 2 0 R]'), changed)
  t.equal(withEntry('<</A 1/B 2>>', 'A', '7 0 R'), '<</A 7 0 R/B 2>>')
  t.equal(withEntry('<</A(x)/B 2>>', 'A', 'true'), '<</A true/B 2>>')
})

t.test('a missing entry is added at the end', async (t) => {
  t.equal(withEntry('<< /A 1 >>', 'B', '2'), '<< /A 1  /B 2 >>')
  t.equal(withEntry('<<>>', 'B', '2'), '<< /B 2 >>')
})

t.test('an entry is removed with its key alone', async (t) => {
  t.equal(withEntry('<< /A 1 /B [2] /C 3 >>', 'B', undefined), '<< /A 1  /C 3 >>')
  t.equal(withEntry('<< /A 1 >>', 'B', undefined), '<< /A 1 >>')
})

t.test('the value of an entry is found, also behind one that looks like it', async (t) => {
  t.equal(entryIn(PAGE, 'Contents'), '11 0 R')
  t.equal(entryIn('<< /A << /B 1 >> /B 2 >>', 'B'), '2')
  t.equal(entryIn(PAGE, 'Resources'), undefined)
})

t.test('items come behind those of an array', async (t) => {
  t.equal(withItems('[1 0 R]', ['2 0 R', '3 0 R']), '[1 0 R 2 0 R 3 0 R ]')
  t.equal(withItems('[ [1] ]', ['2 0 R']), '[ [1]  2 0 R ]')
})

t.test('a dictionary that readers take differently is refused', async (t) => {
  for (const source of ['<< /A 1 > /B 2 >>', '<< /A 1 /A 2 >>', '<< /A foo >>']) {
    t.throws(() => withEntry(source, 'C', '1'), { code: 'AMBIGUOUS' }, source)
  }
})

t.test('a refusal says first what a person can do, then what is wrong in the file', async (t) => {
  t.equal(
    describeAmbiguity('UNCLOSED', { page: 3, object: 5 }),
    'PDF programs may show page 3 differently; print the document to a new PDF (which has no' +
      ' signatures) and upload that' +
      ' (UNCLOSED, object 5: an array, a dictionary or a string is not closed)',
  )
  t.match(
    describeAmbiguity('UNCLOSED'),
    /^PDF programs may show the document differently; print .+ \(UNCLOSED: /,
  )
})
