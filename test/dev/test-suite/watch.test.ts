/** A change of a source is noticed, and one of a dependency or of what is built is not. */
import { spawn } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { listFolders } from '../../../dev/test-suite/watch.ts'

t.setTimeout(120_000)

const WATCH = join(import.meta.dirname, '../../../dev/test-suite/watch.ts')
const RUN = `import { watchSources } from ${JSON.stringify(WATCH)}
await watchSources(process.argv[1], async (tests) => console.log('tests:', ...tests))`

t.test('every folder with sources is watched', async (t) => {
  const root = t.testdir({ domain: {}, anything: {}, node_modules: {}, '.git': {}, 'a.ts': '' })
  t.same(listFolders(root), ['anything', 'domain'])
})

t.test('a changed file runs the tests that import it', async (t) => {
  const root = t.testdir({
    domain: { 'a.ts': '', 'b.ts': '' },
    node_modules: { 'c.ts': '' },
    test: {
      'a.test.ts': `import '../domain/a.ts'`,
      domain: { 'b.test.ts': `import '../../domain/b.ts'` },
    },
  })
  const child = spawn(process.execPath, ['--input-type=module', '-e', RUN, root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill())
  let output = ''
  const received = async (pattern: RegExp) => {
    while (!pattern.test(output)) {
      const [text] = await new Promise<[Buffer]>((resolve) =>
        child.stdout.once('data', (data: Buffer) => resolve([data])),
      )
      output += text.toString()
    }
  }
  await received(/^waiting for a change$/m)
  writeFileSync(join(root, 'node_modules/c.ts'), '1')
  appendFileSync(join(root, 'domain/b.ts'), ' ')
  await received(/^tests:.*\n/m)
  // Tests at the top of `test/` are of the repository as a whole.
  t.match(output, /^tests: test\/a\.test\.ts test\/domain\/b\.test\.ts$/m)
})
