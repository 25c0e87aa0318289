import t from 'tap'
import { FairOrder } from '../../domain/fair-order.ts'

/** Takes all items that wait. */
function takeAll(order: FairOrder<string>): string[] {
  const taken: string[] = []
  for (let item = order.take(); item !== undefined; item = order.take()) taken.push(item)
  return taken
}

t.test('groups take turns, and the items of a group keep their order', async (t) => {
  const order = new FairOrder<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) order.add(item.charAt(0), item)
  t.same(takeAll(order), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  t.equal(order.take(), undefined)
})

t.test('a group that comes later gets its turn after those that wait', async (t) => {
  const order = new FairOrder<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1']) order.add(item.charAt(0), item)
  t.equal(order.take(), 'a1')
  order.add('c', 'c1')
  t.same(takeAll(order), ['b1', 'a2', 'c1', 'a3'])
})

t.test('an item waits once, and can be added again once it was taken', async (t) => {
  const order = new FairOrder<string>()
  order.add('a', 'a1')
  order.add('a', 'a1')
  t.equal(order.size, 1)
  t.ok(order.has('a', 'a1'))
  t.notOk(order.has('b', 'a1'))
  t.equal(order.take(), 'a1')
  t.notOk(order.has('a', 'a1'))
  order.add('a', 'a1')
  t.same(takeAll(order), ['a1'])
  t.equal(order.size, 0)
})

t.test('the first item of each group is known without being taken', async (t) => {
  const order = new FairOrder<string>()
  t.same(order.heads(), [])
  for (const item of ['a1', 'a2', 'b1']) order.add(item.charAt(0), item)
  t.same(order.heads(), ['a1', 'b1'])
  order.clear()
  t.equal(order.size, 0)
  t.same(order.heads(), [])
})
