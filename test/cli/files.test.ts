/** What a developer command makes is written where it was called, or a sentence says that not. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { writeMade } from '../../cli/files.ts'
import { UsageError } from '../../cli/usage.ts'

t.test('relative paths start where the command was called', async (t) => {
  const folder = t.testdir()
  writeMade('out.pdf', Uint8Array.of(1), folder)
  t.same([...readFileSync(join(folder, 'out.pdf'))], [1])
})

t.test('what cannot be written is named', async (t) => {
  const write = () => writeMade('absent/out.pdf', Uint8Array.of(1), t.testdir())
  t.throws(write, new UsageError('absent/out.pdf cannot be written'))
})
