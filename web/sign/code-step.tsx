/** The one-time code: sent when asked for, entered, confirmed. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type {
  CaseDefinitionAnswer,
  CodeSentAnswer,
} from '../../domain/contract/participant-answers.ts'
import { Fault, Stage, StepHeading } from '../design/parts.tsx'
import { mayTakeFocus } from '../lib/frame.ts'
import type { Outcome, ParticipantClient } from '../lib/client.ts'
import { useIsKiosk } from '../lib/kiosk-context.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import { useNow } from '../lib/use-now.ts'
import { waitIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'
import { codeFaultOf, isUsedUp, type CodeFault } from './code-fault.ts'
import { Summary } from './masthead.tsx'
import { NumberPad } from './number-pad.tsx'
import { SafetyHelp } from './safety-text.tsx'
import { problemOf, type View } from './view.ts'

/** Time that a mail needs; a new code before that would only replace it. */
const RESEND_AFTER_MS = 30_000
const CODE_LENGTH = 6
const NOT_DIGITS = /\D/g
const FAULT = 'code-fault'

/** People paste "123 456". */
const digitsOf = (text: string) => text.replace(NOT_DIGITS, '').slice(0, CODE_LENGTH)

interface CodeStepProps {
  definition: CaseDefinitionAnswer
  client: ParticipantClient
  /** Something was entered before: the session ran out. */
  isAgain: boolean
  onSession(otpSession: string): Promise<void>
  onChange(view: View): void
}

interface ShownFault {
  words: CodeFault
  /** The code was refused; otherwise it did not arrive, and is worth another try. */
  isOfCode: boolean
}

interface Sent extends CodeSentAnswer {
  /** By the device's clock. */
  worksUntilMs: number
}

/** Everything that can happen to a code. */
function useCode({ client, onSession, onChange }: CodeStepProps) {
  const [sent, setSent] = useState<Sent | undefined>(undefined)
  const [resendFromMs, setResendFromMs] = useState(0)
  const [fault, setFault] = useState<ShownFault | undefined>(undefined)
  /** The code that was sent does not work any more: only a new one helps. */
  const [isOver, setOver] = useState(false)
  const [once] = useState(oneAtATime)

  const settle = (outcome: Exclude<Outcome<unknown>, { kind: 'answered' }>) => {
    if (outcome.kind === 'refused') {
      const { retryAfterSeconds } = outcome
      if (retryAfterSeconds !== undefined) setResendFromMs(Date.now() + retryAfterSeconds * 1_000)
      if (isUsedUp(outcome)) {
        setResendFromMs(0)
        setOver(true)
      }
      const found = codeFaultOf(outcome)
      if (found) return setFault({ words: found, isOfCode: true })
    }
    const problem = problemOf(outcome)
    if (problem.kind === 'unavailable' || problem.kind === 'offline') {
      const text = problem.kind === 'offline' ? 'offlineText' : 'unavailableText'
      return setFault({ words: (texts) => texts[text], isOfCode: false })
    }
    onChange({ kind: 'problem', problem })
  }
  const send = () =>
    once(async () => {
      setFault(undefined)
      const outcome = await client.sendCode()
      if (outcome.kind !== 'answered') return settle(outcome)
      const { value, serverMs } = outcome
      const leftMs = Date.parse(value.expiresAt) - serverMs
      setSent({ ...value, worksUntilMs: Date.now() + leftMs })
      setOver(false)
      setResendFromMs(Date.now() + RESEND_AFTER_MS)
    })
  const verify = (code: string) =>
    once(async () => {
      if (code.length < CODE_LENGTH) {
        return setFault({ words: (texts) => texts.codeIncomplete, isOfCode: true })
      }
      setFault(undefined)
      const outcome = await client.verifyCode(code)
      if (outcome.kind !== 'answered') return settle(outcome)
      await onSession(outcome.value.otpSession)
    })
  return { sent, resendFromMs, fault, isOver, send, verify }
}

type Code = ReturnType<typeof useCode>

interface CodeInputProps {
  code: string
  isWrong: boolean
  field: RefObject<HTMLInputElement | null>
  onCode(code: string): void
}

