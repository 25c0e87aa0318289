/** `.ci/run` ends with one line that counts both test commands. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'

const SCRIPT = join(import.meta.dirname, '..', '..', '.ci', 'run')

/** What an npm of the test prints and returns for `npm ci`, `npm test` and `npm run test:all`. */
interface Npm {
  ci?: string
  test?: string
  run?: string
}

async function runCi(t: Test, { ci = 'true', test = 'true', run = 'true' }: Npm) {
  const folder = t.testdir({})
  const cases = `ci) ${ci};;\ntest) ${test};;\nrun) ${run};;`
  const npm = `#!/bin/sh\necho "npm $*"\ncase $1 in\n${cases}\nesac\n`
  writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 })
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
  return new Promise<{ code: number; lines: string[] }>((resolve) => {
    execFile('bash', [SCRIPT], { env }, (error, stdout) => {
      const code = typeof error?.code === 'number' ? error.code : 0
      resolve({ code, lines: stdout.trim().split('\n') })
    })
  })
}

const says = (passed: number, failed: number) => `echo "${passed} passed, ${failed} failed"`

t.test('the last line adds up what both commands ran', async (t) => {
  const good = await runCi(t, { test: says(10, 0), run: `${says(5, 0)}; echo npm notice` })
  t.equal(good.lines.at(-1), '15 passed, 0 failed')
  t.equal(good.code, 0)
  t.ok(good.lines.includes('npm run test:all -- --others'))
})

t.test('a failure in either command fails the run', async (t) => {
  const rows: readonly (readonly [Npm, string])[] = [
    [{ test: `${says(10, 2)}; exit 1`, run: says(5, 0) }, '15 passed, 2 failed'],
    [{ test: says(10, 0), run: `${says(5, 1)}; exit 1` }, '15 passed, 1 failed'],
    [{ test: says(10, 0), run: 'echo killed' }, '10 passed, 1 failed'],
    [{ test: says(10, 0), run: `${says(5, 0)}; exit 3` }, '15 passed, 1 failed'],
    // The output of a failing test can have any bytes.
    [{ test: `printf 'a\\000\\377\\n'; ${says(10, 2)}`, run: says(5, 0) }, '15 passed, 2 failed'],
    [{ ci: 'exit 1' }, '0 passed, 1 failed'],
    [{ test: says(0, 0), run: says(0, 0) }, '0 passed, 0 failed'],
  ]
  for (const [npm, last] of rows) {
    const { code, lines } = await runCi(t, npm)
    t.equal(lines.at(-1), last)
    t.equal(code, 1, last)
  }
})
