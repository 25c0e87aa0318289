/** Opens the SMS sender for every process that serves the API. */
import type { SmsSender } from '../../domain/ports/sms-sender.ts'
import type { Closing } from '../shared/closings.ts'
import { ANYWHERE } from '../outbound-http/egress-policy.ts'
import { GuardedHttp } from '../outbound-http/guarded-http.ts'
import { systemTimers } from '../shared/system-timers.ts'
import { HttpSmsGateway, type HttpSmsGatewayOptions } from './http-gateway.ts'

/**
 * Opens the sender. The operator chose its URL, which does not have to be public.
 *
 * @param closings receives a function that closes its connections, as the first entry
 */
export function openSmsSender(
  gateway: Pick<HttpSmsGatewayOptions, 'url' | 'token'>,
  closings: Closing[],
): SmsSender {
  const http = new GuardedHttp({ timers: systemTimers, allowed: ANYWHERE })
  closings.unshift(() => http.close())
  return new HttpSmsGateway({ http, ...gateway })
}
