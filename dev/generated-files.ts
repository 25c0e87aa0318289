/** Builds the files that are generated from tables and schemas; a test fails when they differ. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildApi } from '../api/app.ts'
import { SCHEMA } from '../api/graphql/resolvers.ts'
import type { ApiDeps } from '../api/deps.ts'
import { AUDIT_REFERENCE } from '../domain/audit/reference.ts'
import { TRANSITIONS } from '../domain/cases/lifecycle.ts'
import { PHASES } from '../domain/cases/status.ts'
import { ERRORS } from '../domain/errors.ts'
import { NO_METRICS } from '../domain/ports/metrics.ts'
import { withCapacityTables } from './capacity/tables.ts'
import { chartFiles } from './chart/files.ts'
import { clientFiles } from './clients/files.ts'
import { commandLinePage } from './command-line-page.ts'
import { configurationPage, withConfigurationTable } from './configuration-page.ts'
import { conformancePage } from './conformance-page.ts'
import { decisionsPage, readDecisions } from './decision-records.ts'
import { diagramFiles } from './diagrams/diagrams.ts'
import { FAULTS, type FaultKind, FINDINGS, type FindingKind, INFOS } from '../pades/index.ts'
import { definitionFiles } from './crds/definition.ts'
import { graphqlSchema } from './graphql-schema.ts'
import { logEventsPage } from './log-events-page.ts'
import { MADE_BY, table } from './markdown.ts'
import { metricsPage } from './metrics-page.ts'
import { policyPage } from './policy-page.ts'

/** URL of a service on one machine with the default configuration. */
const BASE_URL = 'http://127.0.0.1:8080'

/** Dependencies for declaring the routes; no route is called. */
const UNUSED_DEPS = {
  baseUrl: BASE_URL,
  trustedProxies: [],
  logLevel: 'silent',
  now: () => new Date(0),
  metrics: NO_METRICS,
} as unknown as ApiDeps

async function openApiDocument(): Promise<string> {
  const app = await buildApi(UNUSED_DEPS)
  await app.ready()
  const document = app.swagger()
  await app.close()
  return `${JSON.stringify(document, null, 2)}\n`
}

function lifecyclePage(): string {
  const moves = PHASES.map((phase) => {
    const { waitsFor, on } = TRANSITIONS[phase]
    const takes = Object.keys(on).map((event) => `\`${event}\``)
    return [`\`${phase}\``, waitsFor === 'nobody' ? '–' : waitsFor, takes.join(', ') || '–']
  })
  return [
    MADE_BY,
    '# States of a case',
    '',
    'Generated from the table `TRANSITIONS` in `domain/cases/lifecycle.ts`. When a state does not',
    'accept an event, the API answers `CASE_NOT_CANCELLABLE` or `CASE_NOT_ACTIVE`, and the',
    'controller ignores the event.',
    '',
    '![States of a case and the events between them](../diagrams/lifecycle.svg)',
    '',
    ...table(['state', 'waits for', 'accepts'], moves),
    '',
  ].join('\n')
}

function errorsPage(): string {
  const rows = Object.entries(ERRORS)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, retryable, message }]) => [
      String(status),
      `\`${code}\``,
      retryable ? 'helps' : 'does not help',
      message,
    ])
  return [
    MADE_BY,
    '# Errors by code',
    '',
    'Generated from the catalogue in `domain/errors.ts`. Clients should act on `code`;',
    '`message` may change.',
    '',
    ...table(['status', 'code', 'a retry', 'message'], rows),
    '',
  ].join('\n')
}

/** Lists members as `name` (note). */
function listed(members: Readonly<Record<string, string>>): string {
  return Object.entries(members)
    .map(([name, note]) => (note === '' ? `\`${name}\`` : `\`${name}\` (${note})`))
    .join(', ')
}

