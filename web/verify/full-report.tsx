/** Everything that the service answered, to read and to keep. */
import { useEffect, useState } from 'preact/hooks'
import type { ValidationReport } from '../../domain/contract/validation-report.ts'
import { Sign } from '../design/parts.tsx'
import { instantIn, numberIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'

const INDENT = 2

/** An address within this page for a text; it ends with the view. */
function useObjectUrl(text: string): string | undefined {
  const [url, setUrl] = useState<string | undefined>(undefined)
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [text])
  return url
}

/** @param props `name`: of the file that was checked; the saved report is named after it */
export function FullReport({ report, name }: { report: ValidationReport; name: string }) {
  const { texts, language } = useSpeech()
  const json = JSON.stringify(report, null, INDENT)
  const url = useObjectUrl(json)
  const { validationTime, document, policy } = report
  const facts = [
    [texts.reportCheckedAt, instantIn(language, validationTime)],
    [texts.reportSize, texts.reportBytes(numberIn(language, document.size))],
    [texts.reportRevisions, String(document.revisions)],
    ...(document.unsignedTailBytes > 0
      ? [[texts.reportUnsignedTail, numberIn(language, document.unsignedTailBytes)]]
      : []),
    [texts.reportPolicy, `${policy.id} ${policy.version}`],
    [texts.reportDigest, document.sha256],
  ]
  return (
    <details class="panel full-report">
      <summary>{texts.reportHeading}</summary>
      <div class="stack">
        <dl class="details">
          {facts.map(([term, value]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <pre tabIndex={0} role="region" aria-label={texts.reportRaw}>
          {json}
        </pre>
        <a class="button" href={url} download={`${name.replace(/\.pdf$/i, '')}-report.json`}>
          <Sign name="save" />
          {texts.reportDownload}
        </a>
      </div>
    </details>
  )
}
