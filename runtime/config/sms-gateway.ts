/** Reads the configuration of the gateway that sends one-time codes as SMS. */
import type { EnvironmentReader } from './reader.ts'

export interface SmsGatewayConfig {
  url: string
  token?: string
}

/** Reads the variables about the gateway. */
export function readSmsGateway(reader: EnvironmentReader): SmsGatewayConfig | undefined {
  const url = reader.get('SMS_GATEWAY_URL')
  const token = reader.get('SMS_GATEWAY_TOKEN')
  if (url !== undefined) return { url, ...(token === undefined ? {} : { token }) }
  if (token !== undefined)
    reader.faults.push('SMS_GATEWAY_TOKEN: SMS_GATEWAY_URL is required with it')
  return undefined
}
