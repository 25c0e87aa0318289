import t from 'tap'
import { packagesOf, placeSource } from '../../dev/build-programs.ts'

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
  t.equal(
    place("new URL('child.ts', import.meta.url)"),
    "new URL('../dist/drawings.js', import.meta.url)",
  )
  t.throws(() => place("new URL('other.ts', import.meta.url)"), /starts other.ts, which is not/)
})

t.test('the code of a module belongs to its package, however deep it is', async (t) => {
  const modules = [
    'node_modules/a/index.js',
    'node_modules/@x/b/lib/c.js',
    'node_modules/a/node_modules/d/e.js',
    'node_modules/a/other.js',
    'domain/f.ts',
  ]
  t.same(packagesOf(modules), [
    'node_modules/@x/b',
    'node_modules/a',
    'node_modules/a/node_modules/d',
  ])
})
