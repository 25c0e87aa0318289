/** Lists of the API are read to their end, up to a limit. */
import t from 'tap'
import type { Outcome } from '../../../web/console/api.ts'
import { readPages } from '../../../web/console/read-pages.ts'

interface Page {
  items: number[]
  nextCursor?: string
}

/** A list of the API; records the requests. */
function listOf(pages: readonly Outcome<Page>[]) {
  const paths: string[] = []
  const ask = async <T>(_method: string, path: string): Promise<Outcome<T>> => {
    paths.push(path)
    return pages[paths.length - 1] as Outcome<T>
  }
  return { paths, ask }
}

const page = (items: number[], nextCursor?: string): Outcome<Page> => ({
  kind: 'answered',
  value: { items, ...(nextCursor === undefined ? {} : { nextCursor }) },
})

t.test('all pages are read, each by the cursor of the page before', async (t) => {
  const list = listOf([page([1], 'a/b'), page([2])])
  const outcome = await readPages<Page>(list, '/things?state=dead', 5)
  t.same(outcome, { kind: 'answered', value: [{ items: [1], nextCursor: 'a/b' }, { items: [2] }] })
  t.same(list.paths, ['/things?state=dead&limit=100', '/things?state=dead&limit=100&cursor=a%2Fb'])
})

t.test('reading ends at the limit of pages', async (t) => {
  const list = listOf([page([1], 'a'), page([2], 'b'), page([3])])
  const outcome = await readPages<Page>(list, '/things', 2)
  t.equal(outcome.kind === 'answered' && outcome.value.length, 2)
  t.same(list.paths, ['/things?limit=100', '/things?limit=100&cursor=a'])
})

t.test('a page that cannot be read is the outcome', async (t) => {
  const list = listOf([page([1], 'a'), { kind: 'unreachable' }])
  t.same(await readPages<Page>(list, '/things', 5), { kind: 'unreachable' })
})
