/** What a process of several test files prints is joined, and nothing of it is lost. */
import { Buffer } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { joinOutput } from '../../../dev/test-suite/joined-output.ts'
import { ROOT } from '../../fixtures/source-tree.ts'

const MODULE = JSON.stringify(join(ROOT, 'dev/test-suite/joined-output.ts'))

function recorded() {
  const written: string[] = []
  const write = (chunk: string | Uint8Array) => written.push(Buffer.from(chunk).toString()) > 0
  return { written, stream: { write } as Pick<typeof process.stdout, 'write'> }
}

t.test('texts of one turn of the event loop are written at once', async (t) => {
  const { written, stream } = recorded()
  joinOutput(stream)
  t.ok(stream.write('a'))
  stream.write('b')
  t.same(written, [])
  await new Promise((resolve) => setImmediate(resolve))
  t.same(written, ['ab'])
  stream.write('c')
  await new Promise((resolve) => setImmediate(resolve))
  t.same(written, ['ab', 'c'])
})

t.test('what is left can be written at once, and octets keep their place', async (t) => {
  const { written, stream } = recorded()
  const flush = joinOutput(stream)
  stream.write('a')
  flush()
  t.same(written, ['a'])
  stream.write('b')
  stream.write(Buffer.from('c'))
  t.same(written, ['a', 'b', 'c'])
  flush()
  t.same(written, ['a', 'b', 'c'])
})

t.test('what is written last arrives when the process ends', async (t) => {
  for (const end of ['process.exit(3)', 'throw new Error("end")', '']) {
    const source = `import { joinOutput } from ${MODULE}
      joinOutput()
      process.stdout.write('first\\n')
      process.on('exit', () => process.stdout.write('last\\n'))
      ${end}`
    const args = ['--input-type=module', '--eval', source]
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    t.equal(stdout, 'first\nlast\n', end)
  }
})
