/** `npm run generate`: writes the files that are made from tables and schemas. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedFiles } from './generated-files.ts'

const ROOT = join(import.meta.dirname, '..')

for (const [path, text] of await generatedFiles()) {
  const file = join(ROOT, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  console.log(path)
}
