import t from 'tap'
import { pageSize, takeFirst } from '../../../cli/sigcase/listing.ts'

t.test('a listing ends after so many entries, and asks for no more', async (t) => {
  let made = 0
  async function* entries() {
    for (;;) yield made++
  }
  t.same(await takeFirst(entries(), 3), [0, 1, 2])
  t.equal(made, 3)
  t.same(
    await takeFirst(
      (async function* () {
        yield 'one'
      })(),
      3,
    ),
    ['one'],
  )
})

t.test('a page is not larger than the listing', async (t) => {
  t.equal(pageSize(5), 5)
  t.equal(pageSize(5_000), 100)
})
