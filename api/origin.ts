/** From where a request came, as facts and trail keep it. */
import type { FastifyRequest } from 'fastify'
import { MAXIMUM_USER_AGENT_LENGTH } from '../domain/limits.ts'

export function originOf({ ip, headers }: FastifyRequest): { ip: string; userAgent?: string } {
  const userAgent = headers['user-agent']?.slice(0, MAXIMUM_USER_AGENT_LENGTH)
  return { ip, ...(userAgent ? { userAgent } : {}) }
}
