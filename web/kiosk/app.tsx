/** The kiosk: idle until a case opens, and idle again with nothing left of it. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ParticipantClient, type ParticipantLink } from '../lib/client.ts'
import { memoryKeep } from '../lib/keep.ts'
import { SigningApp } from '../sign/app.tsx'
import { useSpeech, useTexts } from '../texts/use-texts.ts'
import { forgetDevice, handledEvent, markHandled, storedDevice } from './device.ts'
import { Farewell, Greeting, IdleScreen, Pairing, Replaced, StillThere } from './screens.tsx'
import { listen, type Connection, type Opened } from './stream.ts'
import { useIdle } from './use-idle.ts'
import { useWakeLock } from './use-wake-lock.ts'

const FAREWELL_MS = 7_000
const SIGNED = 'SIGNED'

type Screen =
  | { kind: 'idle' }
  | { kind: 'greeting'; opened: Opened; link: ParticipantLink; name: string; isOther: boolean }
  | { kind: 'signing'; opened: Opened; link: ParticipantLink }
  | { kind: 'farewell'; isSigned: boolean }

const IDLE: Screen = { kind: 'idle' }

function linkOf({ url, participantId }: Opened): ParticipantLink {
  return { participantId, token: new URL(url).hash.slice(1) }
}

/** Everything that a channel can bring about. */
function useScreens() {
  const [device, setDevice] = useState(storedDevice)
  const [connection, setConnection] = useState<Connection>('connecting')
  const [attempt, setAttempt] = useState(0)
  const [screen, setScreen] = useState<Screen>(IDLE)
  const { suggest } = useSpeech()
  /** What the channel's events are judged by: they come between two paintings. */
  const shown = useRef<Screen>(IDLE)
  /** Waits until the one before has been thanked. */
  const next = useRef<Opened | undefined>(undefined)
  const show = (screen: Screen) => {
    shown.current = screen
    setScreen(screen)
  }
  const leave = (screen: Screen = IDLE) => {
    if ('opened' in shown.current) markHandled(shown.current.opened.eventId)
    show(screen)
  }
  /** What is opened takes the place of what is there (K6); the same again changes nothing. */
  const open = async (opened: Opened) => {
    const before = shown.current
    if (before.kind === 'farewell') {
      next.current = opened
      return
    }
    if ('opened' in before && before.opened.participantId === opened.participantId) return
    const link = linkOf(opened)
    const outcome = await new ParticipantClient(link, () => ({})).caseDefinition()
    const definition = outcome.kind === 'answered' ? outcome.value : undefined
    if (definition?.participant.status === SIGNED) return markHandled(opened.eventId)
    if (definition) suggest(definition.language)
    const { firstName = '', lastName = '' } = definition?.participant ?? {}
    // A case that needs a PIN does not tell whose it is: its title does for a greeting.
    const name = definition ? `${firstName} ${[...lastName].slice(0, 1).join('')}.` : opened.title
    show({ kind: 'greeting', opened, link, name, isOther: 'opened' in before })
  }
  const endFarewell = () => {
    const opened = next.current
    next.current = undefined
    show(IDLE)
    if (opened) void open(opened)
  }
  useEffect(() => {
    if (!device) return undefined
    setConnection('connecting')
    return listen(device.channel, handledEvent(), {
      onConnection(state) {
        setConnection(state)
        if (state !== 'unpaired') return
        forgetDevice()
        setDevice(undefined)
        show(IDLE)
      },
      onOpen: (opened) => void open(opened),
      onClose({ participantId, reason }) {
        const { current } = shown
        next.current = undefined
        if (!('opened' in current)) return
        if (participantId !== undefined && participantId !== current.opened.participantId) return
        if (reason === SIGNED && current.kind === 'signing') return
        leave(reason === undefined ? IDLE : { kind: 'farewell', isSigned: reason === SIGNED })
      },
    })
  }, [device, attempt])
  const listenAgain = () => setAttempt(attempt + 1)
  return { device, setDevice, connection, screen, show, leave, endFarewell, listenAgain }
}

function Signing({ link, onSigned }: { link: ParticipantLink; onSigned(): void }) {
  // In the page's memory alone: gone with the screen.
  const keep = useMemo(memoryKeep, [link])
  return <SigningApp link={link} keep={keep} onSigned={onSigned} />
}

export function KioskApp() {
  const texts = useTexts()
  const { device, setDevice, connection, screen, show, leave, endFarewell, listenAgain } =
    useScreens()
  const idle = useIdle('opened' in screen, () => leave())
  useWakeLock()
  useEffect(() => {
    document.title = [device?.name, texts.serviceName].filter(Boolean).join(' – ')
  }, [device, texts])

  if (!device) return <Pairing onPaired={setDevice} />
  if (connection === 'replaced') return <Replaced onUse={listenAgain} />
  switch (screen.kind) {
    case 'idle':
      return <IdleScreen name={device.name} connection={connection} />
    case 'farewell':
      return <Farewell isSigned={screen.isSigned} afterMs={FAREWELL_MS} onOver={endFarewell} />
    default:
      return (
        <>
          {connection === 'lost' ? (
            <p class="notice banner" role="status">
              {texts.kioskLost}
            </p>
          ) : null}
          {screen.kind === 'greeting' ? (
            <Greeting
              name={screen.name}
              isOther={screen.isOther}
              onYes={() => show({ kind: 'signing', opened: screen.opened, link: screen.link })}
              onNo={() => leave()}
            />
          ) : (
            <Signing
              key={screen.opened.eventId}
              link={screen.link}
              onSigned={() => leave({ kind: 'farewell', isSigned: true })}
            />
          )}
          <StillThere idle={idle} onLeave={() => leave()} />
        </>
      )
  }
}
