/** The API with 10,000 registered kiosks and stores that answer at once. */
import type { AddressInfo } from 'node:net'
import { signatureCase, participant, CASE_ID } from '../../test/fixtures/signature-case.ts'
import { device } from '../../test/fixtures/device.ts'
import { stubbedApi } from '../http/stubbed-api.ts'
import { answerOrders } from './answer-orders.ts'
import { KIOSKS, kioskAt } from './devices.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const { app, tenantToken, cases, devices } = await stubbedApi()
const validUntil = new Date(Date.now() + DAY_MS).toISOString()
cases.seed(signatureCase({ phase: 'IN_PROGRESS', definition: { quickSign: true, validUntil } }))
for (let index = 0; index < KIOSKS; index++) devices.seed(device(kioskAt(index)))
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo
answerOrders({ port, tenantToken, caseId: CASE_ID, participantId: participant(1).id })
