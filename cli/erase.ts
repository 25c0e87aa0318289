/**
 * `npm run --silent erase -- --tenant acme <caseId>`: requests the erasure of a case on one
 * machine, as `kubectl annotate` does on a cluster. It takes effect at the next service start.
 */
import { parseArgs } from 'node:util'
import { ERASE_ANNOTATION } from '../domain/cases/erasure.ts'
import { hasEnded } from '../domain/cases/lifecycle.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import { isUuid } from '../domain/ids.ts'
import { openStores, type OpenedStores } from './archive/open-stores.ts'
import { restoreByOperator } from './archive/restore-by-operator.ts'
import { runTool, UsageError } from './usage.ts'

const USAGE = `usage: npm run --silent erase -- --tenant <name> <case id>
Erases documents and personal data of a case that has ended. This cannot be undone.
Set DATA_DIR to that of the service, and stop the service first.`

async function annotated(stores: OpenedStores, tenant: string, caseId: string) {
  const { cases } = stores
  const key = { tenant, caseId }
  if (!(await cases.get(key)) && isUuid(caseId)) await restoreByOperator(key, stores)
  const found = await cases.get(key)
  if (!found) throw new Error(`${tenant} has no case ${caseId}`)
  const annotations = { ...found.metadata.annotations, [ERASE_ANNOTATION]: caseId }
  return cases.replaceSpec({ ...found, metadata: { ...found.metadata, annotations } })
}

function describeErasure({ status }: SignatureCase): string {
  const phase = status?.phase ?? 'NEW'
  if (hasEnded(phase)) return 'The service erases the case after its next start.'
  return `The case is ${phase}. The service erases it when the case has ended.`
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { tenant: { type: 'string' } },
    allowPositionals: true,
  })
  const [caseId, more] = positionals
  if (values.tenant === undefined) throw new UsageError('a tenant is needed')
  if (caseId === undefined || more !== undefined) throw new UsageError('one case id is needed')
  const stores = await openStores('embedded')
  try {
    console.log(describeErasure(await annotated(stores, values.tenant, caseId)))
  } finally {
    await stores.close()
  }
  return 0
}

await runTool(main, USAGE)
