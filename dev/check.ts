/**
 * `npm run check`: runs every check that a commit must pass, fast ones first, and stops at the
 * first failure.
 */
import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { runTool } from '../cli/usage.ts'

const ROOT = join(import.meta.dirname, '..')

interface Step {
  name: string
  command: readonly string[]
}

const STEPS: readonly Step[] = [
  { name: 'format', command: ['prettier', '--check', '--log-level', 'warn', '.'] },
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'types of the pages', command: ['tsc', '-p', 'web'] },
  { name: 'types of the client', command: ['tsc', '-p', 'clients/typescript'] },
  { name: 'lint', command: ['oxlint'] },
  { name: 'unused files, exports and packages', command: ['knip', '--no-progress'] },
  { name: 'docstrings', command: ['node', 'test/docstrings.test.ts'] },
  { name: 'tidy', command: ['node', 'test/tidy.test.ts'] },
  { name: 'imports', command: ['node', 'test/imports.test.ts'] },
  { name: 'generated files', command: ['node', 'test/generate.test.ts'] },
  { name: 'chart', command: ['node', 'test/charts/sigcase/values.test.ts'] },
  { name: 'tests', command: ['node', 'dev/test.ts'] },
]

/** @returns the exit code: 0 when all checks pass, 1 after the first that fails */
async function main(): Promise<number> {
  process.env.PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  for (const { name, command } of STEPS) {
    const [program = '', ...args] = command
    console.log(`check: ${name}`)
    const { status } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' })
    if (status === 0) continue
    console.error(`check: ${name} failed`)
    return 1
  }
  return 0
}

await runTool(main, 'usage: npm run check')
