/** A page of cases as tenants see it (decision 52). */
import { PHASES, type Phase } from '../../domain/cases/status.ts'
import { ValidationError } from '../../domain/errors.ts'
import type { ApiDeps } from '../deps.ts'
import { listCases } from '../../application/cases/list-cases.ts'
import { limitOf, type PageQuery } from '../../application/paging.ts'
import { presentListedCase } from './case.ts'

/** Not validated by the schema, so that `limit` and `cursor` keep codes of their own. */
function statusOf({ status }: { status?: unknown }): { status?: Phase } {
  if (status === undefined) return {}
  const known = PHASES.find((phase) => phase === status)
  if (known) return { status: known }
  const params = { allowedValues: PHASES }
  const message = 'must be equal to one of the allowed values'
  throw new ValidationError([{ instancePath: '/status', keyword: 'enum', params, message }])
}

/** @throws ValidationError, ServiceError INVALID_LIMIT, INVALID_CURSOR */
export async function presentCases(
  tenant: string,
  query: PageQuery & { status?: unknown },
  deps: ApiDeps,
) {
  const asked = { tenant, limit: limitOf(query), ...statusOf(query), cursor: query.cursor }
  const { cases, ...more } = await listCases(asked, deps)
  return { cases: await Promise.all(cases.map((seen) => presentListedCase(seen, deps))), ...more }
}
