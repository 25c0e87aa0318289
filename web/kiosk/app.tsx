/** The kiosk: idle until a case opens, and idle again with nothing left of it. */
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { ParticipantLink } from '../lib/client.ts'
import { memoryKeep } from '../lib/keep.ts'
import { SigningApp } from '../sign/app.tsx'
import { useTexts } from '../texts/use-texts.ts'
import { takeLinkedToken, type Device } from './device.ts'
import { Exit, Farewell, Greeting, IdleScreen, Pairing, Replaced, StillThere } from './screens.tsx'
import { useIdle } from './use-idle.ts'
import { useScreens } from './use-screens.ts'
import { useWakeLock } from './use-wake-lock.ts'

const FAREWELL_MS = 7_000

function Signing({ link, onSigned }: { link: ParticipantLink; onSigned(): void }) {
  // In the page's memory alone: gone with the screen.
  const keep = useMemo(memoryKeep, [link])
  return <SigningApp link={link} keep={keep} onSigned={onSigned} />
}

/** The token of the link that opened the page, or opens it anew. */
function useLinkedToken() {
  const [token, setToken] = useState(takeLinkedToken)
  useLayoutEffect(() => {
    const take = () => setToken((before) => takeLinkedToken() ?? before)
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])
  return { token, forget: () => setToken(undefined) }
}

/** One screen at a time; the document is in it, not in a page of its own. */
export function KioskApp() {
  const texts = useTexts()
  const linked = useLinkedToken()
  const { device, setDevice, connection, screen, show, leave, endFarewell, listenAgain } =
    useScreens()
  const idle = useIdle('opened' in screen, () => leave())
  useWakeLock()
  useEffect(() => {
    document.title = [device?.name, texts.serviceName].filter(Boolean).join(' – ')
  }, [device, texts])

  const pair = (paired: Device) => {
    linked.forget()
    setDevice(paired)
  }
  // A link pairs anew, also a screen that was paired before.
  if (!device || linked.token !== undefined)
    return <Pairing linked={linked.token} onPaired={pair} />
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
            <>
              <Exit key={screen.opened.eventId} onLeave={() => leave()} />
              <Signing
                key={screen.opened.eventId}
                link={screen.link}
                onSigned={() => leave({ kind: 'farewell', isSigned: true })}
              />
            </>
          )}
          <StillThere idle={idle} onLeave={() => leave()} />
        </>
      )
  }
}
