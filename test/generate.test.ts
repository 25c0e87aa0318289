import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { generatedFiles } from '../dev/generated-files.ts'

const ROOT = join(import.meta.dirname, '..')

/** A missing file differs from every text. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(join(ROOT, path), 'utf8')
  } catch {
    return undefined
  }
}

t.test('generated files are what `npm run generate` makes', async (t) => {
  const files = await generatedFiles()
  t.ok(files.size > 0)
  for (const [path, text] of files) t.ok(textOf(path) === text, `${path}: run npm run generate`)
})

t.test('the generator makes the same twice', async (t) => {
  t.same([...(await generatedFiles())], [...(await generatedFiles())])
})
