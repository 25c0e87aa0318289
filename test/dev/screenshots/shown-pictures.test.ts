import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { shownPictures } from '../../../dev/screenshots/shown-pictures.ts'
import { PICTURES } from '../../../dev/screenshots/pictures.ts'
import { ROOT } from '../../fixtures/source-tree.ts'

/** The limit for all pictures of the repository together. */
const MAXIMUM_BYTES = 600_000

t.test('the repository has the pictures that the documentation shows, and no others', async (t) => {
  const shown = shownPictures(ROOT)
  const stored = globSync('*.webp', { cwd: join(ROOT, 'docs/pictures') })
  t.strictSame(stored.toSorted(), [...shown].toSorted())
  const made = new Set(
    PICTURES.flatMap(({ name, isPaper = false }) =>
      isPaper ? `${name}.webp` : [`${name}-light.webp`, `${name}-dark.webp`],
    ),
  )
  t.strictSame(
    [...shown].filter((name) => !made.has(name)),
    [],
    '`npm run screenshots` makes each of them',
  )
})

t.test('the pictures of the repository are small', async (t) => {
  const paths = [...shownPictures(ROOT)].map((name) => join(ROOT, 'docs/pictures', name))
  const bytes = paths.filter(existsSync).reduce((sum, path) => sum + statSync(path).size, 0)
  t.ok(bytes > 0 && bytes <= MAXIMUM_BYTES, `${bytes} bytes`)
})
