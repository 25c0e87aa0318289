/** What a kiosk shows before and after a document. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Dialog, Fault, Languages, Logo, Sign, StepHeading } from '../design/parts.tsx'
import { useBrand } from '../lib/brand.ts'
import { useNow } from '../lib/use-now.ts'
import { useSpeech, useTexts } from '../texts/use-texts.ts'
import { pair, type Device, type PairFault } from './device.ts'
import type { Connection } from './stream.ts'
import type { Idle } from './use-idle.ts'
import type { Guest } from './use-screens.ts'

const SECOND_MS = 1_000
const PAIR_FAULT = 'pair-fault'
const OTHER_CASE = 'other-case'

interface PairingProps {
  /** The token of the link that opened the page; it is exchanged at once. */
  linked: string | undefined
  onPaired(device: Device): void
}

/** Takes a pairing code, or the token that the tenant got when it registered the kiosk. */
export function Pairing({ linked, onPaired }: PairingProps) {
  const texts = useTexts()
  const [token, setToken] = useState('')
  const [fault, setFault] = useState<PairFault | undefined>(undefined)
  const sentences = {
    wrong: texts.kioskPairWrong,
    limited: texts.kioskPairLimited,
    unanswered: texts.kioskPairUnanswered,
  }
  const pairBy = async (given: string) => {
    setFault(undefined)
    const paired = await pair(given)
    if (typeof paired === 'string') setFault(paired)
    else onPaired(paired)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    // A link whose token did not arrive is tried again: the address has it no more.
    void pairBy(token.trim() || (linked ?? ''))
  }
  useEffect(() => {
    if (linked !== undefined) void pairBy(linked)
  }, [linked])
  return (
    <main class="kiosk-screen">
      <KioskBar />
      <form class="card stack" onSubmit={submit} noValidate>
        <StepHeading>{texts.kioskPairHeading}</StepHeading>
        <p>{texts.kioskPairText}</p>
        <label class="stack tight">
          <span>{texts.kioskPairLabel}</span>
          <input
            class="input"
            // People compare the code while they type it. The token stays valid, so it is hidden.
            // The types of Preact expect one constant type of input.
            type={(token.includes('.') ? 'password' : 'text') as 'text'}
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            aria-invalid={fault === 'wrong'}
            aria-describedby={PAIR_FAULT}
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        <Fault id={PAIR_FAULT}>{fault && sentences[fault]}</Fault>
        <button type="submit" class="button primary">
          {texts.kioskPairSubmit}
        </button>
      </form>
    </main>
  )
}

/** Another screen has taken the channel: it is used where it is asked for. */
export function Replaced({ onUse }: { onUse(): void }) {
  const texts = useTexts()
  return (
    <main class="kiosk-screen">
      <div class="card stack">
        <StepHeading>{texts.kioskReplaced}</StepHeading>
        <button type="button" class="button" onClick={onUse}>
          {texts.kioskReplacedUse}
        </button>
      </div>
    </main>
  )
}

function Clock() {
  const { language } = useSpeech()
  const nowMs = useNow()
  const format = new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return (
    <time class="clock" dateTime={new Date(nowMs).toISOString()}>
      {format.format(nowMs)}
    </time>
  )
}

/** Whose screen it is: the tenant's logo and name, and the languages. */
function KioskBar({ children }: { children?: ComponentChildren }) {
  const { sender } = useBrand() ?? {}
  return (
    <div class="topbar">
      <span class="kiosk-owner">
        <Logo />
        <span class="stack tight">
          {sender?.name === undefined ? null : <span class="owner-name">{sender.name}</span>}
          {children}
        </span>
      </span>
      <Languages />
    </div>
  )
}

/** The time, and whether the kiosk can be reached. */
export function IdleScreen({ name, connection }: { name: string; connection: Connection }) {
  const texts = useTexts()
  const words = { open: texts.kioskConnected, lost: texts.kioskLostIdle } as const
  const isLost = connection === 'lost'
  const state = connection === 'open' || isLost ? connection : undefined
  return (
    <main class="kiosk-screen idle">
      <KioskBar>
        <span class="device-name">{name}</span>
      </KioskBar>
      <div class="idle-middle">
        <Clock />
        <StepHeading>{isLost ? texts.kioskNotReady : texts.kioskReady}</StepHeading>
      </div>
      <p class="light" role="status" data-connection={connection}>
        {state ? words[state] : texts.kioskConnecting}
      </p>
    </main>
  )
}

