/** Downloads of a case: original, signed PDF, evidence. */
import type { CaseAnswer, DocumentAnswer } from '../../domain/contract/answers.ts'
import { Sign } from '../design/parts.tsx'
import { numberIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'
import { useConsoleTexts } from './use-console-texts.ts'

const KIBIBYTE = 1024

function Download({ label, document }: { label: string; document: DocumentAnswer }) {
  const texts = useConsoleTexts()
  const { language } = useSpeech()
  const { name, size, url } = document
  const kilobytes = size === undefined ? undefined : Math.max(1, Math.round(size / KIBIBYTE))
  const measure = kilobytes === undefined ? '' : texts.kilobytes(numberIn(language, kilobytes))
  return (
    <li class="document">
      <Sign name="file" />
      <span>
        {label}
        <span class="quiet small">
          <bdi>{name}</bdi> {measure}
        </span>
      </span>
      {url === undefined ? null : (
        <a class="button" href={url} download={name} aria-label={`${texts.download}: ${label}`}>
          {texts.download}
        </a>
      )}
    </li>
  )
}

/** Problems of the signatures that the upload carried; they do not prevent signing. */
function Warnings({ warnings }: { warnings: NonNullable<DocumentAnswer['warnings']> }) {
  const texts = useConsoleTexts()
  return (
    <div class="notice">
      <p>{texts.carried}</p>
      <ul>
        {warnings.map(({ code, fieldName }) => (
          <li key={`${code} ${fieldName}`}>
            {fieldName === undefined ? null : <bdi>{fieldName}</bdi>} {texts.carriedFaults[code]}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The section with the documents. Links work for 15 minutes; polling replaces them earlier. */
export function Documents({ seen }: { seen: CaseAnswer }) {
  const texts = useConsoleTexts()
  const { originalDocument, signedDocument, evidenceDocument } = seen
  return (
    <section class="panel stack tight">
      <h2>{texts.documents}</h2>
      <ul class="plain-list">
        <Download label={texts.original} document={originalDocument} />
        {signedDocument ? <Download label={texts.signedPdf} document={signedDocument} /> : null}
        {evidenceDocument ? <Download label={texts.evidence} document={evidenceDocument} /> : null}
      </ul>
      {originalDocument.warnings ? <Warnings warnings={originalDocument.warnings} /> : null}
    </section>
  )
}
