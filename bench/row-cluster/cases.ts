/** Builds the case that the rows create, as the API stores it. */
import { pino } from 'pino'
import type { ApiServer } from '../../adapters/kubernetes/api-server.ts'
import { KubernetesCaseStore } from '../../adapters/kubernetes/case-store.ts'
import { newCase } from '../../domain/cases/create.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { INPUT } from '../case-input.ts'

const PAGE = 500
const MAXIMUM_PAGES = 1_000

/** Converts the input like the API. */
export function resourceOf({ tenant, caseId }: CaseKey): SignatureCase {
  return newCase(tenant, caseId, INPUT, { at: new Date().toISOString(), ip: '127.0.0.1' })
}

/** Creates a case with a given status on the API server. */
export async function storeCase(
  admin: ApiServer,
  described: SignatureCase,
): Promise<SignatureCase> {
  const store = new KubernetesCaseStore(admin, pino({ level: 'silent' }))
  const { name, namespace } = described.metadata
  const created = await store.create({ ...described, metadata: { name, namespace } })
  return described.status ? store.replaceStatus({ ...created, status: described.status }) : created
}

/** Counts the cases in all namespaces. */
export async function countCases(admin: ApiServer): Promise<number> {
  let count = 0
  let next: string | undefined
  for (let page = 0; page < MAXIMUM_PAGES; page++) {
    const { items, metadata } = await admin.send<{
      items: unknown[]
      metadata: { continue?: string }
    }>({
      path: '/apis/sigcase.dev/v1/signaturecases',
      query: { limit: PAGE, continue: next },
    })
    count += items.length
    next = metadata.continue
    if (!next) break
  }
  return count
}