/** The input of the code, with a pad of digits on a kiosk. */
function CodeInput({ code, isWrong, field, onCode }: CodeInputProps) {
  const { texts } = useSpeech()
  const isKiosk = useIsKiosk()
  return (
    <>
      <label class="stack tight">
        <span>{texts.codeLabel}</span>
        <input
          ref={field}
          class="input code"
          name="code"
          inputMode="numeric"
          autocomplete={isKiosk ? 'off' : 'one-time-code'}
          value={code}
          aria-invalid={isWrong}
          aria-describedby={FAULT}
          onInput={(event) => {
            // Characters other than digits disappear, also when the code is the same without them.
            event.currentTarget.value = digitsOf(event.currentTarget.value)
            onCode(event.currentTarget.value)
          }}
        />
      </label>
      {isKiosk ? <NumberPad value={code} onValue={(text) => onCode(digitsOf(text))} /> : null}
    </>
  )
}

/** Where the next act is has the focus: the field, or the button for a new code. */
function useCodeField({ sent, fault, isOver }: Pick<Code, 'sent' | 'fault' | 'isOver'>) {
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLButtonElement>(null)
  // Effects after the paint would come when the person already types, and clear what was typed.
  useLayoutEffect(() => {
    if (sent && mayTakeFocus()) field.current?.focus()
  }, [sent])
  useLayoutEffect(() => {
    if (!fault || !sent) return
    // What was wrong is not worth correcting; what is incomplete is.
    if (fault.isOfCode && code.length === CODE_LENGTH) setCode('')
    if (mayTakeFocus()) (isOver ? again : field).current?.focus()
  }, [fault])
  return { code, setCode, field, again }
}

interface CodeFormProps extends Pick<Code, 'fault' | 'isOver'> {
  code: string
  setCode(code: string): void
  field: RefObject<HTMLInputElement | null>
  /** How long the code works, milliseconds. */
  leftMs: number
  onSubmit(code: string): Promise<void>
}

/** Takes the code; without a code that works, there is nothing to confirm. */
function CodeForm({ code, setCode, field, fault, isOver, leftMs, onSubmit }: CodeFormProps) {
  const { texts, language } = useSpeech()
  const submit = (event: Event) => {
    event.preventDefault()
    void onSubmit(code)
  }
  return (
    <form class="stack" onSubmit={submit} noValidate>
      <CodeInput code={code} isWrong={fault?.isOfCode === true} field={field} onCode={setCode} />
      <Fault id={FAULT}>{fault?.words(texts)}</Fault>
      <p class="quiet small" hidden={isOver && fault !== undefined}>
        {leftMs > 0 && !isOver ? texts.codeValidFor(waitIn(language, leftMs)) : texts.codeIsOver}
      </p>
      {isOver ? null : (
        <button type="submit" class="button primary">
          {texts.codeSubmit}
        </button>
      )}
    </form>
  )
}

/** A code is sent when the participant asks for it, never by the page alone. */
export function CodeStep(props: CodeStepProps) {
  const { texts, language } = useSpeech()
  const { sent, resendFromMs, fault, isOver, send, verify } = useCode(props)
  const { definition, isAgain } = props
  const { code, setCode, field, again } = useCodeField({ sent, fault, isOver })
  const nowMs = useNow(sent !== undefined || resendFromMs > 0)
  const waitMs = resendFromMs - nowMs
  const leftMs = (sent?.worksUntilMs ?? 0) - nowMs
  const [promise, sentText] =
    definition.multiFactorType === 'SMS'
      ? [texts.codeBySms, texts.codeSentSms]
      : [texts.codeByEmail, texts.codeSentEmail]
  const sendText = sent ? texts.codeResend : texts.codeSend
  return (
    <Stage>
      <Summary definition={definition} isQuiet />
      <StepHeading>{texts.codeHeading}</StepHeading>
      {isAgain ? <p class="notice">{texts.codeAgain}</p> : <p class="code-why">{texts.codeWhy}</p>}
      <p role="status" class={sent ? '' : 'quiet'}>
        {sent ? sentText(sent.destination) : promise}
      </p>
      {sent ? (
        <CodeForm {...{ code, setCode, field, fault, isOver, leftMs }} onSubmit={verify} />
      ) : (
        <Fault>{fault?.words(texts)}</Fault>
      )}
      <button
        ref={again}
        type="button"
        class={sent && !isOver ? 'button plain' : 'button primary'}
        aria-disabled={waitMs > 0}
        onClick={() => waitMs > 0 || void send()}
      >
        {waitMs > 0 ? texts.codeResendIn(waitIn(language, waitMs)) : sendText}
      </button>
      <SafetyHelp definition={definition} />
    </Stage>
  )
}
