/** Tests of one process use a service one after the other, unless a test has altered it. */
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { runTestFile } from '../../../dev/run-test-file.ts'
import { BATCH_PROGRAM } from '../../../dev/test-suite/batches.ts'
import { ROOT } from '../../fixtures/source-tree.ts'

t.setTimeout(180_000)

const TAP = JSON.stringify(join(ROOT, 'node_modules/tap/dist/esm/index.js'))
const WORLD = JSON.stringify(join(ROOT, 'test/conformance/world.ts'))
const BEGIN = `import t from ${TAP}; import { openWorld } from ${WORLD}\n`

t.test('a service is used again without its mails, and not after its clock', async (t) => {
  const folder = t.testdir({
    'a.mjs': `${BEGIN}
      t.test('two at once', async (t) => {
        const [one, two] = [await openWorld(t), await openWorld(t)]
        t.not(one.url, two.url)
        const { participants } = await one.inProgress({ multiFactorType: 'EMAIL' })
        await one.asParticipant(participants[0], 'POST', 'otp')
        await one.code('jana@example.com')
        two.clock.pass(1000)
        globalThis.urls = [one.url, two.url]
      })`,
    'b.mjs': `${BEGIN}
      t.test('the first again', async (t) => {
        const world = await openWorld(t)
        t.equal(world.url, globalThis.urls[0])
        t.same(await world.mails('@'), [])
      })
      t.test('the first once more, until it is restarted', async (t) => {
        const world = await openWorld(t)
        t.equal(world.url, globalThis.urls[0])
        await world.restart()
      })
      t.test('neither of them', async (t) => {
        const [one, two] = [await openWorld(t), await openWorld(t, { LOG_LEVEL: 'fatal' })]
        t.notOk(globalThis.urls.includes(one.url) || globalThis.urls.includes(two.url))
        t.ok(await one.create())
      })
      t.test('a service is kept until the end', async (t) => t.ok(await openWorld(t)))`,
  })
  const files = ['a.mjs', 'b.mjs'].map((name) => join(folder, name))
  const result = await runTestFile([process.execPath, BATCH_PROGRAM, ...files])
  t.match(result, { failed: 0, passed: 9 }, result.output)
  t.notOk(result.fault)
})