interface GreetingProps {
  guest: Guest
  /** Another document was on the screen before. */
  isOther: boolean
  onYes(): void
  onNo(): void
}

/** Asks whether the person in front is the one who is to sign. */
export function Greeting({ guest, isOther, onYes, onNo }: GreetingProps) {
  const texts = useTexts()
  return (
    <main class="kiosk-screen">
      <KioskBar />
      <div class="card stack greeting">
        {isOther ? (
          <p id={OTHER_CASE} class="notice">
            {texts.kioskOther}
          </p>
        ) : null}
        <StepHeading describedBy={isOther ? OTHER_CASE : undefined}>
          {'name' in guest
            ? texts.kioskGreeting(guest.name)
            : texts.kioskGreetingDocument(guest.title)}
        </StepHeading>
        <div class="row">
          <button type="button" class="button primary" onClick={onYes}>
            {'name' in guest ? texts.kioskYes : texts.kioskYesDocument}
          </button>
          <button type="button" class="button" onClick={onNo}>
            {texts.kioskNo}
          </button>
        </div>
      </div>
    </main>
  )
}

interface FarewellProps {
  farewell: { isSigned: boolean; isMailed: boolean }
  afterMs: number
  onOver(): void
}

/** @param props `afterMs`: how long it stays unless something ends it sooner */
export function Farewell({ farewell: { isSigned, isMailed }, afterMs, onOver }: FarewellProps) {
  const texts = useTexts()
  useEffect(() => {
    const timer = window.setTimeout(onOver, afterMs)
    return () => window.clearTimeout(timer)
  }, [])
  const thanks = isMailed ? texts.kioskThanksText : texts.kioskThanksUnmailed
  return (
    <main class="kiosk-screen">
      <div class="card stack greeting" role="status">
        <div class={isSigned ? 'mark good' : 'mark'}>
          <Sign name={isSigned ? 'check' : 'stop'} />
        </div>
        <StepHeading>{isSigned ? texts.kioskThanks : texts.kioskClosed}</StepHeading>
        <p>{isSigned ? thanks : texts.kioskClosedText}</p>
      </div>
    </main>
  )
}

/** The way out for somebody who does not want to sign; asks first, as entries are lost. */
export function Exit({ onLeave }: { onLeave(): void }) {
  const texts = useTexts()
  const [isAsking, setAsking] = useState(false)
  return (
    <aside class="kiosk-exit" aria-label={texts.kioskExit}>
      <button type="button" class="button" onClick={() => setAsking(true)}>
        {texts.kioskExit}
      </button>
      {isAsking ? (
        <Dialog heading={texts.kioskExitHeading} onClose={() => setAsking(false)}>
          <p>{texts.kioskExitText}</p>
          <div class="row end">
            <button type="button" class="button" onClick={() => setAsking(false)}>
              {texts.back}
            </button>
            <button type="button" class="button primary" onClick={onLeave}>
              {texts.kioskExit}
            </button>
          </div>
        </Dialog>
      ) : null}
    </aside>
  )
}

/** Shown while `idle.leftMs` counts down; closing it is staying. */
export function StillThere({ idle, onLeave }: { idle: Idle; onLeave(): void }) {
  const texts = useTexts()
  if (idle.leftMs === undefined) return null
  return (
    <Dialog heading={texts.kioskStill} onClose={idle.stay}>
      <p>{texts.kioskStillText(Math.ceil(idle.leftMs / SECOND_MS))}</p>
      <div class="row end">
        <button type="button" class="button" onClick={onLeave}>
          {texts.kioskLeave}
        </button>
        <button type="button" class="button primary" onClick={idle.stay}>
          {texts.kioskStay}
        </button>
      </div>
    </Dialog>
  )
}
