import t from 'tap'
import { objectPages } from '../../../application/store/object-pages.ts'
import { MemoryObjectStore } from '../../fixtures/memory-objects.ts'

const BYTES = Uint8Array.of(1)
const name = (index: number) => `folder/${String(index).padStart(4, '0')}`

async function buildStore(count: number): Promise<MemoryObjectStore> {
  const objects = new MemoryObjectStore(() => new Date(0))
  for (let index = 0; index < count; index++) {
    await objects.putIfAbsent(name(index), BYTES, 'text/plain')
  }
  await objects.putIfAbsent('folder-of-another/0000', BYTES, 'text/plain')
  return objects
}

async function readSizes(pages: AsyncIterable<readonly unknown[]>): Promise<number[]> {
  const sizes: number[] = []
  for await (const page of pages) sizes.push(page.length)
  return sizes
}

t.test('every object under the prefix is listed once, and what is beside it never', async (t) => {
  const keys: string[] = []
  for await (const page of objectPages(await buildStore(1_001), 'folder/')) {
    keys.push(...page.map(({ key }) => key))
  }
  t.strictSame(
    keys,
    Array.from({ length: 1_001 }, (_, index) => name(index)),
  )
})

t.test('names that no store accepts are left out, wherever a page ends', async (t) => {
  const objects = await buildStore(1_500)
  for (const odd of ['0000 copy', '0999 copy', '1499 copy', '.hidden']) {
    objects.upload(`folder/${odd}`, BYTES)
  }
  const keys: string[] = []
  for await (const page of objectPages(objects, 'folder/')) keys.push(...page.map(({ key }) => key))
  t.strictSame(
    keys,
    Array.from({ length: 1_500 }, (_, index) => name(index)),
  )
})

t.test('a full page may be the last, which the next says', async (t) => {
  t.strictSame(await readSizes(objectPages(await buildStore(1_000), 'folder/')), [1_000, 0])
})

t.test('objects may be removed while they are listed', async (t) => {
  const objects = await buildStore(2_001)
  for await (const page of objectPages(objects, 'folder/')) {
    for (const { key } of page) await objects.delete(key)
  }
  t.strictSame(await objects.list('folder/', { limit: 1 }), [])
})

t.test('a listing ends after the pages that it may have', async (t) => {
  t.strictSame(await readSizes(objectPages(await buildStore(2_001), 'folder/', 2)), [1_000, 1_000])
})
