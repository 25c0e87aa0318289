/** `npm run cluster -- --pods` with the kubeconfig of a cluster that it did not start. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { FOREIGN_FOLDER } from '../../dev/pods/start-pods.ts'
import {
  HOME_NAMESPACE,
  KUBECONFIG,
  OUTSIDE_NAMESPACE,
  ROOT,
  TENANTS,
} from '../../dev/pods/layout.ts'
import { preparePrograms } from '../../dev/pods/programs.ts'
import { installRelease } from '../../dev/pods/release.ts'
import { cluster, kubectl, runCase, untilWhole } from './cases.ts'

const COMMAND_LIMIT_MS = 560_000
const { kubernetes } = preparePrograms()

/** Runs the command with a copy of the kubeconfig, so that it has no other access to this node. */
async function run(t: Test, ...args: string[]): Promise<string> {
  const folder = t.testdir()
  mkdirSync(folder, { recursive: true })
  const copy = join(folder, 'kubeconfig')
  writeFileSync(copy, readFileSync(KUBECONFIG))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'dev/local-cluster.ts'), '--pods', ...args],
    {
      env: {
        ...process.env,
        KUBECONFIG: copy,
        PATH: [kubernetes, dirname(process.execPath), process.env.PATH].join(delimiter),
      },
      timeout: COMMAND_LIMIT_MS,
    },
  )
  return stdout
}

const namespaces = async () => {
  const { items } = await kubectl.get<{ items: { metadata: { name: string } }[] }>('namespaces')
  return items.map(({ metadata }) => metadata.name)
}

const OWN = [HOME_NAMESPACE, OUTSIDE_NAMESPACE, ...TENANTS]

t.test('the command removes the service from another cluster, with its cases', async (t) => {
  t.setTimeout(COMMAND_LIMIT_MS)
  await untilWhole()
  await runCase(t)
  await run(t, '--down')
  const left = await namespaces()
  t.same(
    OWN.filter((name) => left.includes(name)),
    [],
    'no namespace is left',
  )
  t.notOk(existsSync(FOREIGN_FOLDER), 'no keyring is left')
})

t.test('the command installs the service in another cluster', async (t) => {
  t.setTimeout(COMMAND_LIMIT_MS)
  const output = await run(t)
  t.match(output, 'ready')
  await untilWhole()
  await runCase(t, FOREIGN_FOLDER)
  await run(t, '--down')
})

t.test('the release of the node is back for the other files', async (t) => {
  t.setTimeout(COMMAND_LIMIT_MS)
  await installRelease(cluster)
  await runCase(t)
})
