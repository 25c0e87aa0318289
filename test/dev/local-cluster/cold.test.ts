/** `npm run cluster` on a machine where nothing was built: it builds only what it uses. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../../..')

t.test('the CRD layer is not built, for no process of the cluster uses it', async (t) => {
  const folder = t.testdir({ assets: { etcd: '', 'kube-apiserver': '' } })
  const cache = join(folder, 'cache')
  const { stdout, stderr, status } = spawnSync(process.execPath, ['dev/local-cluster.ts'], {
    cwd: ROOT,
    // Without redis-server on PATH it ends before anything starts.
    env: {
      ...process.env,
      PATH: '',
      KUBEBUILDER_ASSETS: join(folder, 'assets'),
      SIGCASE_CACHE: cache,
    },
    encoding: 'utf8',
  })
  t.not(status, 0)
  t.match(stderr, 'redis-server is not installed')
  t.notMatch(stdout, 'building')
  t.notOk(existsSync(cache), 'no build has begun')
})

t.test('options of pods are refused without them, and a wrong number of nodes', async (t) => {
  for (const [args, message] of [
    [['--down'], '--down requires --pods'],
    [['--nodes', '2'], '--nodes requires --pods'],
    [['--pods', '--nodes', '3'], '--nodes is 1 or 2'],
  ] as const) {
    const { stderr, status } = spawnSync(process.execPath, ['dev/local-cluster.ts', ...args], {
      cwd: ROOT,
      env: { ...process.env, PATH: '' },
      encoding: 'utf8',
    })
    t.equal(status, 2)
    t.match(stderr, message)
  }
})
