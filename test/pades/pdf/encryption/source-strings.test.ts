import t from 'tap'
import { withStrings } from '../../../../pades/pdf/encryption/source-strings.ts'

t.test('strings in source are replaced, and nothing else', async (t) => {
  const reversed = (bytes: Uint8Array) => Uint8Array.from(bytes).reverse()
  const cases: readonly [before: string, after: string][] = [
    [
      '<< /A (ab) /B <4142> /C [(c\\)d) <</D()>>] >>',
      '<< /A <6261> /B <4241> /C [<642963> <</D<>>>] >>',
    ],
    ['<</A(a(b)c)/B 1 0 R>>', '<</A<6329622861>/B 1 0 R>>'],
    ['[ % (no) <string>\n (\\101\\\nb) ]', '[ % (no) <string>\n <6241> ]'],
    ['/Name 7 true', '/Name 7 true'],
  ]
  for (const [before, after] of cases) t.equal(withStrings(before, reversed), after)
})
