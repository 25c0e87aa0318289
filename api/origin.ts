/** From where a request came, as facts and trail keep it. */
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { cutToJsonBytes } from '../domain/cases/case-size.ts'
import { MAXIMUM_USER_AGENT_LENGTH } from '../domain/limits.ts'

const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i
/** RFC 4007, 11: it names an interface of the machine that said so, and can be of any length. */
const ZONE = /%.*$/
/** Address of a caller that disconnected before its address was read. */
const UNKNOWN_ADDRESS = '0.0.0.0'

/** An IPv4 address is written as one, also when the socket speaks IPv6. */
export function addressOf({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  // A trusted proxy may pass on any text; one that is not an address describes only the proxy.
  const address = [ip, socket.remoteAddress].find((text) => text !== undefined && isIP(text) !== 0)
  return (address ?? UNKNOWN_ADDRESS).replace(ZONE, '').replace(MAPPED_IPV4, '')
}

/**
 * Address and program of the caller. The program is cut to the octets that a case has room for, and
 * may be absent.
 */
export function originOf(request: FastifyRequest): { ip: string; userAgent?: string } {
  const header = request.headers['user-agent'] ?? ''
  const userAgent = cutToJsonBytes(header, MAXIMUM_USER_AGENT_LENGTH)
  return { ip: addressOf(request), ...(userAgent ? { userAgent } : {}) }
}
