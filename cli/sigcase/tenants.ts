/** `sigcase tenant …`: registers and lists tenants of a cluster, with the rights of kubectl. */
import type { CommandModule } from 'yargs'
import type { ApiServer } from '../../adapters/kubernetes/api-server.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Tenant } from '../../domain/tenants/schema.ts'
import { groupCommand } from './connection.ts'
import { OUTPUT_FORMATS, printObject, printRows, type Column, type OutputFormat } from './output.ts'

const TENANTS = '/apis/sigcase.dev/v1/tenants'

const readyCondition = ({ status }: Tenant) =>
  status?.conditions.find(({ type }) => type === 'Ready')

const COLUMNS: readonly Column<Tenant>[] = [
  { heading: 'NAME', read: ({ metadata }) => metadata.name },
  { heading: 'NAMESPACE', read: ({ spec }) => spec.namespace },
  { heading: 'READY', read: (tenant) => readyCondition(tenant)?.status ?? 'Unknown' },
  { heading: 'ISSUER', read: ({ spec }) => spec.identity.issuer },
  { heading: 'MESSAGE', read: (tenant) => readyCondition(tenant)?.message },
]

/** Where a request to the cluster went, and what to check when it does not answer. */
const describeUnreachable = (server: string, context: string) =>
  `The API server ${server} of the context ${context} does not answer. Check it with ` +
  '`kubectl cluster-info`. Set KUBECONFIG to the file of the cluster, or choose another context ' +
  'with `kubectl config use-context`'

/**
 * Asks the API server of the current context, like kubectl. Other commands do not load the client:
 * it has 850 modules.
 */
async function askCluster<T>(request: Parameters<ApiServer['send']>[0]): Promise<T> {
  const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js')
  const { ApiServer } = await import('../../adapters/kubernetes/api-server.ts')
  const config = new KubeConfig()
  config.loadFromDefault()
  try {
    return await new ApiServer(config).send<T>(request)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'TIMEOUT') throw error
    const server = config.getCurrentCluster()?.server ?? ''
    const message = describeUnreachable(server, config.getCurrentContext())
    throw new Error(message, { cause: error })
  }
}

interface CreateOptions {
  name: string
  namespace: string | undefined
  issuer: string
  audience: string
  claim: string
  value: string | undefined
  retentionDays: number | undefined
  output: OutputFormat
}

const create: CommandModule<object, CreateOptions> = {
  command: 'create <name>',
  describe: 'register a tenant, whose tokens carry a claim with a value',
  builder: (builder) =>
    builder
      .positional('name', { type: 'string', demandOption: true })
      .option('issuer', { type: 'string', demandOption: true, describe: 'OIDC issuer (URL)' })
      .option('audience', { type: 'string', demandOption: true, describe: 'audience of tokens' })
      .option('claim', { type: 'string', demandOption: true, describe: 'claim of the tenant' })
      .option('value', { type: 'string', describe: 'its value; the name by default' })
      .option('namespace', { type: 'string', describe: 'the name by default' })
      .option('retention-days', {
        type: 'number',
        describe: 'days to keep ended cases; for ever by default',
      })
      .option('output', {
        alias: 'o',
        choices: OUTPUT_FORMATS,
        default: 'table' as OutputFormat,
      }) as never,
  async handler({ name, namespace, issuer, audience, claim, value, retentionDays, output }) {
    const spec = {
      namespace: namespace ?? name,
      identity: { issuer, audience, claim, value: value ?? name },
      ...(retentionDays === undefined ? {} : { retentionDays }),
    }
    const body = { apiVersion: 'sigcase.dev/v1', kind: 'Tenant', metadata: { name }, spec }
    const created = await askCluster<Tenant>({ method: 'POST', path: TENANTS, body })
    printObject(output, COLUMNS, created)
  },
}

const list: CommandModule<object, { output: OutputFormat }> = {
  command: 'list',
  describe: 'list tenants and whether they are ready',
  builder: (builder) =>
    builder.option('output', {
      alias: 'o',
      choices: OUTPUT_FORMATS,
      default: 'table' as OutputFormat,
    }) as never,
  async handler({ output }) {
    const { items } = await askCluster<{ items: Tenant[] }>({ path: TENANTS })
    printRows(output, COLUMNS, items)
  },
}

/** `sigcase tenant`. */
export const tenantCommand = groupCommand('tenant', 'register and list tenants of a cluster', [
  create as unknown as CommandModule,
  list as unknown as CommandModule,
])
