/** The document of a new case, opened on the device. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { LocalPdf } from '../fields/pdf.ts'
import { randomId } from '../lib/random-id.ts'

export interface OpenedDocument {
  /** Another one for each file. */
  key: string
  name: string
  bytes: Uint8Array
  pdf: LocalPdf
}

/** Opens one file at a time; the one before is closed. */
export function useDocument() {
  const [opened, setOpened] = useState<OpenedDocument | undefined>(undefined)
  const [isBroken, setBroken] = useState(false)
  const current = useRef<LocalPdf | undefined>(undefined)
  useEffect(() => () => current.current?.close(), [])
  /** @param onOpened called before the document is shown, and only when it is a PDF */
  const open = async (file: File, onOpened: () => void): Promise<void> => {
    try {
      const bytes = new Uint8Array(await file.arrayBuffer())
      const { openLocalPdf } = await import('../fields/pdf.ts')
      const pdf = await openLocalPdf(bytes)
      current.current?.close()
      current.current = pdf
      onOpened()
      setOpened({ key: randomId(), name: file.name, bytes, pdf })
      setBroken(false)
    } catch {
      setBroken(true)
    }
  }
  return { opened, isBroken, open }
}
