/** The first tenant of an installation, by the commands of docs/how-to/install-on-a-cluster.md. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import t from 'tap'
import { KUBECONFIG, ROOT } from '../../dev/pods/layout.ts'
import { preparePrograms } from '../../dev/pods/programs.ts'
import { installChart, mintToken } from '../../dev/pods/release.ts'
import { cluster, kubectl, NAMESPACE, untilWhole } from './cases.ts'

const LIMIT_MS = 580_000
/** The name on the page belongs to another tenant of the node. */
const NAME = 'first'
const SECRET = `sigcase-${NAME}-token`
const page = readFileSync(join(ROOT, 'docs/how-to/install-on-a-cluster.md'), 'utf8')
const COMMANDS = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)

/** Kubernetes 1.20 does not know all members of the manifests. */
const HELM = `helm() {
  case $1 in
    upgrade) command helm "$@" --disable-openapi-validation ;;
    *) command helm "$@" ;;
  esac
}`

/** The commands for a tenant whose tokens the node can make. */
const adapted = (commands: string) =>
  commands
    .replaceAll(/\bacme\b/g, NAME)
    .replace(/issuer: .*/, 'issuer: sigcase-local')
    .replace(/claim: .*/, 'claim: tenant')

t.test('a tenant gets its namespace, and `helm test` brings its case to DONE', async (t) => {
  t.setTimeout(LIMIT_MS)
  await untilWhole()
  const folder = t.testdir()
  mkdirSync(join(folder, 'charts'), { recursive: true })
  cpSync(join(cluster.folder, 'chart'), join(folder, 'charts/sigcase'), { recursive: true })
  cpSync(join(cluster.folder, 'values.json'), join(folder, 'values.yaml'))
  t.teardown(async () => {
    await installChart(cluster)
    await kubectl.run('delete', 'secret', SECRET, NAMESPACE, '--ignore-not-found')
    await kubectl.run('delete', 'tenant', NAME, '--ignore-not-found')
    await kubectl.run('delete', 'namespace', NAME, '--ignore-not-found', '--timeout=180s')
  })
  const env = {
    ...process.env,
    KUBECONFIG,
    PATH: [preparePrograms().kubernetes, process.env.PATH].join(delimiter),
    TOKEN: await mintToken(cluster.folder, NAME),
  }
  let output = ''
  for (const commands of COMMANDS) {
    const script = `${HELM}\n${adapted(commands)}`
    const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: folder, env })
    output += stdout
  }
  t.match(output, /^Phase: +Succeeded$/m)
  t.match(output, /DONE +(\d)\/\1/, 'the case of the tenant is DONE')
})
