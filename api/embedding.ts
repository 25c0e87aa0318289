/** Refuses requests of signing pages inside frames of sites that the tenant did not register. */
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../domain/errors.ts'
import { isEmbeddingOrigin } from '../domain/tenants/embedding-origin.ts'
import type { ApiDeps } from './deps.ts'
import { orTimeout } from '../application/cases/read-case.ts'

/** The signing page sends it when it is in a frame: the origin of the site around it. */
const EMBEDDING_HEADER = 'service-embedding-origin'

/** @returns the origin of the site around the signing page; undefined outside of frames */
export function embeddingOriginOf({ headers }: Pick<FastifyRequest, 'headers'>) {
  const origin = headers[EMBEDDING_HEADER]
  return origin === undefined ? undefined : String(origin)
}

/**
 * Refuses the request when its page is in a frame of a site that this tenant did not register.
 *
 * @param tenant of the case to which the signing link leads
 * @throws ServiceError EMBEDDING_NOT_ALLOWED, TIMEOUT when the registrations cannot be read
 */
export async function assertMayBeEmbedded(
  request: Pick<FastifyRequest, 'headers'>,
  tenant: string,
  { embedding }: Pick<ApiDeps, 'embedding'>,
): Promise<void> {
  const origin = embeddingOriginOf(request)
  if (origin === undefined) return
  const isAllowed =
    embedding !== undefined &&
    isEmbeddingOrigin(origin) &&
    (await orTimeout(() => embedding.isRegisteredBy(tenant, origin)))
  if (!isAllowed) throw new ServiceError('EMBEDDING_NOT_ALLOWED')
}
