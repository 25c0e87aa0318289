/** Reads the configuration of the gateway that sends one-time codes as SMS. */
import { parseHttpUrl } from './parsers.ts'
import type { EnvironmentReader } from './reader.ts'

export interface SmsGatewayConfig {
  url: string
  token?: string
}

/** Syntax of a bearer token (RFC 6750, 2.1). */
const BEARER_TOKEN = /^[A-Za-z0-9._~+/-]+=*$/
const parseBearerToken = (text: string) => (BEARER_TOKEN.test(text) ? text : undefined)

/** Reads the variables about the gateway; its URL is a secret, because it may hold a password. */
export function readSmsGateway(reader: EnvironmentReader): SmsGatewayConfig | undefined {
  const url = reader.readSecret(
    'SMS_GATEWAY_URL',
    'an http or https URL without user name, password and fragment',
    parseHttpUrl,
  )
  const token = reader.readSecret(
    'SMS_GATEWAY_TOKEN',
    'a bearer token (RFC 6750)',
    parseBearerToken,
  )
  if (url !== undefined) return { url, ...(token === undefined ? {} : { token }) }
  if (token !== undefined)
    reader.faults.push('SMS_GATEWAY_TOKEN: SMS_GATEWAY_URL is required with it')
  return undefined
}
