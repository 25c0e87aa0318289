import { join } from 'node:path'
import t from 'tap'
import { LANES, listTasks } from '../../../dev/test-suite/lanes.ts'
import { testsRuntimeUse, usesRuntime } from '../../../dev/test-suite/runtime-use.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

t.test('modules of Node, packages and globals are uses of the runtime', async (t) => {
  for (const source of [
    "import { createHash } from 'node:crypto'",
    "import {\n  parse,\n} from 'pkijs'",
    "const { inflate } = await import('node:zlib')",
    'const answer = await fetch(url)',
    'new TextDecoder().decode(bytes)',
    'left.localeCompare(right)',
    'await crypto.subtle.digest(name, bytes)',
  ]) {
    t.ok(usesRuntime(source), source)
  }
})

t.test('plain code, types and modules of the project are not', async (t) => {
  for (const source of [
    "import { Buffer } from 'node:buffer'",
    "import type { Readable } from 'node:stream'",
    "import type {\n  Certificate,\n} from 'pkijs'",
    "import { mask } from './mask.ts'\nexport const two = mask(1) + 1",
  ]) {
    t.notOk(usesRuntime(source), source)
  }
})

t.test('on Deno run tests of such sources, of topics and of adapters', async (t) => {
  t.ok(testsRuntimeUse('test/workers/trusted-lists.test.ts', ROOT), 'it decodes texts')
  t.ok(testsRuntimeUse('test/pades/sign/corpus.test.ts', ROOT), 'no source has its name')
  t.notOk(testsRuntimeUse('test/domain/mask.test.ts', ROOT))
  const files = listTasks(
    LANES.filter(({ name }) => name === 'deno'),
    ROOT,
  ).map(({ file }) => file)
  for (const file of [
    'test/adapters/s3/object-store.test.ts',
    'test/pades/sign/corpus.test.ts',
    'test/workers/finalise/finalise.test.ts',
  ]) {
    t.ok(files.includes(file), file)
  }
  t.notOk(files.includes('test/domain/mask.test.ts'))
})
