/** What was changed, and after which signature (V2). */
import type { ValidationReport } from '../../domain/contract/validation-report.ts'
import type { Texts } from '../texts/en.ts'
import { instantIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'
import {
  alterationsOf,
  nameOf,
  timeOf,
  verdictOf,
  type Alteration,
  type SignatureReport,
} from './verdict.ts'

type Change = Alteration['changes'][number]

const ACTIONS = {
  added: 'changeAdded',
  changed: 'changeChanged',
  deleted: 'changeDeleted',
} as const satisfies Record<Change['action'], keyof Texts>

/** Changes of one page, or of none; pages first, in their order. */
function byPage(changes: readonly Change[]): [number | undefined, Change[]][] {
  const groups = Map.groupBy(changes, ({ page }) => page)
  return [...groups].sort(([a = Infinity], [b = Infinity]) => a - b)
}

/** Objects for those who want to look into the file. */
function objectsOf(changes: readonly Change[]): string {
  const names = changes.map(({ object, path }) => path || String(object))
  return [...new Set(names)].join(', ')
}

function PageOfChanges({ page, changes }: { page: number | undefined; changes: Change[] }) {
  const { texts } = useSpeech()
  const groups = Map.groupBy(changes, ({ action }) => action)
  return (
    <li>
      <strong>{page === undefined ? texts.changeElsewhere : texts.changeOnPage(page)}</strong>
      {[...groups].map(([action, some]) => (
        <span key={action}>
          {texts[ACTIONS[action]](some.length)}{' '}
          <span class="quiet small">({texts.changeObjects(objectsOf(some))})</span>
        </span>
      ))}
    </li>
  )
}

function OneAlteration({
  alteration,
  report,
}: {
  alteration: Alteration
  report: ValidationReport
}) {
  const { texts, language } = useSpeech()
  const { signature, isInside, changes } = alteration
  const isSignature = signature.id.startsWith('S')
  const signed = signature as SignatureReport
  const name = isSignature ? (nameOf(signed) ?? texts.signatureUnknown) : texts.signatureTimeStamp
  const instant = isSignature
    ? timeOf(signed, report)?.instant
    : (signature as { productionTime?: string }).productionTime
  const time = instant ? instantIn(language, instant) : texts.signatureTimeUnknown
  if (isInside) {
    return (
      <div class="stack tight">
        <p>{texts.changesInside(name)}</p>
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
          {byPage(changes).map(([page, some]) => (
            <PageOfChanges key={page ?? 0} page={page} changes={some} />
          ))}
        </ul>
      )}
    </div>
  )
}

/** Nothing at all of a document that was not changed. */
export function Changes({ report }: { report: ValidationReport }) {
  const { texts } = useSpeech()
  if (verdictOf(report).kind !== 'changed') return null
  return (
    <section class="panel stack bad">
      <h2>{texts.changesHeading}</h2>
      {alterationsOf(report).map((one) => (
        <OneAlteration key={one.signature.id} alteration={one} report={report} />
      ))}
    </section>
  )
}
