/** What a kiosk shows, as its channel says and as people answer. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { BrandingAnswer } from '../../domain/contract/participant-answers.ts'
import { ParticipantClient, type ParticipantLink } from '../lib/client.ts'
import { forgetDevice, handledEvent, markHandled, storedDevice } from './device.ts'
import { listen, type Connection, type Opened } from './stream.ts'
import { useReaders, type Readers } from './use-readers.ts'

const SIGNED = 'SIGNED'

/** Who is to sign; what, when the case cannot be read. */
export type Guest = { name: string } | { title: string }

export type Screen =
  | { kind: 'idle' }
  | { kind: 'greeting'; opened: Opened; link: ParticipantLink; guest: Guest; isOther: boolean }
  | { kind: 'signing'; opened: Opened; link: ParticipantLink }
  | { kind: 'farewell'; isSigned: boolean; isMailed: boolean }

const IDLE: Screen = { kind: 'idle' }

/** Whether somebody who signed elsewhere gets a mail is unknown here, so none is promised. */
const farewellOf = (reason: string): Screen => ({
  kind: 'farewell',
  isSigned: reason === SIGNED,
  isMailed: false,
})

/** Whom to greet, and in which language. @returns undefined for somebody who has signed */
async function readGuest(link: ParticipantLink, { title }: Opened) {
  const outcome = await new ParticipantClient(link, () => ({})).caseDefinition()
  // Later the signing page says why, or reads it.
  if (outcome.kind !== 'answered') return { guest: { title } }
  const { participant, language } = outcome.value
  if (participant.status === SIGNED) return undefined
  const [initial = ''] = participant.lastName
  return { guest: { name: `${participant.firstName} ${initial}.` }, language }
}

/** The screen, readable between two paintings as well: events do not wait for them. */
function useScreen(readers: Readers) {
  const [screen, setScreen] = useState<Screen>(IDLE)
  const shown = useRef<Screen>(IDLE)
  const show = (next: Screen) => {
    shown.current = next
    setScreen(next)
    if (next.kind === 'idle') readers.end()
  }
  /** Ends what is open, so that a repeated event does not open it again. */
  const leave = (next: Screen = IDLE) => {
    if ('opened' in shown.current) markHandled(shown.current.opened.eventId)
    show(next)
  }
  return { screen, shown, show, leave }
}

/** An opened case replaces the one on the screen (K6); opening the same case changes nothing. */
function useOpening({ shown, show }: ReturnType<typeof useScreen>, readers: Readers) {
  /** Waits until the one before has been thanked. */
  const waiting = useRef<Opened | undefined>(undefined)
  /** Id of the opening that counts; others are overtaken while their guest is asked for. */
  const latest = useRef('')
  const open = async (opened: Opened) => {
    const before = shown.current
    if (before.kind === 'farewell') {
      waiting.current = opened
      return
    }
    const { participantId, url, eventId } = opened
    if ('opened' in before && before.opened.participantId === participantId) return
    const link = { participantId, token: new URL(url).hash.slice(1) }
    latest.current = eventId
    const read = await readGuest(link, opened)
    if (latest.current !== eventId) return
    if (!read) return markHandled(eventId)
    readers.begin(read.language)
    show({ kind: 'greeting', opened, link, guest: read.guest, isOther: 'opened' in before })
  }
  const endFarewell = () => {
    const opened = waiting.current
    waiting.current = undefined
    show(IDLE)
    if (opened) void open(opened)
  }
  /** Nothing that was opened before counts any more. */
  const forget = () => {
    waiting.current = undefined
    latest.current = ''
  }
  return { open, endFarewell, forget }
}

/** The device, its channel, and the screen that follows from both. */
export function useScreens() {
  const [device, setDevice] = useState(storedDevice)
  const [connection, setConnection] = useState<Connection>('connecting')
  const [attempt, setAttempt] = useState(0)
  const [branding, setBranding] = useState<BrandingAnswer | undefined>(undefined)
  const readers = useReaders()
  const current = useScreen(readers)
  const { open, endFarewell, forget } = useOpening(current, readers)
  const { screen, shown, show, leave } = current

  /** Until its channel is open, the look of the new device is unknown. */
  const changeDevice = (paired: typeof device) => {
    setBranding(undefined)
    setDevice(paired)
  }
  const onConnection = (state: Connection) => {
    setConnection(state)
    if (state !== 'unpaired') return
    forgetDevice()
    changeDevice(undefined)
    show(IDLE)
  }
  const onClose = ({ participantId, reason }: { participantId?: string; reason?: string }) => {
    const before = shown.current
    forget()
    if (!('opened' in before)) return
    if (participantId !== undefined && participantId !== before.opened.participantId) return
    // The page itself thanks who signed on it.
    if (reason === SIGNED && before.kind === 'signing') return
    leave(reason === undefined ? IDLE : farewellOf(reason))
  }
  useEffect(() => {
    if (!device) return undefined
    setConnection('connecting')
    const onOpen = (opened: Opened) => void open(opened)
    return listen(device.channel, handledEvent(), {
      onConnection,
      onOpen,
      onClose,
      onBranding: setBranding,
    })
  }, [device, attempt])
  const listenAgain = () => setAttempt(attempt + 1)
  const actions = { changeDevice, show, leave, endFarewell, listenAgain }
  return { device, connection, screen, branding, ...actions }
}
