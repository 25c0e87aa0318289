/** Builds the files of the Helm chart that are generated from schemas and rights of the code. */
import type { TSchema } from '@sinclair/typebox'
import { dump } from 'js-yaml'
import { definitionFiles } from '../crds/definition.ts'
import { MADE_BY, table } from '../markdown.ts'
import { FOLDER_ONLY, KEY_GRANTS, type KeySet } from '../../domain/key-grants.ts'
import { aggregatedRoles, installedManifests } from '../rbac/manifests.ts'
import { alertRules } from './alert-rules.ts'
import { dashboard } from './dashboard.ts'
import { ChartValues } from './values.ts'

const CHART = 'charts/sigcase'
const MADE_BY_YAML = '# Made by `npm run generate`; do not edit.'
/** Placeholder for the namespace of the release, which the template fills in. */
const NAMESPACE_OF_RELEASE = 'release'

type Schema = TSchema & { properties?: Record<string, TSchema> }

interface Leaf {
  /** Dotted, from the root of the values. */
  path: string
  schema: TSchema
}

const isGroup = (schema: Schema): schema is Schema & { properties: Record<string, TSchema> } =>
  schema.properties !== undefined

function leaves(schema: Schema, path = ''): Leaf[] {
  if (!isGroup(schema)) return [{ path, schema }]
  return Object.entries(schema.properties).flatMap(([name, member]) =>
    leaves(member, path === '' ? name : `${path}.${name}`),
  )
}

/** Helm's parser refuses texts such as `::/0` in a list without quotes. */
const inline = (value: unknown) =>
  dump(value, { flowLevel: 0, lineWidth: -1, forceQuotes: Array.isArray(value) }).trim()

function memberLines(name: string, schema: Schema, indent: string): string[] {
  const about = `${indent}# ${schema.description}`
  if (isGroup(schema)) {
    const members = groupLines(schema, `${indent}  `)
    const isEmpty = members.every((line) => line.trimStart().startsWith('#'))
    return [about, `${indent}${name}:${isEmpty ? ' {}' : ''}`, ...members]
  }
  if (schema.default !== undefined) return [about, `${indent}${name}: ${inline(schema.default)}`]
  const example = (schema.examples as unknown[] | undefined)?.[0]
  return [`${about}. Required, for example:`, `${indent}# ${name}: ${inline(example)}`]
}

const groupLines = (schema: Schema, indent: string): string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    memberLines(name, member, indent),
  )

/** Builds `values.yaml`: each default below its description. */
function valuesFile(): string {
  return [MADE_BY_YAML, ...groupLines(ChartValues, ''), ''].join('\n')
}

/** Builds `values.schema.json` in draft 7, which Helm validates values against. */
function schemaFile(): string {
  const $schema = 'http://json-schema.org/draft-07/schema#'
  return `${JSON.stringify({ $schema, title: 'Values of sigcase', ...ChartValues }, null, 2)}\n`
}

function referencePage(): string {
  const rows = leaves(ChartValues).map(({ path, schema }) => {
    const standard = schema.default === undefined ? 'required' : `\`${inline(schema.default)}\``
    return [`\`${path}\``, standard, `${schema.description}`]
  })
  return [
    MADE_BY,
    '# Values of the chart',
    '',
    'Generated from `dev/chart/values.ts`. Helm refuses values that are not in',
    '`charts/sigcase/values.schema.json`. See',
    '[Install on a cluster](../how-to/install-on-a-cluster.md).',
    '',
    ...table(['value', 'default', 'description'], rows),
    '',
  ].join('\n')
}

/** Lists the key sets that the chart mounts into each component; object URLs need none there. */
function keySets(): Record<string, KeySet[]> {
  const entries = Object.entries(KEY_GRANTS).map(([holder, sets]): [string, KeySet[]] => [
    holder,
    sets.filter((set) => !FOLDER_ONLY.has(set)),
  ])
  return Object.fromEntries(entries)
}

/** Builds the generated files of the chart. @returns paths from the repository root, with texts */
export function chartFiles(): [path: string, text: string][] {
  const manifests = installedManifests(NAMESPACE_OF_RELEASE)
  const aggregated = aggregatedRoles()
  return [
    [`${CHART}/values.yaml`, valuesFile()],
    [`${CHART}/values.schema.json`, schemaFile()],
    [`${CHART}/files/rbac.json`, `${JSON.stringify({ manifests, aggregated }, null, 2)}\n`],
    [`${CHART}/files/keyring.json`, `${JSON.stringify(keySets(), null, 2)}\n`],
    [`${CHART}/files/alerts.yaml`, dump(alertRules(), { lineWidth: -1 })],
    [`${CHART}/files/dashboard.json`, `${JSON.stringify(dashboard(), null, 2)}\n`],
    // Templates can read only files of the chart's own folder.
    ...definitionFiles().map(([path, text]): [string, string] => [`${CHART}/files/${path}`, text]),
    ['docs/reference/chart.md', referencePage()],
  ]
}
