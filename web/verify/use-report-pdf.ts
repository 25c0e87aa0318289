/** Fetches the report on a file as a PDF, and saves it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { fetchReportPdf, VerificationFault, type FaultKind } from './ask.ts'

export type SavingState =
  { kind: 'idle' } | { kind: 'working' } | { kind: 'saved' } | { kind: 'failed'; fault: FaultKind }

/** Has the browser save octets as a file. @returns their address, which some browsers read late */
function saveAs(content: Blob, fileName: string): string {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = fileName
  link.click()
  return link.href
}

/**
 * The state of the download; leaving the view gives it up.
 *
 * @param fileName name under which the PDF is saved
 */
export function useReportPdf(file: File, fileName: string) {
  const [state, setState] = useState<SavingState>({ kind: 'idle' })
  const running = useRef<AbortController | undefined>(undefined)
  const saved = useRef<string[]>([])
  useEffect(
    () => () => {
      running.current?.abort()
      for (const url of saved.current) URL.revokeObjectURL(url)
    },
    [],
  )
  const save = async () => {
    if (state.kind === 'working') return
    const { signal } = (running.current = new AbortController())
    setState({ kind: 'working' })
    try {
      const pdf = await fetchReportPdf({ file, signal, onProgress: () => undefined })
      if (signal.aborted) return
      saved.current.push(saveAs(pdf, fileName))
      setState({ kind: 'saved' })
    } catch (error) {
      if (signal.aborted) return
      const fault = error instanceof VerificationFault ? error.kind : 'unavailable'
      setState({ kind: 'failed', fault })
    }
  }
  return { state, save }
}
