/** The signing page on a kiosk. Its script is loaded while the kiosk is idle, or when needed. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { Stage } from '../design/parts.tsx'
import type { ParticipantLink } from '../lib/client.ts'
import { memoryKeep } from '../lib/keep.ts'
import type * as Page from '../sign/app.tsx'
import { Waiting } from '../sign/waiting.tsx'

const loadPage = () => import('../sign/app.tsx')

/**
 * Loads the signing page ahead, so that a handover does not wait for it.
 *
 * @param isReady whether the kiosk has what it needs to be idle
 */
export function usePrefetchedPage(isReady: boolean): void {
  useEffect(() => {
    // A failure is reported when the page is needed.
    if (isReady) loadPage().catch(() => undefined)
  }, [isReady])
}

interface SigningProps {
  link: ParticipantLink
  onSigned(signed: { isMailed: boolean }): void
}

/** Shows that the page is loading, and offers to load the kiosk again when that fails. */
export function Signing({ link, onSigned }: SigningProps) {
  // In the page's memory alone: gone with the screen.
  const keep = useMemo(memoryKeep, [link])
  const [page, setPage] = useState<typeof Page | undefined>(undefined)
  useEffect(() => {
    let isOver = false
    // The screen stays on what waits, which offers to try again.
    loadPage().then(
      (loaded) => isOver || setPage(loaded),
      () => undefined,
    )
    return () => void (isOver = true)
  }, [])
  if (page) return <page.SigningApp link={link} keep={keep} onSigned={onSigned} />
  return (
    <Stage>
      {/* Some browsers remember that a script failed, until the page is loaded again. */}
      <Waiting onRetry={() => window.location.reload()} />
    </Stage>
  )
}
