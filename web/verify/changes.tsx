/** What was changed, and after which signature (V2). */
import { useMemo } from 'preact/hooks'
import type { ValidationReport } from '../../domain/contract/validation-report.ts'
import { Sign } from '../design/parts.tsx'
import { changeSentence } from '../texts/change-words.ts'
import { instantIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'
import { changeGroups, type ChangeGroup } from './change-groups.ts'
import { useObjectUrl } from './use-object-url.ts'
import {
  alterationsOf,
  nameOf,
  signedRevision,
  timeOf,
  verdictOf,
  type Alteration,
  type SignatureReport,
} from './verdict.ts'

/** Objects for those who want to look into the file. */
function objectsOf({ changes }: ChangeGroup): string {
  const names = changes.map(({ object, path }) => path || String(object))
  return [...new Set(names)].join(', ')
}

function OneChange({ group }: { group: ChangeGroup }) {
  const { texts, language } = useSpeech()
  return (
    <li>
      <strong>{changeSentence(language, group)}</strong>
      <span class="quiet small">({texts.changeObjects(objectsOf(group))})</span>
    </li>
  )
}

/** Whether a signature was there before the change, and not only a time-stamp. */
const isOfSignature = ({ signature }: Alteration): boolean => signature.id.startsWith('S')

/** The signed revision beside the present one, each in a tab of its own. */
function Versions({ alteration, file }: { alteration: Alteration; file: Blob }) {
  const { texts } = useSpeech()
  const isSignature = isOfSignature(alteration)
  const [present, signed] = useMemo(
    () => [file.slice(0, file.size, 'application/pdf'), signedRevision(file, alteration)],
    [file, alteration],
  )
  const signedUrl = useObjectUrl(signed)
  const presentUrl = useObjectUrl(present)
  if (!signed) return null
  return (
    <div class="stack tight versions">
      <div class="row">
        <a class="button" href={signedUrl} target="_blank" rel="noopener">
          <Sign name="file" />
          {isSignature ? texts.changesOpenSigned : texts.changesOpenStamped}
        </a>
        <a class="button" href={presentUrl} target="_blank" rel="noopener">
          <Sign name="file" />
          {texts.changesOpenPresent}
        </a>
      </div>
      <p class="quiet small">{texts.changesOpenHint}</p>
    </div>
  )
}

interface AlterationProps {
  alteration: Alteration
  report: ValidationReport
  file: Blob
}

function OneAlteration({ alteration, report, file }: AlterationProps) {
  const { texts, language } = useSpeech()
  const { signature, isInside, changes } = alteration
  const isSignature = isOfSignature(alteration)
  const signed = signature as SignatureReport
  const name = isSignature ? (nameOf(signed) ?? texts.signatureUnknown) : texts.signatureTimeStamp
  const instant = isSignature
    ? timeOf(signed, report)?.instant
    : (signature as { productionTime?: string }).productionTime
  const time = instant ? instantIn(language, instant) : texts.signatureTimeUnknown
  if (isInside) {
    return (
      <div class="stack tight">
        <p>{isSignature ? texts.changesInside(name) : texts.changesInsideStamp}</p>
        <p class="quiet">{texts.changesInsideText}</p>
      </div>
    )
  }
  return (
    <div class="stack tight">
      <h3>{isSignature ? texts.changesAfter(name, time) : texts.changesAfterStamp(time)}</h3>
      {changes.length === 0 ? (
        <p>{texts.changesUnlisted}</p>
      ) : (
        <ul class="changes">
          {changeGroups(changes).map((group) => (
            <OneChange key={JSON.stringify([group.page, group.part, group.action])} group={group} />
          ))}
        </ul>
      )}
      <Versions alteration={alteration} file={file} />
    </div>
  )
}

/** Nothing at all of a document that was not changed. */
export function Changes({ report, file }: { report: ValidationReport; file: Blob }) {
  const { texts } = useSpeech()
  const alterations = useMemo(() => alterationsOf(report), [report])
  if (verdictOf(report).kind !== 'changed') return null
  return (
    <section class="panel stack bad">
      <h2>{texts.changesHeading}</h2>
      {alterations.map((one) => (
        <OneAlteration key={one.signature.id} alteration={one} report={report} file={file} />
      ))}
    </section>
  )
}
