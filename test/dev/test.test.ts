/** `npm test`: says how it is called, and that nothing was found. */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { runTool } from '../fixtures/run-tool.ts'

t.setTimeout(400_000)

t.test('--help prints the usage and runs nothing', async (t) => {
  const { code, stdout } = await runTool('dev/test.ts', ['--help'])
  t.equal(code, 0)
  t.match(stdout, /^usage: npm test /)
})

t.test('a part of a path that no test has is a failure with its reason', async (t) => {
  const { code, stdout } = await runTool('dev/test.ts', ['no-such-test'])
  t.equal(code, 1)
  t.match(stdout, /no test is at no-such-test\n0 passed, 0 failed\n$/)
})

t.test('an unknown option is refused', async (t) => {
  const { code, stderr } = await runTool('dev/test.ts', ['--wait'])
  t.equal(code, 2)
  t.match(stderr, /--wait.*\nusage: npm test /s)
})

t.test('an unknown lane is refused with the names of all', async (t) => {
  const { code, stderr } = await runTool('dev/test.ts', ['--lane', 'nodes'])
  t.equal(code, 2)
  t.match(stderr, /there is no lane nodes; the lanes are: processes, contract, node, /)
})

t.test('both commands together run every file once in every lane', async (t) => {
  const listFiles = async (...args: string[]) => {
    const { stdout } = await runTool('dev/test.ts', ['--list', ...args])
    return stdout.trim().split('\n')
  }
  const [first, others, all] = [
    await listFiles(),
    await listFiles('--others'),
    await listFiles('--all'),
  ]
  t.same([...first, ...others].sort(), [...all].sort())
  t.equal(new Set(all).size, all.length)
  const named = new Set(all.map((line) => line.split('  ')[1]))
  // A Kubernetes node runs those of `npm run test:pods`.
  const options = { cwd: join(import.meta.dirname, '..', '..'), exclude: ['test/pods/**'] }
  const files = globSync('test/**/*.test.ts', options)
  t.same([...named].sort(), files.sort(), 'no file is forgotten')
})

t.test(
  'each part of a path is looked for, also in the lanes that npm test leaves out',
  async (t) => {
    const { stdout } = await runTool('dev/test.ts', [
      '--list',
      'domain/ids',
      'e2e/kill.',
      'no-such',
    ])
    t.equal(stdout, 'node  test/domain/ids.test.ts\nservices  test/e2e/kill.test.ts\n')
  },
)

t.test('npm test has no file that starts an API server or Redis', async (t) => {
  const root = join(import.meta.dirname, '..', '..')
  const { stdout } = await runTool('dev/test.ts', ['--list', '--lane', 'node'])
  const files = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('  ')[1] ?? '')
  const starts = /fixtures\/(cluster|local-cluster|redis-server|release\/\w+)\.ts'/
  const own = relative(root, import.meta.filename)
  const wrong = files.filter(
    (file) => file !== own && starts.test(readFileSync(join(root, file), 'utf8')),
  )
  t.same(wrong, [], 'such a file belongs to another lane of dev/test-suite/lanes.ts')
})

const isRoot = process.getuid?.() === 0
t.test(
  'packages are installed after a question, with --yes or with CI',
  { skip: !isRoot },
  async (t) => {
    const folder = t.testdir({})
    const calls = join(folder, 'calls')
    // No other program is on the path, except those of npm's packages.
    writeFileSync(join(folder, 'apt-get'), `#!/bin/sh\necho "$*" >> ${calls}\n`, { mode: 0o755 })
    const run = (args: readonly string[], CI = '') =>
      runTool('dev/test.ts', ['--lane', 'programs', 'redis/merged-calls', ...args], {
        env: { PATH: folder, CI },
      })
    const asked = await run([])
    t.match(asked.stdout, /missing Debian packages: .*chromium/)
    t.match(asked.stdout, /--yes installs them without a question/)
    t.notOk(existsSync(calls), 'nothing is installed without an answer')
    await run(['--yes'])
    t.match(readFileSync(calls, 'utf8'), /install -y --no-install-recommends .*chromium/)
    const inCi = await run([], 'true')
    t.match(inCi.stdout, /chromium is missing/)
    t.equal(inCi.code, 1, 'a missing program is a failure')
  },
)
