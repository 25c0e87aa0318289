import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { API_VERSION } from '../../../clients/typescript/src/index.ts'
import { dataDirectory } from '../../e2e/harness.ts'
import { httpReceiver } from '../../fixtures/receiver.ts'
import { smallDocument } from '../../fixtures/signed-by-all.ts'
import { missingPython, runPython } from '../python.ts'
import { openClientWorld, SIGNING_SECRET } from '../world.ts'

t.setTimeout(300_000)
const skip = await missingPython()

t.test('the Python client runs cases, in threads and with asyncio', { skip }, async (t) => {
  const world = await openClientWorld(t)
  const receiver = await httpReceiver()
  t.teardown(() => receiver.close())
  const pdf = await smallDocument()
  const file = join(await dataDirectory(t), 'Zmluva č. 2.pdf')
  await writeFile(file, pdf)
  const hook = `http://127.0.0.1:${receiver.port}/hook`
  const args = [world.url, await world.token(), file, hook, SIGNING_SECRET]
  const { version, sync, aio } = JSON.parse(await runPython('drive_service.py', args))

  t.equal(version, API_VERSION)
  const size = [pdf.length, pdf.length]
  t.match(sync, {
    sameCase: true,
    progress: size,
    reminded: { caseId: sync.caseId, participantId: sync.participantId },
    status: 'DONE',
    lastLook: 'DONE',
    // The participant's signature and the seal of the service.
    indications: ['TOTAL_PASSED', 'TOTAL_PASSED'],
    issuedByService: true,
    original: true,
    evidence: '%PDF-',
    firstEvent: 'case.created',
    deliveries: 2,
    listed: true,
    page: 1,
    devices: ['Desk'],
    failed: 0,
  })
  t.ok(sync.eventCount > 6, 'several pages of events')
  t.same(sync.errors, [
    ['NOT_FOUND', 404],
    ['VALIDATION_FAILED', 400],
    ['INVALID_CURSOR', 400],
    ['NOT_A_PDF', 422],
    ['UNAUTHORIZED', 401],
    ['NOT_FOUND', 404],
    ['CASE_NOT_CANCELLABLE', 409],
  ])
  t.same(aio, {
    timedOut: 'WAIT_TIMEOUT',
    status: 'DONE',
    progress: size,
    indications: ['TOTAL_PASSED', 'TOTAL_PASSED'],
    events: 'case.created',
    listed: true,
    cancelled: ['CANCELLED', 'Other price'],
    ended: ['CASE_ENDED', 'CANCELLED', 'Other price'],
  })
})
