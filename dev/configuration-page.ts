/** Builds the reference page of the configuration, and the table in the README. */
import type { Process } from '../runtime/config/variables/declare.ts'
import { CLUSTER_VARIABLES } from '../runtime/config/variables/cluster-processes.ts'
import { OUTSIDE_VARIABLES } from '../runtime/config/variables/outside-services.ts'
import {
  declarationOf,
  ruleOf,
  type Declaration,
  type VariableName,
} from '../runtime/config/variables/schema.ts'
import { SERVICE_VARIABLES } from '../runtime/config/variables/service.ts'
import { MADE_BY, table } from './markdown.ts'

const code = (value: unknown) => `\`${String(value)}\``

function defaultOf(declaration: Declaration): string {
  const { default: standard, onCluster, requiredBy = [], readBy, absent, items } = declaration
  if (absent !== undefined) return absent
  if (standard !== undefined && !items) {
    const isSame = onCluster === standard || !readBy.includes('service')
    return isSame ? code(standard) : `${code(standard)}; ${code(onCluster)} on a cluster`
  }
  if (requiredBy.length === 0) return 'none'
  const isForAll = readBy.every((process) => requiredBy.includes(process))
  return isForAll ? 'required' : `required by the ${requiredBy.join(' and the ')}`
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function rowsOf(variables: object): string[][] {
  return (Object.keys(variables) as VariableName[]).map((name) => {
    const declaration = declarationOf(name)
    const { summary, about, form } = declaration
    const sentences = [summary, ...(about === undefined ? [] : [about])]
    const value = form === 'text' ? 'any text' : ruleOf(declaration)
    return [code(name), defaultOf(declaration), value, sentences.map(capitalised).join('. ')]
  })
}

const HEAD = ['variable', 'default', 'value', 'meaning']

const PROCESSES: readonly Exclude<Process, 'service'>[] = [
  'api',
  'controller',
  'worker',
  'reader',
  'pkcs11',
]

/** Lists which variables each process of a cluster reads. */
function readersOf(): string[][] {
  const names = Object.keys({
    ...SERVICE_VARIABLES,
    ...CLUSTER_VARIABLES,
    ...OUTSIDE_VARIABLES,
  }) as VariableName[]
  return PROCESSES.map((process) => {
    const read = names.filter((name) => declarationOf(name).readBy.includes(process))
    return [process, read.map(code).join(', ')]
  })
}

const TOOLS = [
  [
    'CORPUS_DIR',
    '`../shared/corpus`',
    'PDFs of other producers; without it, tests that use them are skipped with one line',
  ],
  [
    'CLUSTER_DIR',
    '`.data/cluster`',
    'folder of `npm run cluster`, emptied at its start; a folder with other content is refused',
  ],
  [
    'KUBEBUILDER_ASSETS',
    'none',
    'folder with `kube-apiserver` and `etcd`; without it, binaries that were built before',
  ],
  ['CI', '', '`true`: tests fail when a program that they need cannot be installed'],
  ['SEED', 'random', 'repeats the random choices of a test run that printed it'],
].map(([name, ...rest]) => [code(name), ...rest])

/** Builds `docs/reference/configuration.md`. */
export function configurationPage(): string {
  return [
    MADE_BY,
    '# Configuration',
    '',
    'Generated from the schema in `runtime/config/variables/`. Each process reads environment',
    'variables once, at its start. If a value is missing or invalid, the start ends with a message',
    'that lists every such variable and the rule. An empty value counts as absent.',
    '',
    '## The service',
    '',
    'A service on one machine (`npm start`) reads all of these.',
    '',
    ...table(HEAD, rowsOf(SERVICE_VARIABLES)),
    '',
    'A request or an upload beyond a limit is answered with 429. Days and hours follow the clock',
    'in UTC, and the counts are approximate (decision 172). Behind a proxy that is not in',
    '`TRUSTED_PROXIES`, all callers share one address and its limits. On a cluster, workers use',
    'only `TENANT_MAILS_PER_DAY` of the limits by day and hour; its value must be the same as in',
    'the API.',
    '',
    'The start also ends when `DATA_DIR` cannot be written, is full, or is used by another',
    'service. When the disk fills up later, uploads and new cases answer 500, and the service',
    'retries pending work until there is space.',
    '',
    'For tests and tools:',
    '',
    ...table(['variable', 'default', 'meaning'], TOOLS as string[][]),
    '',
    '## Processes of a cluster',
    '',
    'The chart sets the required variables; add others to `api.environment` and the like.',
    '',
    ...table(['process', 'reads'], readersOf()),
    '',
    ...table(HEAD, rowsOf(CLUSTER_VARIABLES)),
    '',
    '## Outside services of a cluster',
    '',
    'A service on one machine ignores these. Only workers may have the variables that begin with',
    '`KMS_`: the API and the controller do not start with them.',
    '',
    ...table(HEAD, rowsOf(OUTSIDE_VARIABLES)),
    '',
    "Tenants' identity (issuer, audience, claim, value) is in their `Tenant` resources. An issuer",
    'at a private address requires `EGRESS_ALLOW`.',
    '',
  ].join('\n')
}

const BEGIN = '<!-- configuration: made by `npm run generate` -->'
const END = '<!-- configuration: end -->'

/** Replaces the table between two markers. @returns the text unchanged when it has no markers */
export function withConfigurationTable(readme: string): string {
  const [before, rest] = readme.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) return readme
  const rows = (Object.keys(SERVICE_VARIABLES) as VariableName[]).map((name) => {
    const { summary, default: standard, absent, items } = declarationOf(name)
    const value = standard === undefined || items ? 'none' : code(standard)
    return [code(name), absent?.split(';')[0] ?? value, summary]
  })
  return [before + BEGIN, ...table(['variable', 'default', 'meaning'], rows), END + after].join(
    '\n',
  )
}
