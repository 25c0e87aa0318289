import t from 'tap'
import { placeSource } from '../../dev/build-programs.ts'

t.test('a bundled source finds the files that are beside the source', async (t) => {
  const place = (text: string) => placeSource(text, 'adapters/drawings/drawing-reader.ts')
  t.equal(
    place('createRequire(import.meta.url)'),
    "createRequire(new URL('../../adapters/drawings/drawing-reader.ts', import.meta.url).href)",
  )
  t.equal(
    place('join(import.meta.dirname, "..")'),
    `join((import.meta.dirname + '/../../adapters/drawings'), "..")`,
  )
})

t.test('a bundled source starts the bundle of a program, and no other program', async (t) => {
  const place = (text: string) => placeSource(text, 'adapters/drawings/drawing-reader.ts')
  t.equal(place("new URL('child.ts', import.meta.url)"), "new URL('drawings.js', import.meta.url)")
  t.throws(() => place("new URL('other.ts', import.meta.url)"), /starts other.ts, which is not/)
})
