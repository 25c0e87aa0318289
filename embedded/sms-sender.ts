/** What sends one-time codes as SMS, in every process that serves the API. */
import type { Closing } from '../adapters/closings.ts'
import { ANYWHERE } from '../adapters/outbound-http/egress-policy.ts'
import { GuardedHttp } from '../adapters/outbound-http/guarded-http.ts'
import { HttpSmsGateway } from '../adapters/sms/http-gateway.ts'
import type { SmsGatewayConfig } from '../config/sms-gateway.ts'
import type { SmsSender } from '../domain/ports/sms-sender.ts'
import { systemTimers } from './system-timers.ts'

/**
 * The operator chose its address, which need not be public.
 *
 * @param closings gets what ends its connections, as the first
 */
export function openSmsSender(gateway: SmsGatewayConfig, closings: Closing[]): SmsSender {
  const http = new GuardedHttp({ timers: systemTimers, allowed: ANYWHERE })
  closings.unshift(() => http.close())
  return new HttpSmsGateway({ http, ...gateway })
}
