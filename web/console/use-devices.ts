/** The kiosks of the tenant. */
import { useCallback } from 'preact/hooks'
import type { PairedAnswer } from '../../domain/contract/device.ts'
import type { Outcome } from './api.ts'
import { useClient } from './client-context.ts'
import { isCutAfter, readPages, type CutList } from './read-pages.ts'
import { usePolled, type Polled } from './use-polled.ts'

const POLL_MS = 10_000
const MAXIMUM_PAGES = 10

interface Page {
  devices: PairedAnswer[]
  nextCursor?: string
}

/** The kiosks in the order of their names. */
export function useDevices(): Polled<CutList<PairedAnswer>> {
  const client = useClient()
  const read = useCallback(async (): Promise<Outcome<CutList<PairedAnswer>>> => {
    const outcome = await readPages<Page>(client, '/tenant/devices', MAXIMUM_PAGES)
    if (outcome.kind !== 'answered') return outcome
    const devices = outcome.value.flatMap((page) => page.devices)
    const items = devices.sort((a, b) => a.name.localeCompare(b.name))
    return { kind: 'answered', value: { items, isCut: isCutAfter(outcome.value) } }
  }, [client])
  return usePolled(read, POLL_MS)
}
