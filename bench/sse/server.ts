/** The API with 10,000 registered kiosks and stores that answer at once. */
import type { AddressInfo } from 'node:net'
import { participant, CASE_ID } from '../../test/fixtures/signature-case.ts'
import { device } from '../../test/fixtures/device.ts'
import { stubbedApi } from '../http/stubbed-api.ts'
import { answerOrders } from './answer-orders.ts'
import { handedCase, KIOSKS, kioskAt } from './devices.ts'

const { app, tenantToken, cases, devices } = await stubbedApi()
cases.seed(handedCase())
for (let index = 0; index < KIOSKS; index++) devices.seed(device(kioskAt(index)))
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo
answerOrders({ port, tenantToken, caseId: CASE_ID, participantId: participant(1).id })
