/** What sends one-time codes as SMS, in every process that serves the API. */
import type { SmsSender } from '../../domain/ports/sms-sender.ts'
import type { Closing } from '../closings.ts'
import { ANYWHERE } from '../outbound-http/egress-policy.ts'
import { GuardedHttp } from '../outbound-http/guarded-http.ts'
import { systemTimers } from '../system-timers.ts'
import { HttpSmsGateway, type HttpSmsGatewayOptions } from './http-gateway.ts'

/**
 * The operator chose its address, which need not be public.
 *
 * @param closings gets what ends its connections, as the first
 */
export function openSmsSender(
  gateway: Pick<HttpSmsGatewayOptions, 'url' | 'token'>,
  closings: Closing[],
): SmsSender {
  const http = new GuardedHttp({ timers: systemTimers, allowed: ANYWHERE })
  closings.unshift(() => http.close())
  return new HttpSmsGateway({ http, ...gateway })
}
