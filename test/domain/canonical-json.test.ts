import t from 'tap'
import { canonicalJson } from '../../domain/canonical-json.ts'

t.test('members are sorted by code units, and numbers have one form (RFC 8785, 3.2)', async (t) => {
  t.equal(canonicalJson({ b: 1e21, a: [0.1, -0, 4.5e-7] }), '{"a":[0.1,0,4.5e-7],"b":1e+21}')
  const members = { '\u20ac': 1, '\r': 2, '\ufb33': 3, 1: 4, '\u{1f600}': 5, '\u0080': 6, ö: 7 }
  t.same(Object.values(JSON.parse(canonicalJson(members))), [4, 2, 6, 7, 1, 5, 3])
  const order = [...canonicalJson(members).matchAll(/:(\d)/g)].map(([, value]) => Number(value))
  t.same(order, [2, 4, 6, 7, 1, 5, 3])
})

t.test('a value that JSON cannot represent is refused', async (t) => {
  const circular: Record<string, unknown> = {}
  circular.itself = circular
  for (const value of [undefined, () => 1, NaN, Infinity, circular, '\ud800']) {
    t.throws(() => canonicalJson(value))
  }
})
