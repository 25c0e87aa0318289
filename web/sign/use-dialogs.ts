/** Loads the dialogs when the first page is painted, so that they do not delay it. */
import { useEffect, useState } from 'preact/hooks'
import type * as Loaded from './dialogs.ts'

export type Dialogs = typeof Loaded

/**
 * Loads them once, before a loss of the connection can prevent a signature.
 *
 * @param isPainted whether a page is on the screen
 * @param layer what a person opened; opening it tries again
 * @returns undefined until they are loaded
 */
export function useDialogs(isPainted: boolean, layer: string | undefined): Dialogs | undefined {
  const [dialogs, setDialogs] = useState<Dialogs | undefined>(undefined)
  const isNeeded = dialogs === undefined && (isPainted || layer !== undefined)
  useEffect(() => {
    if (!isNeeded) return
    import('./dialogs.ts').then(setDialogs, () => undefined)
  }, [isNeeded, layer])
  return dialogs
}
