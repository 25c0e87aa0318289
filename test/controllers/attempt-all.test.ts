/** Independent work of which a part fails. */
import t from 'tap'
import { attemptAll } from '../../controllers/attempt-all.ts'

t.test('an item that fails does not keep back the others', async (t) => {
  const done: string[] = []
  const work = async (item: string) => {
    done.push(item)
    if (item !== 'last') throw new Error(`${item} failed`)
  }
  await t.rejects(attemptAll(['first', 'second', 'last'], work), { message: 'first failed' })
  t.same(done, ['first', 'second', 'last'])
})

t.test('a listing that breaks off fails at once', async (t) => {
  const done: string[] = []
  async function* items() {
    yield 'first'
    throw new Error('the listing failed')
  }
  const work = async (item: string) => void done.push(item)
  await t.rejects(attemptAll(items(), work), { message: 'the listing failed' })
  t.same(done, ['first'])
})

t.test('work that succeeds is done once for each item', async (t) => {
  const done: number[] = []
  await attemptAll([1, 2, 3], async (item) => void done.push(item))
  t.same(done, [1, 2, 3])
})
