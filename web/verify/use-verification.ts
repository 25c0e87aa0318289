/** One file at a time on its way through the service. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ValidationReport } from '../../domain/contract/validation-report.ts'
import { verifyFile, VerificationFault, type FaultKind } from './ask.ts'

export type Step =
  | { kind: 'choosing' }
  /** @param part of the file that is uploaded, 0 to 1 */
  | { kind: 'working'; file: File; part: number }
  | { kind: 'failed'; file: File; fault: FaultKind }
  | { kind: 'done'; file: File; report: ValidationReport }

export interface Verification {
  step: Step
  begin(file: File): void
  /** Back to the start; what is on its way is given up. */
  reset(): void
}

/** The step that the file is at; leaving the page gives it up. */
export function useVerification(): Verification {
  const [step, setStep] = useState<Step>({ kind: 'choosing' })
  const running = useRef(new AbortController())
  useEffect(() => () => running.current.abort(), [])
  const renew = () => {
    running.current.abort()
    running.current = new AbortController()
    return running.current.signal
  }
  const begin = (file: File) => {
    const signal = renew()
    const show = (next: Step) => {
      if (!signal.aborted) setStep(next)
    }
    show({ kind: 'working', file, part: 0 })
    const onProgress = (part: number) => show({ kind: 'working', file, part })
    verifyFile({ file, onProgress, signal }).then(
      (report) => show({ kind: 'done', file, report }),
      (error: unknown) => {
        const fault = error instanceof VerificationFault ? error.kind : 'unavailable'
        show({ kind: 'failed', file, fault })
      },
    )
  }
  const reset = () => {
    renew()
    setStep({ kind: 'choosing' })
  }
  return { step, begin, reset }
}
