/**
 * `npm run --silent erase -- --tenant acme <caseId>`: requests the erasure of a case on one
 * machine, as `kubectl annotate` does on a cluster. It takes effect at the next service start.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { SqliteCaseStore } from '../adapters/embedded/case-store.ts'
import { takeDataDirectory } from '../adapters/embedded/data-directory.ts'
import { ERASE_ANNOTATION } from '../domain/cases/erasure.ts'
import { hasEnded } from '../domain/cases/lifecycle.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import { readConfig } from '../runtime/embedded/config.ts'
import { casesPath } from '../runtime/embedded/paths.ts'
import { runTool, UsageError } from './usage.ts'

const USAGE = `usage: npm run --silent erase -- --tenant <name> <case id>
Erases documents and personal data of a case that has ended. This cannot be undone.
Set DATA_DIR to that of the service, and stop the service first.`

async function annotated(cases: SqliteCaseStore, tenant: string, caseId: string) {
  const found = await cases.get({ tenant, caseId })
  if (!found) throw new Error(`${tenant} has no case ${caseId}`)
  const annotations = { ...found.metadata.annotations, [ERASE_ANNOTATION]: caseId }
  return cases.replaceSpec({ ...found, metadata: { ...found.metadata, annotations } })
}

function describeErasure({ status }: SignatureCase): string {
  const phase = status?.phase ?? 'NEW'
  const waits = hasEnded(phase) ? '' : `, and the case, which is ${phase}, has ended`
  return `It is erased once the service runs${waits}.`
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { tenant: { type: 'string' } },
    allowPositionals: true,
  })
  const [caseId, more] = positionals
  if (values.tenant === undefined) throw new UsageError('a tenant is needed')
  if (caseId === undefined || more !== undefined) throw new UsageError('one case id is needed')
  const { dataDirectory } = readConfig(process.env)
  const release = await takeDataDirectory(dataDirectory)
  const cases = new SqliteCaseStore(casesPath(dataDirectory), () => new Date())
  try {
    console.log(describeErasure(await annotated(cases, values.tenant, caseId)))
  } finally {
    cases.close()
    release()
  }
  return 0
}

await runTool(main, USAGE)
