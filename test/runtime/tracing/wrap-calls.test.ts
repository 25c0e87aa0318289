import t from 'tap'
import { type Call, wrapCalls } from '../../../runtime/tracing/wrap-calls.ts'

class Port {
  readonly #prefix = 'own'
  count = 1

  async get(key: string): Promise<string> {
    return `${this.#prefix} ${key}`
  }

  async put(key: string): Promise<string> {
    return this.get(key)
  }
}

t.test('only the named methods are wrapped, and private members work', async (t) => {
  const calls: string[] = []
  const wrapped = wrapCalls(new Port(), ['get'], (method, call: Call) => (...args: unknown[]) => {
    calls.push(method)
    return call(...args)
  })
  t.equal(await wrapped.get('a'), 'own a')
  t.equal(await wrapped.put('b'), 'own b', 'a call of its own method is not a call of the port')
  t.same(calls, ['get'])
  t.ok(wrapped instanceof Port)
  t.equal(wrapped.count, 1)
  t.equal(wrapped.get, wrapped.get, 'a method is wrapped once')
})
