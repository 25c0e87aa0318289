/** One signature in plain words: who, when, its level, who trusts it, and what was checked. */
import type { ComponentChildren } from 'preact'
import type { ValidationReport } from '../../domain/contract/validation-report.ts'
import { Sign } from '../design/parts.tsx'
import type { Texts } from '../texts/en.ts'
import { instantIn } from '../texts/times.ts'
import { useSpeech, useTexts } from '../texts/use-texts.ts'
import {
  checksOf,
  isSeal,
  isRevokedLater,
  isTimeOfService,
  nameOf,
  printable,
  timeOf,
  type CheckState,
  type DocumentTimeStamp,
  type SignatureReport,
} from './verdict.ts'
import { qualificationWords } from './qualification.ts'
import { infosOf, reasonsOf } from './reasons.ts'

type Indicated = Pick<SignatureReport, 'indication' | 'subIndication' | 'errors'>

const STATES = {
  TOTAL_PASSED: { tone: 'good', text: 'statePassed', mark: 'check' },
  INDETERMINATE: { tone: 'warn', text: 'stateIndeterminate', mark: 'ask' },
  TOTAL_FAILED: { tone: 'bad', text: 'stateFailed', mark: 'close' },
} as const satisfies Record<SignatureReport['indication'], object>

const LEVELS: Readonly<Record<string, keyof Texts>> = {
  'PAdES-BASELINE-B': 'levelB',
  'PAdES-BASELINE-T': 'levelT',
  'PAdES-BASELINE-LT': 'levelLt',
  'PAdES-BASELINE-LTA': 'levelLta',
}

const CHECK_MARKS = {
  good: { mark: 'check', text: 'checkGood' },
  bad: { mark: 'close', text: 'checkBad' },
  unknown: { mark: 'ask', text: 'checkUnknown' },
} as const satisfies Record<CheckState, object>

const CHECKS = {
  unchanged: 'checkUnchanged',
  trusted: 'checkTrusted',
  notRevoked: 'checkNotRevoked',
  timeProven: 'checkTimeProven',
} as const

function trustOf({ certificateChain }: SignatureReport | DocumentTimeStamp, texts: Texts): string {
  const anchor = certificateChain.at(-1)?.trustAnchor
  if (!anchor) return texts.trustNobody
  if (anchor.source === 'service-root') return texts.trustOwn
  const provider = [anchor.country, anchor.tsp].filter((one) => one !== undefined).join(', ')
  return provider ? `${texts.trustList}: ${printable(provider)}` : texts.trustList
}

interface CardProps {
  indicated: Indicated
  kind: string
  name: string
  children: ComponentChildren
}

function Card({ indicated, kind, name, children }: CardProps) {
  const texts = useTexts()
  const { tone, text, mark } = STATES[indicated.indication]
  const reasons = reasonsOf(indicated, texts)
  return (
    <li class="panel stack">
      <header class="signature-head">
        <div>
          <h3>
            <bdi>{name}</bdi>
          </h3>
          <p class="quiet small">{kind}</p>
        </div>
        <span class={`badge ${tone}`}>
          <Sign name={mark} />
          {texts[text]}
        </span>
      </header>
      {reasons.map((reason) => (
        <p key={reason} class={`notice ${tone}`}>
          {reason}
        </p>
      ))}
      {children}
    </li>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface SignatureCardProps {
  signature: SignatureReport
  report: ValidationReport
}

function When({ signature, report }: SignatureCardProps) {
  const { texts, language } = useSpeech()
  const time = timeOf(signature, report)
  if (!time) return <>{texts.signatureTimeUnknown}</>
  return (
    <>
      <time dateTime={time.instant}>{instantIn(language, time.instant)}</time>
      {time.isProven ? null : <small class="quiet">{texts.signatureTimeClaimed}</small>}
    </>
  )
}

function Checked({ signature, report }: SignatureCardProps) {
  const texts = useTexts()
  const states = checksOf(signature, report)
  const isOwnTime = states.timeProven === 'good' && isTimeOfService(signature, report)
  const words = {
    ...CHECKS,
    ...(isOwnTime && { timeProven: 'checkTimeOwn' as const }),
    ...(isRevokedLater(signature) && { notRevoked: 'checkRevokedLater' as const }),
  }
  return (
    <ul class="checks" aria-label={texts.signatureChecked}>
      {(Object.keys(CHECKS) as (keyof typeof CHECKS)[]).map((check) => {
        const state = states[check]
        const { mark, text } = CHECK_MARKS[state]
        return (
          <li key={check} class={state}>
            <Sign name={mark} />
            <span>
              {texts[words[check]]}
              <span class={state === 'good' ? 'hidden-visually' : 'quiet'}>: {texts[text]}</span>
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** Also for seals of organisations, which it calls so. */
export function SignatureCard({ signature, report }: SignatureCardProps) {
  const texts = useTexts()
  const isValid = signature.indication === 'TOTAL_PASSED'
  // What a level promises holds for signatures that are valid.
  const explained = isValid ? LEVELS[signature.level] : undefined
  return (
    <Card
      indicated={signature}
      kind={isSeal(signature) ? texts.signatureSeal : texts.signatureOfPerson}
      name={nameOf(signature) ?? texts.signatureUnknown}
    >
      <dl class="details">
        <Fact name={texts.signatureWhen}>
          <When signature={signature} report={report} />
        </Fact>
        <Fact name={texts.signatureTrust}>{trustOf(signature, texts)}</Fact>
        <Fact name={texts.signatureLevel}>
          {signature.level}
          {explained ? <small class="quiet">{String(texts[explained])}</small> : null}
        </Fact>
        <Fact name={texts.signatureQualification}>{qualificationWords(signature, texts)}</Fact>
      </dl>
      <Checked signature={signature} report={report} />
      {infosOf(signature, texts).map((info) => (
        <p key={info} class="quiet small">
          {info}
        </p>
      ))}
    </Card>
  )
}

/** The common name in a distinguished name, else all of it. */
const commonNameOf = (name: string) => /(?:^|,)CN=((?:\\.|[^,\\])+)/.exec(name)?.[1] ?? name

/** A time-stamp over the whole document (ISO 32000-2, 12.8.5). */
export function TimeStampCard({ timeStamp }: { timeStamp: DocumentTimeStamp }) {
  const { texts, language } = useSpeech()
  const { productionTime, tsa } = timeStamp
  return (
    <Card
      indicated={timeStamp}
      kind={texts.signatureTimeStamp}
      name={tsa === undefined ? texts.signatureUnknown : printable(commonNameOf(tsa))}
    >
      <dl class="details">
        <Fact name={texts.signatureWhen}>
          {productionTime === undefined ? (
            texts.signatureTimeUnknown
          ) : (
            <time dateTime={productionTime}>{instantIn(language, productionTime)}</time>
          )}
        </Fact>
        <Fact name={texts.signatureTrust}>{trustOf(timeStamp, texts)}</Fact>
      </dl>
    </Card>
  )
}
