/** Opens the document of a visit, and again when that failed. */
import { useEffect, useState } from 'preact/hooks'
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'
import type { ParticipantClient } from '../lib/client.ts'
import { DocumentBytes } from './document-bytes.ts'
import type { OpenPdf } from './pdf.ts'
import { viewOf, type View } from './view.ts'

interface PdfOptions {
  definition: CaseDefinitionAnswer
  client: ParticipantClient
  /** A link had run out, and the case has become something else meanwhile. */
  onChange(view: View): void
}

/** What is shown in place of a document: it cannot be fetched, or is not the one that is signed. */
export type PdfFault = 'broken' | 'other'

/** Opens the document part by part. */
export function usePdf({ definition, client, onChange }: PdfOptions) {
  const [pdf, setPdf] = useState<OpenPdf | PdfFault | undefined>(undefined)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let link = definition.document.url ?? ''
    const source = {
      sizeBytes: definition.document.size ?? 0,
      sha256: definition.document.sha256 ?? '',
      async link(isFresh: boolean) {
        if (!isFresh) return link
        const view = viewOf(await client.caseDefinition())
        if (view.kind === 'document') link = view.definition.document.url ?? link
        else if (view.kind !== 'problem' || view.problem.kind !== 'offline') onChange(view)
        return link
      },
    }
    let isOver = false
    let opened: OpenPdf | undefined
    const open = async () => {
      const bytes = new DocumentBytes(source)
      bytes.begin()
      const { openPdf } = await import('./pdf.ts')
      const fail = (fault: PdfFault) => () => isOver || setPdf(fault)
      opened = await openPdf(bytes, fail('broken'), fail('other'))
      if (!isOver) setPdf(opened)
    }
    open().catch(() => isOver || setPdf('broken'))
    return () => {
      isOver = true
      opened?.close()
    }
  }, [attempt])
  const retry = () => {
    setPdf(undefined)
    setAttempt(attempt + 1)
  }
  return { pdf, retry }
}
