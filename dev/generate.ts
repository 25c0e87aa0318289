/** `npm run generate`: writes the files that are generated from tables and schemas. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedFiles } from './generated-files.ts'
import { runTool } from '../cli/usage.ts'

const ROOT = join(import.meta.dirname, '..')

async function main(): Promise<number> {
  for (const [path, text] of await generatedFiles()) {
    const file = join(ROOT, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(path)
  }
  return 0
}

await runTool(main, 'usage: npm run generate')
