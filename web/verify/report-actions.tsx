/** The report to keep: as PDF, as JSON, on paper. */
import { useMemo } from 'preact/hooks'
import { Fault, Sign } from '../design/parts.tsx'
import type { Texts } from '../texts/en.ts'
import { useTexts } from '../texts/use-texts.ts'
import { FAULT_WORDS } from './faults.ts'
import { useObjectUrl } from './use-object-url.ts'
import { useReportPdf, type SavingState } from './use-report-pdf.ts'

interface ReportActionsProps {
  /** The file that was verified. */
  file: File
  /** Its name; the saved reports are named after it. */
  name: string
  /** The report as text. */
  json: string
}

/** What the status line says about saving the PDF; a failure has a line of its own. */
function statusText(state: SavingState, texts: Texts): string | null {
  if (state.kind === 'working') return texts.reportPdfWorking
  return state.kind === 'saved' ? texts.reportPdfSaved : null
}

/** Buttons that save or print the report. */
export function ReportActions({ file, name, json }: ReportActionsProps) {
  const texts = useTexts()
  const content = useMemo(() => new Blob([json], { type: 'application/json' }), [json])
  const url = useObjectUrl(content)
  const saved = `${name.replace(/\.pdf$/i, '')}-report`
  const { state, save } = useReportPdf(file, `${saved}.pdf`)
  const isWorking = state.kind === 'working'
  return (
    <section class="panel stack report-actions">
      <h2>{texts.reportKeep}</h2>
      <div class="row">
        <button type="button" class="button" aria-disabled={isWorking} onClick={save}>
          <Sign name="save" />
          {texts.reportDownloadPdf}
        </button>
        <a class="button" href={url} download={`${saved}.json`}>
          <Sign name="save" />
          {texts.reportDownload}
        </a>
        <button type="button" class="button" onClick={() => window.print()}>
          <Sign name="print" />
          {texts.reportPrint}
        </button>
      </div>
      <p class="quiet small">{texts.reportPdfHint}</p>
      <p role="status" class="small">
        {statusText(state, texts)}
      </p>
      <Fault>{state.kind === 'failed' ? String(texts[FAULT_WORDS[state.fault].text]) : null}</Fault>
    </section>
  )
}
