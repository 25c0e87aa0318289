/** Files that come together are one group: written at the same time, then synchronised once. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { FolderWriter } from '../../../adapters/embedded/folder-writer.ts'

const encoder = new TextEncoder()
const contentOf = (text: string) => async () => encoder.encode(text)

/** A folder whose synchronisations end when the test says so. */
function openFolder(t: Test) {
  const folder = join(t.testdir(), 'mail')
  const synchronisations: { names: string[]; end(error?: Error): void }[] = []
  const writer = new FolderWriter(folder, async (synchronised) => {
    t.equal(synchronised, folder)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const end = (error?: Error) => (error ? reject(error) : resolve())
    synchronisations.push({ names: readdirSync(folder).sort(), end })
    return promise
  })
  /** Waits for a synchronisation, by its number from 0. */
  const began = async (index: number) => {
    while (!synchronisations[index]) await nextTurn()
    return synchronisations[index]
  }
  return { folder, writer, synchronisations, began }
}

t.test('files of one turn share a synchronisation, and wait for it', async (t) => {
  const { folder, writer, synchronisations, began } = openFolder(t)
  const answered: string[] = []
  const writes = ['a', 'b'].map(async (name) => {
    await writer.replace(name, contentOf(name))
    answered.push(name)
  })
  const { names, end } = await began(0)
  t.same(names, ['a', 'b'], 'both have their names before')
  await nextTurn()
  t.same(answered, [], 'neither is acknowledged before its end')
  end()
  await Promise.all(writes)
  t.same(answered.sort(), ['a', 'b'])
  t.equal(synchronisations.length, 1)
  t.equal(readFileSync(join(folder, 'a'), 'utf8'), 'a')
})

t.test('files that come while others are written are the next group', async (t) => {
  const { writer, synchronisations, began } = openFolder(t)
  const first = writer.replace('a', contentOf('a'))
  const { end } = await began(0)
  const others = ['b', 'c', 'a'].map((name) => writer.replace(name, contentOf('new')))
  end()
  await first
  const second = await began(1)
  t.same(second.names, ['a', 'b', 'c'])
  second.end()
  await Promise.all(others)
  t.equal(synchronisations.length, 2)
})

t.test('a file that cannot be made does not keep back the others', async (t) => {
  const { folder, writer, began } = openFolder(t)
  const refusal = new Error('no recipient')
  const refused = t.rejects(
    writer.replace('a', async () => {
      throw refusal
    }),
    refusal,
  )
  const written = writer.replace('b', contentOf('b'))
  const { end } = await began(0)
  end()
  await Promise.all([refused, written])
  t.same(readdirSync(folder), ['b'])
})

t.test('when the folder cannot be synchronised, each of the group fails', async (t) => {
  const { writer, began } = openFolder(t)
  const failure = new Error('input/output error')
  const failing = ['a', 'b'].map((name) =>
    t.rejects(writer.replace(name, contentOf(name)), failure),
  )
  const first = await began(0)
  first.end(failure)
  await Promise.all(failing)
  const next = writer.replace('a', contentOf('a'))
  const second = await began(1)
  second.end()
  await next
})

t.test('what a killed process did not finish is removed, and nothing else', async (t) => {
  const { folder, writer } = openFolder(t)
  await writer.sweep()
  mkdirSync(folder)
  const others = ['.0123456789abcdef0123456.tmp', '.hidden', 'a.eml', 'b.tmp']
  for (const name of ['.0123456789abcdef01234567.tmp', ...others])
    writeFileSync(join(folder, name), name)
  await writer.sweep()
  t.same(readdirSync(folder).sort(), others)
})

t.test('a file that cannot have its name leaves nothing behind', async (t) => {
  const { folder, writer, began } = openFolder(t)
  mkdirSync(join(folder, 'a'), { recursive: true })
  const refused = t.rejects(writer.replace('a', contentOf('a')), { code: 'EISDIR' })
  const { end } = await began(0)
  end()
  await refused
  t.same(readdirSync(folder), ['a'])
})
