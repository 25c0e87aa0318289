/** A service that can be stopped and started anew on its data; its clock goes on meanwhile. */
import type { Test } from 'tap'
import { startEmbedded } from '../../runtime/embedded/service.ts'
import { World } from '../conformance/world.ts'
import { sharedReader } from '../fixtures/shared-reader.ts'
import { ShiftableTimers } from '../fixtures/shiftable-timers.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { configFor, dataDirectory } from './harness.ts'

/** @param more variables of the service; it is not started yet, and stopped with the test */
export async function restartable(t: Test, more: Record<string, string> = {}) {
  const folder = await dataDirectory(t)
  const clock = new ShiftableTimers()
  const document = await smallDocument()
  const config = configFor(folder, { LOG_LEVEL: 'fatal', ...more })
  let service: Awaited<ReturnType<typeof startEmbedded>> | undefined
  const stop = async () => {
    await service?.close()
    service = undefined
  }
  t.teardown(stop)
  const start = async () => {
    const begin = () => startEmbedded(config, clock, sharedReader())
    service = await begin()
    return new World({ start: begin, service, folder, clock, document })
  }
  return { folder, clock, start, stop }
}
