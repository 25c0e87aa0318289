/** The API process on a cluster, which reports memory and stalls to the row `sse`. */
import process from 'node:process'
import { pino } from 'pino'
import { startApi } from '../../runtime/api.ts'
import { readApiConfig } from '../../runtime/config/processes.ts'
import { systemTimers } from '../../adapters/shared/system-timers.ts'
import { CASE_ID, participant } from '../../test/fixtures/signature-case.ts'
import { answerOrders } from './answer-orders.ts'

const [, , tenantToken = '', environment = '{}'] = process.argv
const config = readApiConfig(JSON.parse(environment) as Record<string, string>)
await startApi(config, { log: pino({ level: 'error' }), timers: systemTimers, closings: [] })
answerOrders({
  port: config.port,
  tenantToken,
  caseId: CASE_ID,
  participantId: participant(1).id,
})