function auditEventsPage(): string {
  const rows = Object.entries(AUDIT_REFERENCE).map(
    ([type, { causedBy, actors, members, data }]) => [
      `\`${type}\``,
      causedBy,
      actors.join(', '),
      listed(members) || '–',
      listed(data) || '–',
    ],
  )
  return [
    MADE_BY,
    '# Audit events',
    '',
    'Generated from the table in `domain/audit/reference.ts`. The types are those of',
    'specification 6.1. Members that end in `?` are optional. `ip`, `userAgent` and `data` are',
    'personal data: the entry holds only commitments to them, and they can be erased.',
    '`occurredAt` is the time of the event, not the time at which the entry was written, and',
    'never before that of the previous entry. `sequence` is the order of the trail.',
    '',
    ...table(['type', 'caused by', 'actor', 'members', '`data`'], rows),
    '',
  ].join('\n')
}

function verificationPage(): string {
  const faults = Object.entries<FaultKind>(FAULTS).map(([code, { gravity, text }]) => [
    `\`${code}\``,
    gravity,
    text,
  ])
  const rows = Object.entries<FindingKind>(FINDINGS).map(([key, kind]) => [
    `\`${key}\``,
    kind.indication ?? 'a warning',
    kind.subIndication === undefined ? '–' : `\`${kind.subIndication}\``,
    kind.text,
  ])
  const infos = Object.entries(INFOS).map(([key, text]) => [`\`${key}\``, text])
  return [
    MADE_BY,
    '# Verification findings',
    '',
    'The keys of `errors` and `warnings` in a validation report, generated from the catalogue in',
    '`pades/findings.ts`. They are in order of precedence: of several findings with the same',
    'indication, the first decides the sub-indication. Indications are those of ETSI EN',
    '319 102-1. A signature without errors is `TOTAL_PASSED`. Clients should act on `key`;',
    '`text` may change.',
    '',
    ...table(['key', 'indication', 'sub-indication', 'text'], rows),
    '',
    'The keys of `infos` are observations about a signature that are not errors:',
    '',
    ...table(['key', 'text'], infos),
    '',
    '## Two judges',
    '',
    'A signature passes only when a second, independent library (pkijs) comes to the same result.',
    '`secondOpinion` says what it found: `value` (digest and signature value), `path` (the',
    'certification path) and `revocation` (the lists and answers that our own reader used), each',
    '`right`, `wrong` or `unknown`. `path` and `revocation` are absent when our own reader found',
    'nothing good to confirm. The library does not combine delta lists with complete ones. It',
    'reads 100 lists of 8 MB together, and where there are more, those on which our reader relies.',
    'Where it does not confirm what our own reader says, `SECOND_JUDGE_DISAGREES` is an error of',
    'the signature or time-stamp and of every signature that relies on it. It never makes a',
    'verdict better. Workers count such reports as `sigcase_verification_disagreements_total`.',
    '',
    '## Syntax that readers may take differently',
    '',
    'PDF readers may interpret this syntax differently. The table comes from',
    '`pades/syntax/faults.ts`. Intake refuses a document in which an ambiguous fault can affect a',
    'page. A signed revision with an ambiguous fault does not pass when a later revision follows',
    'it. A later revision must have no fault of either kind, except a tolerated fault that the',
    'object had before.',
    '',
    ...table(['fault', 'severity', 'description'], faults),
    '',
  ].join('\n')
}

/** Builds all generated files. @returns paths from the repository root, with texts */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const openApi = await openApiDocument()
  const root = join(import.meta.dirname, '..')
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  return new Map([
    ['README.md', withConfigurationTable(read('README.md'))],
    ['api/openapi.json', openApi],
    ['api/graphql/schema.graphql', graphqlSchema(SCHEMA)],
    ...chartFiles(),
    ...(await clientFiles(openApi)),
    ...definitionFiles(),
    ...diagramFiles(),
    ['docs/capacity.md', withCapacityTables(read('docs/capacity.md'))],
    ['docs/decisions/README.md', decisionsPage(readDecisions(root))],
    ['docs/reference/audit-events.md', auditEventsPage()],
    ['docs/reference/configuration.md', configurationPage()],
    ['docs/reference/conformance.md', conformancePage()],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/lifecycle.md', lifecyclePage()],
    ['docs/reference/log-events.md', logEventsPage()],
    ['docs/reference/metrics.md', metricsPage()],
    ['docs/reference/command-line.md', await commandLinePage()],
    ['docs/reference/verification.md', verificationPage()],
    ['docs/reference/verification-policy.md', policyPage()],
  ])
}
