import t from 'tap'
import { identify, listRequired, type Lock } from '../../../dev/image/packages.ts'

const LOCK: Lock = {
  'node_modules/a': { version: '1.0.0', dependencies: { b: '2' }, peerDependencies: { c: '1' } },
  'node_modules/a/node_modules/b': { version: '2.0.0', dependencies: { '@x/d': '1' } },
  'node_modules/b': { version: '1.0.0' },
  'node_modules/c': {
    version: '1.0.0',
    peerDependencies: { b: '*' },
    peerDependenciesMeta: { b: { optional: true } },
  },
  'node_modules/@x/d': { name: '@y/d', version: '1.2.0' },
  'node_modules/e': { version: '1.0.0' },
}

t.test('packages are found as Node finds them, with all that they require', async (t) => {
  t.same(listRequired(LOCK, ['a', 'absent']), [
    'node_modules/@x/d',
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/c',
  ])
})

t.test('a package has its own name in a list, not that of its folder', async (t) => {
  t.equal(identify(LOCK, 'node_modules/@x/d'), '@y/d@1.2.0')
  t.equal(identify(LOCK, 'node_modules/a/node_modules/b'), 'b@2.0.0')
})
