/** The job `kiosk`: what a case changes on the kiosks that show it. */
import t from 'tap'
import { handOver } from '../../domain/devices/handover.ts'
import { kiosk } from '../../workers/kiosk.ts'
import { device, DEVICE_ID, DEVICE_KEY, deviceIdOf } from '../fixtures/device.ts'
import { FrozenTimers } from '../fixtures/frozen-timers.ts'
import { MemoryCaseStore } from '../fixtures/memory-cases.ts'
import { MemoryEphemeral } from '../fixtures/memory-ephemeral.ts'
import { MemoryDeviceStore } from '../fixtures/memory-devices.ts'
import {
  CASE_ID,
  CASE_KEY,
  keyring,
  participant,
  signatureCase,
  TENANT,
  type CaseOptions,
} from '../fixtures/signature-case.ts'

const NOW = '2026-11-02T09:30:00.000Z'
const NOW_MS = Date.parse(NOW)
const OTHER_CASE = '00000000-0000-4000-8000-000000000000'
const withKiosk = { quickSign: true, device: { deviceId: DEVICE_ID } }

function world(options: CaseOptions) {
  const { now } = new FrozenTimers(NOW)
  const cases = new MemoryCaseStore()
  const devices = new MemoryDeviceStore()
  const ephemeral = new MemoryEphemeral()
  const put = (more: CaseOptions) => cases.seed(signatureCase({ phase: 'IN_PROGRESS', ...more }))
  put(options)
  devices.seed(device())
  const deps = { cases, devices, keyring, ephemeral, now }
  const shownBy = async (deviceId = DEVICE_ID) =>
    (await devices.get({ tenant: TENANT, deviceId }))?.spec.handOver
  const publications = () =>
    ephemeral.published.map((published) =>
      'deviceId' in JSON.parse(published) ? 'device' : 'case',
    )
  return { ...deps, put, shownBy, publications, run: () => kiosk(CASE_KEY, deps) }
}

const opened = (position: number) => ({
  state: 'open',
  caseId: CASE_ID,
  participantId: participant(position).id,
})

t.test('a case opens for one after the other, and closes behind the last', async (t) => {
  const { run, put, shownBy, publications } = world({ definition: withKiosk })
  await run()
  t.match(await shownBy(), { eventId: `${NOW_MS}-0`, ...opened(1) })
  t.same(publications(), ['device', 'case'])
  put({ definition: withKiosk, signed: 1 })
  await run()
  t.match(await shownBy(), { eventId: `${NOW_MS}-1`, ...opened(2) })
  put({ definition: withKiosk, signed: 2 })
  await run()
  t.match(await shownBy(), { eventId: `${NOW_MS}-2`, state: 'closed', reason: 'SIGNED' })
})

t.test('run again, it does nothing', async (t) => {
  const { run, shownBy, publications } = world({ definition: withKiosk })
  await run()
  const before = await shownBy()
  await run()
  t.same(await shownBy(), before)
  t.same(publications(), ['device', 'case', 'case'])
})

t.test('a case that ended is closed on every kiosk that shows it, and on no other', async (t) => {
  const { run, devices, shownBy } = world({ phase: 'CANCELLED', definition: { quickSign: true } })
  const show = (index: number, caseId: string) => {
    const kiosk = device({ deviceId: deviceIdOf(index) })
    const participantId = participant(1).id
    devices.seed(handOver(kiosk, { state: 'open', caseId, participantId }, NOW_MS))
  }
  show(1, CASE_ID)
  show(2, CASE_ID)
  show(3, OTHER_CASE)
  await run()
  for (const index of [1, 2]) {
    t.match(await shownBy(deviceIdOf(index)), { state: 'closed', reason: 'CANCELLED' })
  }
  t.match(await shownBy(deviceIdOf(3)), { state: 'open', caseId: OTHER_CASE })
})

t.test('what somebody opened in between stays', async (t) => {
  const { run, devices, shownBy } = world({ definition: withKiosk })
  let raced = false
  devices.beforeReplace = async () => {
    if (raced) return
    raced = true
    const showing = { state: 'open', caseId: OTHER_CASE, participantId: participant(1).id } as const
    devices.seed(handOver(device(), showing, NOW_MS))
  }
  await run()
  t.match(await shownBy(), { caseId: OTHER_CASE })
})

t.test('a removed kiosk or case has no work', async (t) => {
  const { run, devices, publications } = world({ definition: withKiosk })
  await devices.delete(DEVICE_KEY)
  await run()
  t.same(publications(), ['case'])
  const empty = { ...world({}), cases: new MemoryCaseStore() }
  await kiosk(CASE_KEY, empty)
  t.same(empty.publications(), [])
})
