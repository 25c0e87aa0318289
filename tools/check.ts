/**
 * `npm run verify` without a file: everything that must hold before a commit, the quickest first;
 * stops at the first fault.
 */
import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import process from 'node:process'

const ROOT = join(import.meta.dirname, '..')

interface Step {
  name: string
  command: readonly string[]
}

const STEPS: readonly Step[] = [
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'types of the pages', command: ['tsc', '-p', 'web'] },
  { name: 'lint', command: ['oxlint'] },
  { name: 'docstrings', command: ['node', 'test/docstrings.test.ts'] },
  { name: 'tidy', command: ['node', 'test/tidy.test.ts'] },
  { name: 'imports', command: ['node', 'test/imports.test.ts'] },
  { name: 'generated files', command: ['node', 'test/generate.test.ts'] },
  { name: 'chart', command: ['node', 'test/charts/sigcase/values.test.ts'] },
  { name: 'tests', command: ['node', 'tools/test.ts'] },
]

/** @returns the exit code: 1 at the first fault */
export function checkProject(): number {
  process.env.PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  for (const { name, command } of STEPS) {
    const [program = '', ...args] = command
    console.log(`verify: ${name}`)
    const { status } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' })
    if (status === 0) continue
    console.error(`verify: ${name} failed`)
    return 1
  }
  return 0
}
