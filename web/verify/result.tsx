/** One sentence, then each signature, then everything (V1). */
import type { Remark, ValidationReport } from '../../domain/contract/validation-report.ts'
import { Sign, StepHeading } from '../design/parts.tsx'
import type { Texts } from '../texts/en.ts'
import { useSpeech, useTexts } from '../texts/use-texts.ts'
import { Changes } from './changes.tsx'
import { FullReport, ReportFacts } from './full-report.tsx'
import { qualificationVerdict } from './qualification.ts'
import { ReportActions } from './report-actions.tsx'
import { sentenceOf, wordsOf } from './sentence.ts'
import { SignatureCard, TimeStampCard } from './signature-card.tsx'
import { TONES, verdictOf, type Tone, type Verdict } from './verdict.ts'

const INDENT = 2
const MARKS = { good: 'check', warn: 'ask', bad: 'close', plain: 'file' } as const satisfies Record<
  Tone,
  string
>

interface ResultProps {
  report: ValidationReport
  file: File
  /** Name of the file. */
  name: string
  onReset(): void
}

const REMARK_TEXTS = {
  BYTES_AFTER_LAST_REVISION: 'remarkBytesAfter',
  ISSUED_EARLIER: 'remarkIssuedEarlier',
} as const satisfies Record<Remark, keyof Texts>

/** A good verdict with a remark is amber: the remark is to be read first. */
function toneOf({ kind }: Verdict, hasRemarks: boolean): Tone {
  const tone = TONES[kind]
  return tone === 'good' && hasRemarks ? 'warn' : tone
}

function VerdictCard({ report, name }: Pick<ResultProps, 'report' | 'name'>) {
  const { texts, language } = useSpeech()
  const verdict = verdictOf(report)
  const words = wordsOf(verdict, report)
  const qualification = words ? undefined : qualificationVerdict(report, texts)
  const { remarks = [] } = report.summary
  const isEarlier = remarks.some(({ code }) => code === 'ISSUED_EARLIER')
  const tone = toneOf(verdict, remarks.length > 0)
  return (
    <section class={`verdict ${tone}`}>
      <div class={`mark ${tone}`}>
        <Sign name={MARKS[tone]} />
      </div>
      <div class="stack tight">
        {remarks.map(({ code }) => (
          <p key={code} class="notice warn" role="status">
            {texts[REMARK_TEXTS[code]]}
          </p>
        ))}
        <StepHeading>
          {words ? String(texts[words.heading]) : sentenceOf(verdict, texts, language)}
        </StepHeading>
        {words ? <p>{String(texts[words.text])}</p> : null}
        {qualification ? <p>{qualification}</p> : null}
        {report.issuedByService && !isEarlier ? <p>{texts.issuedHere}</p> : null}
        <p class="file-name quiet small">
          <bdi>{name}</bdi>
        </p>
      </div>
    </section>
  )
}

/** The verdict, what was changed, each signature, and the whole report. */
export function Result({ report, file, name, onReset }: ResultProps) {
  const texts = useTexts()
  const json = JSON.stringify(report, null, INDENT)
  const { signatures, documentTimestamps } = report
  return (
    <div class="stack result">
      <VerdictCard report={report} name={name} />
      <Changes report={report} file={file} />
      {signatures.length + documentTimestamps.length > 0 ? (
        <section class="stack">
          <h2>{texts.signaturesHeading}</h2>
          <ol class="signatures">
            {signatures.map((one) => (
              <SignatureCard key={one.id} signature={one} report={report} />
            ))}
            {documentTimestamps.map((one) => (
              <TimeStampCard key={one.id} timeStamp={one} />
            ))}
          </ol>
        </section>
      ) : null}
      <ReportActions file={file} name={name} json={json} />
      <FullReport report={report} json={json} />
      <div class="on-paper">
        <ReportFacts report={report} />
      </div>
      <div class="row ending">
        <button type="button" class="button primary" onClick={onReset}>
          {texts.verifyAnother}
        </button>
        <p class="privacy quiet small">
          <Sign name="shield" />
          <span>{texts.verifyForgotten}</span>
        </p>
      </div>
    </div>
  )
}
