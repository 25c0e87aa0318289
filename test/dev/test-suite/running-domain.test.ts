/** Errors that nothing catches fail the same tests as with the domains that tap brings. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import { Domain } from '../../../dev/test-suite/running-domain.ts'
import { ROOT } from '../../fixtures/source-tree.ts'

const TAP = JSON.stringify(join(ROOT, 'node_modules/tap/dist/esm/index.js'))
const PRELOAD = ['--import', join(ROOT, 'dev/test-suite/tap-domains.ts')]
/** Lines with the result of a test, without its duration. */
const RESULT = /^ *(?:not )?ok .*?(?=(?: # time=.*)?$)/gm

/** A file whose tests leave errors behind, and a test that passes after each of them. */
const SOURCE = `import t from ${TAP}
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const fail = (text) => { throw new Error(text) }
t.test('passes', async (t) => { await sleep(20); t.pass('first') })
t.test('has a timer that throws', async (t) => {
  setTimeout(() => fail('of the timer'), 5)
  await sleep(40)
})
t.test('passes after it', async (t) => t.pass('second'))
t.test('rejects', (t) => {
  void Promise.reject(new Error('of the promise'))
  setTimeout(() => t.end(), 30)
})
t.test('contains one', async (t) => {
  await t.test('that rejects', async () => {
    void Promise.reject(new Error('inner'))
    await sleep(30)
  })
  t.pass('third')
})
t.test('passes at the end', async (t) => t.pass('last'))
`

const CATCHING = `import t from ${TAP}
t.test('catches its own', async (t) => {
  const caught = new Promise((resolve) => process.once('uncaughtException', resolve))
  setTimeout(() => { throw new Error('expected') }, 5)
  t.match(await caught, { message: 'expected' }, 'uncaught')
  const rejected = new Promise((resolve) => process.once('unhandledRejection', resolve))
  void Promise.reject(new Error('expected too'))
  t.match(await rejected, { message: 'expected too' }, 'rejected')
})
`

function runFile(t: Test, source: string, args: readonly string[]) {
  const folder = t.testdir({ 'a.mjs': source })
  const { status, stdout } = spawnSync(process.execPath, [...args, join(folder, 'a.mjs')], {
    encoding: 'utf8',
    env: { ...process.env, TAP_TIMEOUT: '60' },
  })
  return { status, results: stdout.match(RESULT) ?? [] }
}

t.test('errors fail the tests that run, as with the domains of tap', async (t) => {
  const own = runFile(t, SOURCE, [])
  const replaced = runFile(t, SOURCE, PRELOAD)
  t.same(replaced, own)
  t.equal(replaced.status, 1)
  const failed = replaced.results.filter((line) => line.startsWith('not ok'))
  // tap reports a test twice that goes on after the error.
  t.same(
    [...new Set(failed.map((line) => line.replace(/^not ok \d+ - /, '')))],
    ['has a timer that throws', 'rejects', 'contains one'],
  )
})

t.test('a test receives the errors that it listens for', async (t) => {
  const own = runFile(t, CATCHING, [])
  t.same(runFile(t, CATCHING, PRELOAD), own)
  t.equal(own.status, 0)
})

t.test('an error after the last test fails the file', async (t) => {
  const source = `import t from ${TAP}
    t.test('passes', async (t) => t.pass())
    process.once('beforeExit', () => setTimeout(() => { throw new Error('late') }, 5))`
  t.not(runFile(t, source, PRELOAD).status, 0)
})

t.test('tap uses these domains when they are preloaded, and follows no promise', async (t) => {
  const source = `import { createHook } from 'node:async_hooks'
    import { createRequire, syncBuiltinESMExports } from 'node:module'
    const hooks = createRequire(import.meta.url)('node:async_hooks')
    let created = 0
    hooks.createHook = (methods) => { created++; return createHook(methods) }
    syncBuiltinESMExports()
    const { default: t } = await import(${TAP})
    t.test('hooks', async (t) => t.equal(created, 0))`
  t.equal(runFile(t, source, PRELOAD).status, 0)
  t.equal(runFile(t, source, []).status, 1, 'tap itself creates one')
})

t.test('a domain that ended receives nothing', async (t) => {
  const before = process.listenerCount('uncaughtExceptionMonitor')
  const domain = new Domain(() => t.fail('it has ended'))
  domain.destroy()
  domain.destroy()
  t.equal(process.listenerCount('uncaughtExceptionMonitor'), before)
})
