/** Everything that the service answered, to read. */
import type { ValidationReport } from '../../domain/contract/validation-report.ts'
import { instantIn, numberIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'

/** What the report says of the file and of itself. */
export function ReportFacts({ report }: { report: ValidationReport }) {
  const { texts, language } = useSpeech()
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
    <dl class="details">
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** @param props `json`: the report as text */
export function FullReport({ report, json }: { report: ValidationReport; json: string }) {
  const { texts } = useSpeech()
  return (
    <details class="panel full-report">
      <summary>{texts.reportHeading}</summary>
      <div class="stack">
        <ReportFacts report={report} />
        <pre tabIndex={0} role="region" aria-label={texts.reportRaw}>
          {json}
        </pre>
      </div>
    </details>
  )
}
