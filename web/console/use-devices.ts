/** The kiosks of the tenant. */
import type { PairedAnswer } from '../../domain/contract/device.ts'
import type { Outcome, TenantClient } from './api.ts'
import { isCutAfter, readPages, type CutList } from './read-pages.ts'
import { useCutList, type MoreList } from './use-cut-list.ts'

const POLL_MS = 10_000
const PAGES_PER_STEP = 10

interface Page {
  devices: PairedAnswer[]
  nextCursor?: string
}

async function readDevices(
  client: TenantClient,
  maximumPages: number,
): Promise<Outcome<CutList<PairedAnswer>>> {
  const outcome = await readPages<Page>(client, '/tenant/devices', maximumPages)
  if (outcome.kind !== 'answered') return outcome
  const devices = outcome.value.flatMap((page) => page.devices)
  const items = devices.sort((a, b) => a.name.localeCompare(b.name))
  return { kind: 'answered', value: { items, isCut: isCutAfter(outcome.value) } }
}

/** The kiosks in the order of their names. */
export const useDevices = (): MoreList<PairedAnswer> =>
  useCutList(readDevices, PAGES_PER_STEP, POLL_MS)
