/** Who asks: a tenant by identity token, a participant by signing link (specification 5.1, 5.2). */
import type { FastifyRequest } from 'fastify'
import type { CaseKey } from '../domain/ports/stores.ts'
import type { ApiDeps } from './deps.ts'
import { AuthenticationError } from './errors.ts'

const BEARER = /^Bearer +([^\s]+)$/i
const UNAUTHORIZED = 'Unauthorized'

/** What every bad token is answered with. */
export const unauthorized = () => new AuthenticationError(401, UNAUTHORIZED)

/**
 * @param authorization value of the header
 * @throws AuthenticationError 401 when it has no token
 */
export function bearerTokenIn(authorization = ''): string {
  const token = BEARER.exec(authorization)?.[1]
  if (token === undefined) throw unauthorized()
  return token
}

/** @throws AuthenticationError 401 when there is none */
export const bearerToken = ({ headers }: FastifyRequest): string =>
  bearerTokenIn(headers.authorization)

/** @throws AuthenticationError 401 without a valid token, 403 for one that names no tenant */
export async function authenticateTenant(
  request: FastifyRequest,
  deps: Pick<ApiDeps, 'identity'>,
): Promise<string> {
  return authenticateToken(bearerToken(request), deps)
}

/** @throws AuthenticationError 401 for a token that is not valid, 403 for one without a tenant */
export async function authenticateToken(
  token: string,
  { identity }: Pick<ApiDeps, 'identity'>,
): Promise<string> {
  const authentication = await identity.authenticate(token)
  switch (authentication.outcome) {
    case 'tenant':
      return authentication.tenant
    case 'no-tenant':
      throw new AuthenticationError(403, 'Forbidden')
    default:
      throw unauthorized()
  }
}

export type ParticipantKey = CaseKey & { participantId: string }

/**
 * @throws AuthenticationError 401 unless the link's token was made for the participant of the path
 */
export async function authenticateParticipant(
  request: FastifyRequest,
  { links }: Pick<ApiDeps, 'links'>,
): Promise<ParticipantKey> {
  const { participantId = '' } = request.params as { participantId?: string }
  const link = await links.read(bearerToken(request))
  if (!link || link.participantId !== participantId.toLowerCase()) {
    throw unauthorized()
  }
  return link
}

/** A link that leads nowhere yet is answered as a forged one is. */
export function refuseInactiveLink(): never {
  throw unauthorized()
}
